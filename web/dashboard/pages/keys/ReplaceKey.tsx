import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { RenewedKeys } from '../../../../src/catalogue/keys/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Dialog, useDoing } from '../../../ui/doing.tsx'
import { exactTime } from '../../format.tsx'
import { OWN_PASSWORD } from '../profile/PersonForms.tsx'
import { ShownOnce } from '../../ShownOnce.tsx'
import { words } from './words.ts'

interface Replacing {
  readonly of: keyof typeof words.of
  readonly own: string
  readonly close: () => void
}

/** Says what is signed with the secret key, gives another one in its place by the password, and shows that once. */
export function ReplaceKey({ of, own, close }: Replacing) {
  const [made, setMade] = useState<RenewedKeys | null>(null)
  const doing = useDoing<RenewedKeys>(setMade)
  if (made !== null) {
    const { former_until: until, secret_key: secret } = made
    const ends = until === null ? words.ended : fill(words.until, { time: exactTime(until) })
    return (
      <ShownOnce
        title={words.replaced}
        more={`${words.replacedMore} ${ends}`}
        secret={secret}
        close={close}
      />
    )
  }
  const submit = (form: FormData) => {
    const hours = String(form.get('overlap_hours')).trim()
    doing.send({
      method: 'POST',
      path: `${own}/keys.json`,
      body: {
        current_password: form.get('current_password'),
        ...(hours !== '' && { overlap_hours: Number(hours) }),
      },
    })
  }
  return (
    <Dialog
      title={words.replace}
      isOpen
      close={close}
      act={words.replace}
      isDangerous
      doing={doing}
      fields={['overlap_hours', 'current_password']}
      submit={submit}
    >
      <p>{words.of[of].what}</p>
      <TextInput
        name="overlap_hours"
        label={words.overlap}
        description={words.overlapHelp}
        defaultValue="24"
        inputMode="numeric"
        error={doing.faultOf('overlap_hours')}
      />
      <PasswordInput {...OWN_PASSWORD} error={doing.faultOf('current_password')} />
    </Dialog>
  )
}
