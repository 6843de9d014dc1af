import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { SigningSecret } from './AddWebhook.tsx'
import { texts } from '../../texts/texts.ts'
import { words } from './words.ts'

/** Gives a listener another secret, which is shown once; both sign for some hours. */
export function Rotate({ own, close }: { readonly own: string; readonly close: () => void }) {
  const [secret, setSecret] = useState<string | null>(null)
  const doing = useDoing<{ readonly secret: string }>((made) => setSecret(made.secret))
  if (secret !== null) return <SigningSecret secret={secret} close={close} />
  const submit = (form: FormData) => {
    const hours = String(form.get('overlap_hours')).trim()
    const body = hours === '' ? {} : { overlap_hours: Number(hours) }
    doing.send({ method: 'POST', path: `${own}/secret.json`, body })
  }
  return (
    <Dialog
      title={texts.rotateSecret}
      isOpen
      close={close}
      act={texts.rotateSecret}
      isDangerous
      doing={doing}
      fields={['overlap_hours']}
      submit={submit}
    >
      <p>{words.rotateMore}</p>
      <TextInput
        name="overlap_hours"
        label={words.overlap}
        description={words.overlapHelp}
        defaultValue="24"
        inputMode="numeric"
        error={doing.faultOf('overlap_hours')}
      />
    </Dialog>
  )
}
