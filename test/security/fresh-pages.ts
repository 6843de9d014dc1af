import { randomBytes } from 'node:crypto'
import type { TxContext } from '../../src/context.ts'
import type { Scope } from '../../src/access/scope.ts'
import { listPlans } from '../../src/catalogue/plans/queries.ts'
import { writePlanOrder } from '../../src/catalogue/products/catalogue.ts'
import { createStore } from '../../src/catalogue/stores/service.ts'
import { hashToken } from '../../src/lib/credentials.ts'
import { DAY, toUtcTime } from '../../src/lib/time.ts'
import { paidLink } from '../../src/sales/checkouts/paid-links.ts'
import { openSandboxCheckout } from '../checkouts.ts'
import { createImport, createWholes, endWaiting } from '../wholes.ts'
import { licenseUser, newLicense, offerIn } from './licensed.ts'
import type { Ids } from './world.ts'

interface Place {
  readonly tx: TxContext
  readonly scope: Scope
  readonly userId: number
  readonly own: Ids
}

/** A product whose support nobody has written to yet, and its public key. */
async function contacted({ tx, scope }: Place): Promise<Ids> {
  await tx.db.deleteFrom('mail_counts').where('name', 'like', 'contact:%').execute()
  const { public_key } = await tx.db
    .updateTable('products')
    .set({ support_email: 'support@shop.example' })
    .where('id', '=', scope.productId)
    .returning('public_key')
    .executeTakeFirstOrThrow()
  return { public_key }
}

/** A checkout that has sold a license. */
async function paid({ tx, scope, userId, own }: Place) {
  const offer = offerIn(own)
  const { license_id: licenseId } = await newLicense(tx, scope, { ...offer, userId })
  const token = await openSandboxCheckout(tx, scope, { ...offer, email: 'sold-again@example.com' })
  const row = await tx.db
    .updateTable('checkouts')
    .set({ license_id: Number(licenseId), user_id: userId, state: 'paid', made_user: true })
    .where('token_hash', '=', hashToken(token))
    .returning('id')
    .executeTakeFirstOrThrow()
  return { token, row }
}

/** What mails the key of a license again that a checkout has sold. */
async function sold(place: Place): Promise<Ids> {
  const { row } = await paid(place)
  return { resend_token: tokenIn(paidLink(place.tx, 'resend', row)) }
}

/** What shows the invoice of a payment that a checkout was paid by. */
async function receipted(place: Place): Promise<Ids> {
  const { row } = await paid(place)
  await place.tx.db
    .updateTable('checkouts')
    .set({ payment_id: Number(place.own['payment_id']) })
    .where('id', '=', row.id)
    .execute()
  return { receipt_token: tokenIn(paidLink(place.tx, 'receipt', row)) }
}

const tokenIn = (address: string): string => new URL(address).searchParams.get('token') ?? ''

/** A checkout that a site was opened from which has no keys. */
async function fromNewSite(place: Place): Promise<Ids> {
  const { token } = await paid(place)
  return { checkout_token: token, uid: randomBytes(16).toString('hex') }
}

/** A license of its own, on an install of its own. */
const licensed = ({ tx, scope, userId, own }: Place): Promise<Ids> =>
  licenseUser(tx, scope, offerIn(own), userId)

/** The same, and no address that was mailed as often as it may be. */
async function mailedNone(place: Place): Promise<Ids> {
  await place.tx.db.deleteFrom('mail_counts').execute()
  return licensed(place)
}

/** A subscription that was cancelled a moment ago, of a license that ends. */
async function cancelled(place: Place): Promise<Ids> {
  const ids = await licensed(place)
  const now = place.tx.clock.now()
  const until = toUtcTime(place.tx.clock.real() + 20 * DAY)
  await place.tx.db
    .updateTable('licenses')
    .set({ expiration: until })
    .where('id', '=', Number(ids['license_id']))
    .execute()
  await place.tx.db
    .updateTable('subscriptions')
    .set({
      payment_method_id: Number(ids['card_id']),
      next_payment: null,
      canceled_at: now,
      resumes_at: until,
    })
    .where('id', '=', Number(ids['subscription_id']))
    .execute()
  return ids
}

/** Nothing that waits, so that more may be asked for. */
async function nothingWaits({ tx }: Place): Promise<Ids> {
  await endWaiting(tx)
  return {}
}

/** A bulk action that is over. */
async function overBulk({ tx, scope }: Place): Promise<Ids> {
  const { bulk_id } = await createWholes(tx, scope)
  return { bulk_id }
}

/** An import that waits to be started, or that is over. */
const importThatIs =
  (state: 'checked' | 'finished') =>
  async ({ tx, scope }: Place): Promise<Ids> => ({ import_id: String(await createImport(tx, scope, state)) })

/** The plans of the product, which stand in the order in which they were made, in another one. */
async function reordered({ tx, scope }: Place): Promise<Ids> {
  const plans = await listPlans(tx.db, scope, {})
  const ids = plans.map(({ id }) => id).toSorted((one, other) => one - other)
  await writePlanOrder(tx.db, scope, ids)
  return { plan_ids: [...ids.slice(1), ...ids.slice(0, 1)].join(',') }
}

/** A store in which nothing was sold. */
async function emptyStore({ tx, scope }: Place): Promise<Ids> {
  return { store_id: String(await createStore(tx, { developerId: scope.developerId, title: 'Empty' })) }
}

/** What calls of pages need that calls before them would have used up. */
export const FRESH_FOR_PAGES = {
  'keywright/delete-store': emptyStore,
  'keywright/order-plans': reordered,
  'keywright/create-export': nothingWaits,
  'keywright/create-bulk': nothingWaits,
  'keywright/create-import': nothingWaits,
  'keywright/start-import': importThatIs('checked'),
  'keywright/cancel-import': importThatIs('checked'),
  'keywright/undo-import': importThatIs('finished'),
  'keywright/retry-bulk': overBulk,
  'keywright/contact-support': contacted,
  'keywright/resend-key-of-checkout': sold,
  'keywright/download-receipt-of-checkout': receipted,
  'keywright/connect-site-of-checkout': fromNewSite,
  'keywright/rotate-license-key': licensed,
  'keywright/mail-invoice': mailedNone,
  'keywright/change-license-plan': licensed,
  'keywright/resume-subscription': cancelled,
}
