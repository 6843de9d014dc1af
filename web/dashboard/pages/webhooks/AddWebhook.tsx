import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { NewWebhook } from '../../../../src/events/listeners/schema.ts'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { usePlace } from '../../place.ts'
import { ShownOnce } from '../../ShownOnce.tsx'
import { texts } from '../../texts/texts.ts'
import { Types } from './Types.tsx'

const typesIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

/** Adds a listener, and shows its secret the one time it is to be seen. */
export function AddWebhook({ close }: { readonly close: () => void }) {
  const { path } = usePlace()
  const [secret, setSecret] = useState<string | null>(null)
  const [types, setTypes] = useState('')
  const doing = useDoing<NewWebhook>((made) => setSecret(made.secret))
  if (secret !== null) return <SigningSecret secret={secret} close={close} />
  const submit = (form: FormData) =>
    doing.send({
      method: 'POST',
      path: `${path}/webhooks.json`,
      body: {
        url: String(form.get('url')).trim(),
        types: typesIn(types).join(','),
      },
    })
  return (
    <Dialog
      title={texts.addWebhook}
      isOpen
      close={close}
      act={texts.addWebhook}
      doing={doing}
      fields={['url', 'types']}
      submit={submit}
    >
      <TextInput
        name="url"
        type="url"
        label={texts.address}
        description={texts.addressHelp}
        error={doing.faultOf('url')}
      />
      <Textarea
        name="types"
        label={texts.types}
        description={texts.typesHelp}
        error={doing.faultOf('types')}
        rows={3}
        value={types}
        onChange={({ target }) => setTypes(target.value)}
      />
      <Types chosen={typesIn(types)} choose={(chosen) => setTypes(chosen.join(', '))} />
    </Dialog>
  )
}

/** The secret of a listener, which is shown now and never again. */
export const SigningSecret = (of: { readonly secret: string; readonly close: () => void }) => (
  <ShownOnce title={texts.signingSecret} more={texts.signingSecretMore} {...of} />
)
