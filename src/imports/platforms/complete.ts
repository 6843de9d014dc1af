import { SETTING_NUMBERS } from '../../catalogue/products/settings-schema.ts'
import { portion } from '../../lib/portions.ts'
import type { Value } from '../kinds/column.ts'
import type { RenewedHere } from '../server/methods.ts'
import { methodRow } from '../server/methods.ts'
import { leave, type Draft, type Drafts } from './build.ts'
import type { Pair } from './here.ts'
import { idOf, type Space } from './ids.ts'

type Row = Record<string, Value>

/** The keys of rows, as `keysFor` answers them. */
export type KeysOf = Readonly<
  Record<'products' | 'installs' | 'product_users', (key: readonly number[]) => Pair>
>

interface Completing {
  readonly space: Space
  readonly sites: ReadonlyMap<string, number>
  readonly renewed: RenewedHere
}

/** Adds what is made of the rows that come: places of licenses, refunds, totals, sites, methods of payment. */
export function complete(drafts: Drafts, completing: Completing): void {
  const of = (kind: string) => drafts.rows.get(kind) ?? []
  const add = (kind: string, more: readonly Draft[]) => drafts.rows.set(kind, [...of(kind), ...more])
  countPlaces(of('licenses'), of('installs'))
  orderPlans(of('products'), of('plans'))
  add('settings', of('products').flatMap(settingsOf))
  add('sites', sitesOf(of('installs'), completing))
  add('payments', refundsOf(drafts, completing.space))
  countTotals(of('subscriptions'), of('payments'))
  add(
    'payment_methods',
    of('subscriptions').flatMap((draft) => methodsOf(draft, completing)),
  )
  add('product_users', usersOf(drafts))
}

/** Adds the keys of rows that have some. */
export function addKeys({ rows }: Drafts, keysOf: KeysOf): void {
  for (const { id, row } of rows.get('products') ?? []) Object.assign(row, keysOf.products([id]))
  for (const { id, row } of rows.get('installs') ?? []) Object.assign(row, keysOf.installs([id]))
  for (const { row } of rows.get('product_users') ?? [])
    Object.assign(row, keysOf.product_users([Number(row['user_id']), Number(row['product_id'])]))
}

const made = ({ given }: Draft, row: Row): Draft => ({
  id: Number(row['id'] ?? 0),
  given,
  row,
  beside: {},
  optional: new Set(),
})

function countPlaces(licenses: readonly Draft[], installs: readonly Draft[]): void {
  const counted = Map.groupBy(installs, ({ row }) => row['license_id'])
  for (const { id, row } of licenses) {
    const own = counted.get(id) ?? []
    const local = own.filter((install) => install.row['counted_as'] === 'local').length
    Object.assign(row, { activated: own.length - local, activated_local: local })
  }
}

function orderPlans(products: readonly Draft[], plans: readonly Draft[]): void {
  const order = (draft: Draft) => `${String(draft.row['created'])} ${draft.id}`
  const own = Map.groupBy(plans, ({ row }) => row['product_id'])
  for (const { id, row } of products) {
    const ids = (own.get(id) ?? []).toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).map((plan) => plan.id)
    Object.assign(row, { plans: ids.join(','), default_plan_id: ids[0] ?? null })
  }
}

const settingsOf = (product: Draft): Draft[] =>
  SETTING_NUMBERS.map((setting_type) =>
    made(product, { product_id: product.id, setting_type, created: product.row['created'] ?? null }),
  )

/** The places of installs that are not here yet. */
function sitesOf(installs: readonly Draft[], { space, sites }: Completing): Draft[] {
  const rows = new Map<number, Draft>()
  for (const install of installs) {
    const address = String(install.beside['site'])
    const id = Number(install.row['site_id'])
    const isHere = sites.has(address) && id !== idOf(space, 'sites', address)
    const created = install.row['created'] ?? null
    const before = rows.get(id)
    if (!isHere && (before === undefined || String(created) < String(before.row['created'])))
      rows.set(id, made(install, { id, address, created }))
  }
  return [...rows.values()]
}

/** What was given back of payments, each as one row, with the part of the tax that its share of the total is. */
function refundsOf(drafts: Drafts, space: Space): Draft[] {
  return (drafts.rows.get('payments') ?? []).flatMap((payment) => {
    const { id, given, row, beside } = payment
    const back = Number(beside['refunded_total'] ?? 0)
    const [gross, tax] = [Number(row['gross']), Number(row['tax'])]
    if (back === 0) return []
    if (back < 0 || back > gross + tax) {
      leave(drafts, 'payments', given, ['refunded_total', 'too_large', 'is not within what was paid'])
      return []
    }
    const taxBack = portion(tax, back, gross + tax)
    Object.assign(row, { refunded_gross: back - taxBack, refunded_tax: taxBack })
    const at = beside['refunded_at'] ?? row['created'] ?? null
    return [
      made(payment, {
        ...row,
        id: idOf(space, 'refunds', String(id)),
        type: 'refund',
        gross: taxBack - back,
        tax: 0 - taxBack,
        refunded_gross: 0,
        refunded_tax: 0,
        gateway_fee: 0,
        is_renewal: false,
        bound_payment_id: id,
        created: at,
        processed_at: at,
      }),
    ]
  })
}

/** What subscriptions come to, with tax. */
function countTotals(subscriptions: readonly Draft[], payments: readonly Draft[]): void {
  const own = Map.groupBy(payments, ({ row }) => row['subscription_id'])
  for (const { id, row } of subscriptions) {
    const paid = (own.get(id) ?? []).map(
      (payment) => Number(payment.row['gross']) + Number(payment.row['tax']),
    )
    row['total_gross'] = paid.reduce((sum, amount) => sum + amount, 0)
  }
}

/** The method of payment of a subscription: that of the platform's tables, or that of a file of methods. */
function methodsOf(draft: Draft, { space, renewed }: Completing): Draft[] {
  const { id, row, beside } = draft
  const said = renewed.get(id)
  if (said) {
    const isRow = said.method !== null && row['payment_method_id'] !== undefined
    return isRow ? [made(draft, methodRow(row, said.method) as Row)] : []
  }
  const token = beside['method_token'] ?? null
  if (token === null) return []
  const method = { gateway: beside['method_gateway'] ?? null, kind: beside['method_kind'] ?? null, token }
  const payment_method_id = idOf(space, 'methods', String(id))
  return [made(draft, methodRow({ ...row, payment_method_id }, method) as Row)]
}

/** Persons as the users of the products that they have something of. */
function usersOf({ rows }: Drafts): Draft[] {
  const users = new Map<string, Draft>()
  for (const kind of ['licenses', 'subscriptions', 'payments']) {
    for (const draft of rows.get(kind) ?? []) {
      const { user_id, product_id, created } = draft.row
      if (typeof user_id !== 'number' || typeof product_id !== 'number') continue
      const name = `${user_id} ${product_id}`
      const user =
        users.get(name) ??
        made(draft, { user_id, product_id, gross: 0, is_paying: false, created: created ?? null })
      users.set(name, user)
      if (String(created) < String(user.row['created'])) user.row['created'] = created ?? null
      if (draft.row['environment'] !== 1) count(user.row, kind, draft.row)
    }
  }
  return [...users.values()]
}

/** What a user has paid, and whether it pays again. */
function count(user: Row, kind: string, row: Row): void {
  if (kind === 'payments') user['gross'] = Number(user['gross']) + Number(row['gross'])
  if (kind === 'subscriptions' && (row['canceled_at'] ?? null) === null) user['is_paying'] = true
}
