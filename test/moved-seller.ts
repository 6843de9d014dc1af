import type { Files } from './moved-base.ts'
import { licenseKeyOf, installKeysOf, movedRows, uidOf } from './moved-rows.ts'

/** Ids of the first customer, and of the first of the installs that share a license with another one. */
const FIRST = 1_000
const SECOND_SITES = 10_000

export interface Size {
  readonly customers: number
  readonly installs: number
  readonly subscriptions: number
}

/** A seller with so many customers, of whom the first have a second site, and the last have bought for once. */
export function movedSeller(size: Size): Files {
  const files = movedRows(size.customers, FIRST)
  const more = (files['installs'] ?? []).slice(0, size.installs - size.customers).map((install, n) => {
    const id = SECOND_SITES + n
    const host = `second-${id}.example.com`
    return { ...install, id, site_id: id, uid: uidOf(id), url: `https://${host}`, host, ...installKeysOf(id) }
  })
  const hasSecond = new Set((files['licenses'] ?? []).slice(0, more.length).map(({ id }) => id))
  const renews = new Set((files['subscriptions'] ?? []).slice(0, size.subscriptions).map(({ id }) => id))
  return {
    ...files,
    licenses: (files['licenses'] ?? []).map((license) => ({
      ...license,
      activated: hasSecond.has(license['id']) ? 2 : 1,
    })),
    sites: [
      ...(files['sites'] ?? []),
      ...more.map(({ id, host }) => ({ id, address: host, created: '2025-01-31 10:00:00' })),
    ],
    installs: [...(files['installs'] ?? []), ...more],
    subscriptions: (files['subscriptions'] ?? []).filter(({ id }) => renews.has(id)),
    payments: (files['payments'] ?? []).map((payment) =>
      renews.has(payment['subscription_id'])
        ? payment
        : { ...payment, subscription_id: null, is_renewal: false },
    ),
  }
}

/** A site of the seller, with the license key that it has stored. */
export const siteOf = (customer: number, isSecond: boolean) => ({
  id: isSecond ? SECOND_SITES + customer : FIRST + customer,
  key: licenseKeyOf(FIRST + customer),
})
