import { useState } from 'react'
import type { ShownKeys } from '../../../../src/catalogue/keys/schema.ts'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { Password } from '../../Password.tsx'
import { ShownOnce } from '../../ShownOnce.tsx'
import { words } from './words.ts'

/** Asks the password again, then shows the secret key until it is closed. */
export function ShowKey({ own, close }: { readonly own: string; readonly close: () => void }) {
  const [secret, setSecret] = useState<string | null>(null)
  const doing = useDoing<ShownKeys>((found) => setSecret(found.secret_key))
  if (secret !== null)
    return <ShownOnce title={words.secretKey} more={words.shown} secret={secret} close={close} />
  const submit = (form: FormData) =>
    doing.send({
      method: 'POST',
      path: `${own}/keys/show.json`,
      body: { current_password: form.get('current_password') },
    })
  return (
    <Dialog
      title={words.showKey}
      isOpen
      close={close}
      act={words.showKey}
      doing={doing}
      fields={['current_password']}
      submit={submit}
    >
      <p>{words.showKeyMore}</p>
      <Password error={doing.faultOf('current_password')} data-autofocus />
    </Dialog>
  )
}
