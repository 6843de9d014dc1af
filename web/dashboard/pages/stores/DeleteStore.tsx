import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Store } from '../../../../src/catalogue/stores/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Allowed } from '../../Allowed.tsx'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { texts } from '../../texts/texts.ts'
import { SENDER_KINDS, sendersQuery } from './senders.ts'

interface Deleting {
  readonly store: Pick<Store, 'id' | 'title'>
  readonly own: string
}

/** Deletes a store that nothing is sold in, after it was said what goes with it. */
export function DeleteStore({ store, own }: Deleting) {
  const { account } = usePlace()
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const leave = () =>
    void navigate({ to: '/$account/stores', params: { account: account.developer_id }, replace: true })
  return (
    <>
      <Allowed group="catalogue">
        {(barred) => (
          <Button {...barred} variant="default" onClick={() => setAsked(true)}>
            {texts.deleteStore}
          </Button>
        )}
      </Allowed>
      {isAsked ? <Asked store={store} own={own} close={() => setAsked(false)} done={leave} /> : null}
    </>
  )
}

interface Asking extends Deleting {
  readonly close: () => void
  readonly done: () => void
}

function Asked({ store: { id, title }, own, close, done }: Asking) {
  const { account } = usePlace()
  const products = useQuery(productsQuery(account.developer_id))
  const told = useQuery(sendersQuery(own))
  const senders = told.data && SENDER_KINDS.filter((kind) => told.data[kind]).length
  const count = products.data?.filter(({ store_id: of }) => of === id).length
  const isKnown = senders !== undefined && count !== undefined
  return (
    <Confirm
      title={texts.deleteStore}
      text={isKnown ? fill(texts.deleteStoreMore, { store: title, senders, products: count }) : undefined}
      asked={[products, told]}
      typed={senders !== undefined && senders > 1 ? title : undefined}
      keep={texts.keepStore}
      sent={{ method: 'DELETE', path: `${own}.json` }}
      close={close}
      done={done}
    />
  )
}
