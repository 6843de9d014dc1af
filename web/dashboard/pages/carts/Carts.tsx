import type { Cart, ListedCart } from '../../../../src/sales/carts/schema.ts'
import { amountText, State, Time, type Tone } from '../../format.tsx'
import { checkoutOf } from '../../curl.ts'
import { ToCheckout } from '../../lists/starts.tsx'
import { BY_AGE } from '../../lists/by-age.ts'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'

const LEFT = [texts.leftBehind, 'warning'] as const
const OPEN = [texts.openCart, 'plain'] as const

const STATES: Readonly<Record<Cart['status'], readonly [word: string, tone: Tone]>> = {
  pricing_visit: OPEN,
  visit: OPEN,
  abandoned: LEFT,
  email_1_sent: LEFT,
  email_2_sent: LEFT,
  email_3_sent: LEFT,
  completed: [texts.bought, 'good'],
  recovered: [texts.wonBack, 'good'],
}

/** What brings a row. */
const NEWS = ['cart.created']

/** What became of a cart; one that mails go to was left behind. */
export function CartState({ status }: Pick<Cart, 'status'>) {
  const [word, tone] = STATES[status]
  return <State word={word} tone={tone} />
}

/** What is in it, in its currency; a dash where nothing was chosen yet. */
const priceText = ({ price, currency }: ListedCart) =>
  price && currency ? amountText(price, currency) : texts.none

const COLUMNS: readonly Column<ListedCart>[] = [
  { label: texts.customer, show: ({ email }) => email || texts.nobody },
  { label: texts.state, show: CartState },
  { label: texts.lastSeen, show: ({ visited }) => <Time time={visited} /> },
  { label: texts.price, show: priceText, isNumber: true },
]

const FILTERS = [
  ['active', texts.openCart],
  ['abandoned', texts.leftBehind],
  ['recovery', texts.beingMailed],
  ['recovered', texts.wonBack],
  ['completed', texts.bought],
] as const

export function Carts() {
  const { path, product, environment, wayTo } = usePlace()
  return (
    <List<ListedCart>
      title={texts.carts}
      about={texts.cartsAbout}
      path={`${path}/carts.json`}
      items="carts"
      query={{ enriched: true, environment }}
      filters={FILTERS}
      hasSpan
      sorts={BY_AGE}
      columns={COLUMNS}
      wayTo={({ id }) => wayTo('cart', id)}
      news={NEWS}
      making={checkoutOf(product)}
      create={<ToCheckout />}
      empty={[texts.noCarts, texts.noCartsMore]}
    />
  )
}
