import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RenewedKeys } from '../../../../src/catalogue/keys/schema.ts'
import type { Webhook } from '../../../../src/events/listeners/schema.ts'
import { fill } from '../../../shared/language.ts'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { exactTime } from '../../format.tsx'
import { Password } from '../../Password.tsx'
import { ShownOnce } from '../../ShownOnce.tsx'
import { words } from './words.ts'
import { usePlace } from '../../place.ts'
import { allOf, productsQuery } from '../../products.ts'

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
      {of === 'product' ? <Listening own={own} /> : <Products of={of} own={own} />}
      <TextInput
        name="overlap_hours"
        label={words.overlap}
        description={words.overlapHelp}
        defaultValue="24"
        inputMode="numeric"
        error={doing.faultOf('overlap_hours')}
      />
      <Password error={doing.faultOf('current_password')} />
    </Dialog>
  )
}

/** How many webhooks sign with it from now on. */
function Listening({ own }: Pick<Replacing, 'own'>) {
  const path = `${own}/webhooks.json`
  const { data } = useQuery({
    queryKey: [path, 'on'],
    queryFn: () => allOf<Webhook>(path, 'webhooks'),
  })
  const on = data?.filter(({ is_active: isOn }) => isOn)
  return on ? <p>{fill(words.hit.product, { count: on.length })}</p> : null
}

/** How many products are asked for with the key of a store or the account. */
function Products({ of, own }: Pick<Replacing, 'of' | 'own'>) {
  const { account } = usePlace()
  const { data } = useQuery(productsQuery(account.developer_id))
  const hit = data?.filter(({ store_id: store }) => of === 'account' || own.endsWith(`/${store}`))
  return hit ? <p>{fill(words.hit.others, { count: hit.length })}</p> : null
}
