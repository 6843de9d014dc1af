import type { Mirror, Row } from './reach-rows.ts'

/** Whose a row is. */
export interface Place {
  developer?: number
  store?: number
  product?: number
  user?: number
  license?: number
  install?: number
}

/** What names the row that a row belongs to, the nearest first. */
const PARENTS: readonly (readonly [column: string, table: string])[] = [
  ['license_id', 'licenses'],
  ['install_id', 'installs'],
  ['subscription_id', 'subscriptions'],
  ['payment_id', 'payments'],
  ['charge_id', 'charges'],
  ['plan_id', 'plans'],
  ['webhook_id', 'webhooks'],
  ['deployment_id', 'deployments'],
  ['coupon_id', 'coupons'],
  ['product_id', 'products'],
  ['user_key_id', 'user_keys'],
  ['user_id', 'users'],
  ['store_id', 'stores'],
  // What a note is about; an id says of which table it is.
  ['entity_id', 'licenses'],
  ['entity_id', 'payments'],
  ['entity_id', 'subscriptions'],
  ['entity_id', 'users'],
]

const OWN_PART: Readonly<Record<string, keyof Place>> = {
  developers: 'developer',
  stores: 'store',
  products: 'product',
  users: 'user',
  licenses: 'license',
  installs: 'install',
}

/** A number in a column; undefined where it has none. */
export const number = (row: Row | undefined, column: string): number | undefined =>
  row?.[column] === null || row?.[column] === undefined ? undefined : Number(row[column])

/** Whose a row is, by what it names. */
// oxlint-disable-next-line eslint/complexity -- one rule a line, in the order of their text
export function placeOf(mirror: Mirror, table: string, row: Row, depth = 0): Place {
  const place: Place = {}
  const part = OWN_PART[table]
  if (part !== undefined && number(row, 'id') !== undefined) place[part] = Number(row['id'])
  for (const [column, name] of [
    ['developer_id', 'developer'],
    ['store_id', 'store'],
    ['product_id', 'product'],
    ['user_id', 'user'],
    ['license_id', 'license'],
    ['install_id', 'install'],
  ] as const) {
    const id = number(row, column)
    if (id !== undefined) place[name] ??= id
  }
  for (const [column, parent] of depth > 3 ? [] : PARENTS) {
    const id = number(row, column)
    const above = id === undefined ? undefined : mirror.row(parent, id)
    if (!above) continue
    const { user, ...rest } = placeOf(mirror, parent, above, depth + 1)
    const { license: _license, install: _install, ...wide } = rest
    Object.assign(place, {
      ...wide,
      ...(column !== 'product_id' && user !== undefined && { user }),
      ...place,
    })
  }
  return place
}
