import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { User } from '../../../../src/people/users/schema.ts'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'

/** Makes somebody a customer of the product by hand, and opens the page of it. */
export function AddCustomer({ close }: { readonly close: () => void }) {
  const { path, wayTo } = usePlace()
  const navigate = useNavigate()
  const doing = useDoing<User>(({ id }) => {
    close()
    void navigate(wayTo('user', id))
  })
  const submit = (form: FormData) => {
    const [email, name] = ['email', 'name'].map((field) => String(form.get(field)).trim())
    doing.send({ method: 'POST', path: `${path}/users.json`, body: { email, name } })
  }
  return (
    <Dialog
      title={texts.addCustomer}
      isOpen
      close={close}
      act={texts.addCustomer}
      doing={doing}
      fields={['email', 'name', 'first', 'last']}
      submit={submit}
    >
      <p className="muted">{texts.addCustomerMore}</p>
      <TextInput
        name="email"
        type="email"
        label={texts.email}
        error={doing.faultOf('email')}
        autoComplete="off"
      />
      <TextInput
        name="name"
        label={texts.name}
        error={
          doing.faultOf('name') ?? (doing.faultOf('first') === undefined ? undefined : texts.addCustomerName)
        }
        autoComplete="off"
      />
    </Dialog>
  )
}
