import { Button, Group, TextInput } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Total } from '../../../../src/lists/totals/schema.ts'
import type { User } from '../../../../src/people/users/schema.ts'
import { fill } from '../../../shared/language.ts'
import { useArchive } from '../../../ui/archive.ts'
import { Dialog, Refusal, Said, useDoing } from '../../../ui/doing.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { ask } from '../../../ui/server.ts'
import { numberText } from '../../format.tsx'
import { useBarred } from '../../may-write.ts'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { texts } from '../../texts/texts.ts'

interface OfPerson {
  readonly user: User
  /** What the calls about the customer begin with. */
  readonly own: string
}

/** What is stored of a customer over all products, as a file, and its end: for who may do everything. */
export function PersonData({ user, own }: OfPerson) {
  const { account } = usePlace()
  const archive = useArchive(own)
  const [isErasing, setErasing] = useState(false)
  const isBarred = account.role !== 'admin'
  const told = archive.isBusy ? texts.downloadingPerson : archive.isDone ? texts.downloadedPerson : ''
  const live = useBarred('customers')
  const why = isBarred ? fill(texts.mayNotDo, { role: account.role }) : live
  const barred = isBarred ? { disabled: true, title: why ?? '' } : {}
  return (
    <section className="panel facts note-part">
      <h2>{texts.personData}</h2>
      <p className="muted">{why ?? texts.personDataMore}</p>
      <Refusal problem={archive.problem} />
      <Said text={told && fill(told, { count: String(archive.count) })} />
      <Group gap="xs">
        <Button
          {...barred}
          variant="default"
          size="compact-sm"
          loading={archive.isBusy}
          onClick={archive.read}
        >
          {texts.downloadPerson}
        </Button>
        <Button
          {...(why !== null && { disabled: true, title: why })}
          variant="default"
          size="compact-sm"
          onClick={() => setErasing(true)}
        >
          {texts.erasePerson}
        </Button>
      </Group>
      {isErasing ? <Erase user={user} own={own} close={() => setErasing(false)} /> : null}
    </section>
  )
}

const HIT = ['licenses', 'subscriptions', 'payments'] as const

/** How much there is of a customer in the product, and in how many others; undefined: that is asked for. */
function useHit({ id }: User): string | undefined {
  const { account, path, product } = usePlace()
  const products = useQuery(productsQuery(account.developer_id))
  const list = `${path}/list_total.json`
  const filter = JSON.stringify({ user_id: Number(id) })
  const totals = useQueries({
    queries: HIT.map((kind) => ({
      queryKey: [list, kind, filter],
      queryFn: () => ask<Total>(list, { kind, filter }),
    })),
  })
  if (products.isPending || totals.some(({ isPending }) => isPending)) return undefined
  const [licenses, subscriptions, payments] = totals.map(({ data }) =>
    data ? `${numberText(data.total)}${data.is_more ? '+' : ''}` : texts.unknown,
  )
  const others = products.data?.filter((one) => one.id !== product).length ?? 0
  const here = fill(texts.erasePersonHit, {
    licenses: licenses ?? '',
    subscriptions: subscriptions ?? '',
    payments: payments ?? '',
  })
  return others === 0 ? here : `${here} ${fill(texts.erasePersonOthers, { count: numberText(others) })}`
}

/** Says what goes and what stays, has the address typed, and leads to the list. */
function Erase({ user, own, close }: OfPerson & { readonly close: () => void }) {
  const hit = useHit(user)
  const navigate = useNavigate()
  const { account, product } = usePlace()
  const params = { account: account.developer_id, product }
  const doing = useDoing(() => void navigate({ to: '/$account/$product/customers', params }))
  return (
    <Dialog
      title={texts.erasePerson}
      isOpen
      close={close}
      act={texts.erasePerson}
      keep={texts.keepPerson}
      isDangerous
      isBarred={hit === undefined}
      doing={doing}
      fields={['email']}
      submit={(form) =>
        doing.send({
          method: 'POST',
          path: `${own}/erasure.json`,
          body: { email: String(form.get('email')).trim() },
        })
      }
    >
      <p>{texts.erasePersonMore}</p>
      {hit === undefined ? <Loading lines={1} /> : <p>{hit}</p>}
      <p>{texts.erasePersonGoes}</p>
      <p>{texts.erasePersonStays}</p>
      <TextInput
        name="email"
        type="email"
        autoComplete="off"
        label={fill(texts.erasePersonType, { email: user.email })}
        error={doing.faultOf('email')}
      />
    </Dialog>
  )
}
