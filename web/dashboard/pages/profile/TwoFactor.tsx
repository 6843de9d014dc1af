import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { useFocusBack } from '../../../ui/focus-back.ts'
import { drawnLater } from '../../../ui/later.tsx'
import { Copy } from '../../format.tsx'
import { Password } from '../../Password.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import type { OfPerson } from './PersonForms.tsx'

const ScannedCode = drawnLater(async () => (await import('./ScannedCode.tsx')).ScannedCode)

interface Secret {
  readonly secret: string
  readonly otpauth_url: string
}

/** The password, then a first code of the app, then the backup codes: on is what a code has confirmed. */
export function SwitchOn(of: OfPerson) {
  const { accountPath } = usePlace()
  const [secret, setSecret] = useState<Secret | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const begin = useDoing<Secret>(setSecret)
  const confirm = useDoing<{ readonly backup_codes: readonly string[] }>((made) => {
    setSecret(null)
    begin.reset()
    setCodes(made.backup_codes)
  })
  if (codes !== null) return <BackupCodes codes={codes} close={() => of.done(texts.twoFactorIsOn)} />
  const path = `${accountPath}/two_factor`
  if (secret === null) {
    return (
      <Dialog
        title={texts.twoFactorOn}
        isOpen
        close={of.close}
        act={texts.goOn}
        doing={begin}
        fields={['current_password']}
        submit={(form) =>
          begin.send({
            method: 'POST',
            path: `${path}.json`,
            body: { current_password: form.get('current_password') },
          })
        }
      >
        <p>{texts.twoFactorMore}</p>
        <Password key="password" error={begin.faultOf('current_password')} />
      </Dialog>
    )
  }
  return (
    <Dialog
      title={texts.twoFactorOn}
      isOpen
      close={of.close}
      act={texts.twoFactorOn}
      doing={confirm}
      fields={['code']}
      submit={(form) =>
        confirm.send({
          method: 'POST',
          path: `${path}/confirm.json`,
          body: { code: String(form.get('code')).trim() },
        })
      }
    >
      <p>{texts.twoFactorScan}</p>
      <ScannedCode text={secret.otpauth_url} label={texts.twoFactorCode} />
      <p>
        {texts.twoFactorSecret} <a href={secret.otpauth_url}>{texts.openApp}</a>
      </p>
      <Copy text={secret.secret} />
      <Code key="code" fault={confirm.faultOf('code')} />
    </Dialog>
  )
}

const Code = ({ fault }: { readonly fault: string | undefined }) => (
  <TextInput
    name="code"
    label={texts.code}
    error={fault}
    inputMode="text"
    autoComplete="one-time-code"
    data-autofocus
  />
)

/** Shown once: each lets in without the app, and then switches two-factor off. */
function BackupCodes({ codes, close }: { readonly codes: readonly string[]; readonly close: () => void }) {
  useFocusBack(true)
  const text = codes.join('\n')
  return (
    <Modal.Root opened onClose={close} radius={10} closeOnClickOutside={false}>
      <Modal.Overlay />
      <Modal.Content>
        <div className="dialog-head">
          <Modal.Title>{texts.backupCodes}</Modal.Title>
        </div>
        <Modal.Body className="stack">
          <p>{texts.backupCodesMore}</p>
          <pre className="codes">
            <code>{text}</code>
          </pre>
          <Group justify="flex-end">
            <Button
              variant="default"
              component="a"
              download="backup-codes.txt"
              href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            >
              {texts.saveCodes}
            </Button>
            <Button onClick={close}>{texts.keptCodes}</Button>
          </Group>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** A code of the app, or one of the backup codes, switches it off. */
export function SwitchOff({ done, close }: OfPerson) {
  const { accountPath } = usePlace()
  const doing = useDoing(() => done(texts.twoFactorIsOff))
  return (
    <Dialog
      title={texts.twoFactorOff}
      isOpen
      close={close}
      act={texts.twoFactorOff}
      isDangerous
      doing={doing}
      fields={['code', 'backup_code']}
      submit={(form) => {
        const code = String(form.get('code')).trim()
        doing.send({
          method: 'POST',
          path: `${accountPath}/two_factor/remove.json`,
          body: code.length > 8 ? { backup_code: code } : { code },
        })
      }}
    >
      <p>{texts.twoFactorOffMore}</p>
      <Code fault={doing.faultOf('code') ?? doing.faultOf('backup_code')} />
    </Dialog>
  )
}
