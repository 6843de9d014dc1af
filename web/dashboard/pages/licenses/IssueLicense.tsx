import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { PERIODS, usePrices } from './prices.ts'

interface Issued {
  readonly license: { readonly id: string }
}

interface Issuing {
  readonly isOpen: boolean
  readonly close: () => void
  /** Of the customer that it is for; absent: is asked for. */
  readonly email?: string
}

/** Issues a license of a price by hand, for a customer, for somebody who becomes one, or for nobody yet. */
export function IssueLicense({ isOpen, close, email: known }: Issuing) {
  const { path, wayTo } = usePlace()
  const navigate = useNavigate()
  const prices = usePrices(path, isOpen)
  const doing = useDoing<Issued>(({ license: { id } }) => {
    close()
    void navigate(wayTo('license', id))
  })
  const submit = (form: FormData) => {
    const [plan = '', price = ''] = String(form.get('price')).split('/')
    const email = known ?? String(form.get('email')).trim()
    const name = String(form.get('name') ?? '').trim()
    doing.send({
      method: 'POST',
      path: `${path}/plans/${plan}/pricing/${price}/licenses.json`,
      body: {
        period: Number(form.get('period')),
        ...(email !== '' && { email, send_email: form.has('mail'), ...(name !== '' && { name }) }),
      },
    })
  }
  return (
    <Dialog
      title={texts.issueLicense}
      isOpen={isOpen}
      close={close}
      act={texts.issue}
      doing={doing}
      fields={[...(known === undefined ? ['email', 'name'] : []), 'period']}
      submit={submit}
    >
      {known === undefined ? (
        <>
          <TextInput
            name="email"
            type="email"
            label={texts.email}
            description={texts.issueFor}
            error={doing.faultOf('email')}
            autoComplete="off"
          />
          <TextInput
            name="name"
            label={texts.issueName}
            description={texts.issueNameHelp}
            error={doing.faultOf('name')}
            autoComplete="off"
          />
        </>
      ) : (
        <p>{known}</p>
      )}
      <NativeSelect name="price" label={texts.price} data={prices} />
      <NativeSelect name="period" label={texts.lasts} data={PERIODS} error={doing.faultOf('period')} />
      <Checkbox name="mail" label={texts.mailIt} defaultChecked />
    </Dialog>
  )
}
