import { TextInput } from '@mantine/core'
import type { Developer } from '../../../../src/accounts/developers/schema.ts'
import { fill } from '../../../shared/language.ts'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { Password } from '../../Password.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'

export interface OfPerson {
  readonly person: Developer
  /** Closes the form, with what was done. */
  readonly done: (said: string) => void
  readonly close: () => void
}

export function ChangeName({ person, done, close }: OfPerson) {
  const { accountPath } = usePlace()
  const doing = useDoing(() => done(texts.saved))
  const submit = (form: FormData) => {
    const [first, last] = [form.get('first'), form.get('last')].map((text) => String(text).trim())
    doing.send({ method: 'PUT', path: `${accountPath}/person.json`, body: { first, last } })
  }
  return (
    <Dialog
      title={texts.changeName}
      isOpen
      close={close}
      act={texts.save}
      doing={doing}
      fields={['first', 'last']}
      submit={submit}
    >
      <TextInput
        name="first"
        label={texts.firstName}
        defaultValue={person.first}
        error={doing.faultOf('first')}
        autoComplete="given-name"
      />
      <TextInput
        name="last"
        label={texts.lastName}
        defaultValue={person.last}
        error={doing.faultOf('last')}
        autoComplete="family-name"
      />
    </Dialog>
  )
}

/** Another address is one's own once the link that is mailed there was followed. */
export function ChangeEmail({ person, done, close }: OfPerson) {
  const { accountPath } = usePlace()
  const doing = useDoing(() => done(texts.emailAsked))
  const submit = (form: FormData) =>
    doing.send({
      method: 'PUT',
      path: `${accountPath}/person.json`,
      body: { email: String(form.get('email')).trim(), current_password: form.get('current_password') },
    })
  return (
    <Dialog
      title={texts.changeEmail}
      isOpen
      close={close}
      act={texts.sendConfirmation}
      doing={doing}
      fields={['email', 'current_password']}
      submit={submit}
    >
      <TextInput
        name="email"
        type="email"
        label={texts.newEmail}
        description={fill(texts.newEmailHelp, { email: person.email })}
        error={doing.faultOf('email')}
        autoComplete="email"
      />
      <Password error={doing.faultOf('current_password')} />
    </Dialog>
  )
}

export function ChangePassword({ done, close }: OfPerson) {
  const { accountPath } = usePlace()
  const doing = useDoing(() => done(texts.passwordChanged))
  const submit = (form: FormData) =>
    doing.send({
      method: 'PUT',
      path: `${accountPath}/password.json`,
      body: { current_password: form.get('current_password'), new_password: form.get('new_password') },
    })
  return (
    <Dialog
      title={texts.changePassword}
      isOpen
      close={close}
      act={texts.changePassword}
      doing={doing}
      fields={['current_password', 'new_password']}
      submit={submit}
    >
      <Password error={doing.faultOf('current_password')} />
      <Password
        name="new_password"
        label={texts.newPassword}
        description={texts.newPasswordHelp}
        autoComplete="new-password"
        error={doing.faultOf('new_password')}
      />
    </Dialog>
  )
}
