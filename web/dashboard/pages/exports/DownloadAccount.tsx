import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import type { ExportAddress } from '../../../../src/lists/exports/schema.ts'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { useFocusBack } from '../../../ui/focus-back.ts'
import { Time } from '../../format.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { wholeTexts } from '../../texts/whole.ts'
import { Password } from '../../Password.tsx'

interface Of {
  readonly id: string
  readonly close: () => void
}

/** Asks the password again, then shows an address of the file that works for some minutes. */
export function DownloadAccount({ id, close }: Of) {
  const { accountPath } = usePlace()
  const [found, setFound] = useState<ExportAddress | null>(null)
  const doing = useDoing<ExportAddress>(setFound)
  if (found !== null) return <Ready found={found} close={close} />
  const submit = (form: FormData) =>
    doing.send({
      method: 'POST',
      path: `${accountPath}/exports/${id}/address.json`,
      body: { current_password: form.get('current_password') },
    })
  return (
    <Dialog
      title={wholeTexts.downloadTitle}
      isOpen
      close={close}
      act={wholeTexts.show}
      doing={doing}
      fields={['current_password']}
      submit={submit}
    >
      <p className="note">{wholeTexts.keys}</p>
      <Password error={doing.faultOf('current_password')} data-autofocus />
    </Dialog>
  )
}

interface Shown {
  readonly found: ExportAddress
  readonly close: () => void
}

function Ready({ found: { url, expires_at: end }, close }: Shown) {
  useFocusBack(true)
  const [before = '', after = ''] = wholeTexts.works.split('{time}')
  return (
    <Modal.Root opened onClose={close} radius={10}>
      <Modal.Overlay />
      <Modal.Content>
        <div className="dialog-head">
          <Modal.Title>{wholeTexts.ready}</Modal.Title>
          <Modal.CloseButton aria-label={texts.close} />
        </div>
        <Modal.Body className="stack">
          <p>
            {before}
            <Time time={end} />
            {after}
          </p>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {texts.close}
            </Button>
            <Button component="a" href={url} download data-autofocus>
              {wholeTexts.download}
            </Button>
          </Group>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
