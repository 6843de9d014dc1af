import type { Cart } from '../../../../src/sales/carts/schema.ts'
import { decimalText, State, Time, type Tone } from '../../format.tsx'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../lists/Rows.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'

type Listed = Cart & { readonly price?: number | null }

const STATES: Readonly<Record<string, readonly [word: string, tone: Tone]>> = {
  completed: [texts.bought, 'good'],
  recovered: [texts.wonBack, 'good'],
  abandoned: [texts.leftBehind, 'warning'],
}

/** What became of a cart; one that mails go to was left behind. */
export function CartState({ status, completed }: Pick<Cart, 'status' | 'completed'>) {
  const isLeft = /^(email|abandoned)/.test(status)
  const known = completed === null ? undefined : (STATES[status] ?? [texts.bought, 'good'])
  const [word, tone] =
    known ?? STATES[status] ?? (isLeft ? [texts.leftBehind, 'warning'] : [texts.openCart, 'plain'])
  return <State word={word} tone={tone as Tone} />
}

const COLUMNS: readonly Column<Listed>[] = [
  { label: texts.customer, show: ({ email }) => email || texts.nobody },
  { label: texts.state, show: CartState },
  { label: texts.lastSeen, show: ({ visited }) => <Time time={visited} /> },
  { label: texts.price, show: ({ price }) => (price ? decimalText(price) : texts.none), isNumber: true },
]

const FILTERS = [
  ['active', texts.openCart],
  ['abandoned', texts.leftBehind],
  ['recovery', texts.beingMailed],
  ['recovered', texts.wonBack],
  ['completed', texts.bought],
] as const

export function Carts() {
  const { account, path, product, environment } = usePlace()
  return (
    <List<Listed>
      title={texts.carts}
      about={texts.cartsAbout}
      path={`${path}/carts.json`}
      items="carts"
      query={{ enriched: true, environment }}
      filters={FILTERS}
      columns={COLUMNS}
      wayTo={({ id }) => ({
        to: '/$account/$product/carts/$cart',
        params: { account: account.developer_id, product, cart: id },
      })}
      empty={[texts.noCarts, texts.noCartsMore]}
    />
  )
}
