import { sql, type Insertable, type Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { prepared, preparedFor, preparedRow } from '../../db/prepared.ts'
import { begunAhead, isFree } from '../../db/free-charges.ts'
import { notLeftAlone } from '../../db/failed-rows.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { CheckoutGuardsTable, CheckoutsTable } from '../../db/tables/checkouts.ts'
import { goOn, type Soon } from '../../lib/soon.ts'
import { toUtcTime, type UtcTime } from '../../lib/time.ts'

const OPEN = 'named by its token, which proves the right to it'

/** Checkouts, each with whose product it is of. */
const owned = (db: Reader, why: string) =>
  unscoped(db, why)
    .selectFrom('checkouts')
    .innerJoin('products', 'products.id', 'checkouts.product_id')
    .selectAll('checkouts')
    .select('products.developer_id')

const byToken = prepared((db: Reader, { tokenHash, now }: { tokenHash: string; now: UtcTime }) =>
  owned(db, OPEN)
    .where('checkouts.token_hash', '=', tokenHash)
    .where((or) => or.or([or('checkouts.expires_at', '>', now), or('checkouts.state', '=', 'paying')])),
)

/** A checkout that has not expired, or is being paid, with whose product it is of. */
export async function findCheckout(db: Reader, tokenHash: string, now: UtcTime) {
  const [found] = await byToken(db, { tokenHash, now })
  return found
}

/** The product of one; null when there is none, or it has expired. */
export const findProductOfCheckout = (db: Reader, tokenHash: string, now: UtcTime): Soon<number | null> =>
  goOn(byToken(db, { tokenHash, now }), ([found]) => found?.product_id ?? null)

export const findCheckoutOfCharge = (db: Reader, chargeId: number) =>
  owned(db, 'a charge names its checkout, whoever settles it')
    .where('checkouts.charge_id', '=', chargeId)
    .executeTakeFirst()

/** A checkout, however old, with whose product it is of. */
export async function findOwnedCheckout(db: Reader, id: number) {
  const [found] = await ownedById(db, { id })
  return found
}
const ownedById = prepared((db: Reader, { id }: { id: number }) =>
  owned(db, OPEN).where('checkouts.id', '=', id),
)
export type OwnedCheckout = NonNullable<Awaited<ReturnType<typeof findCheckout>>>

export async function insertCheckout(db: Writer, row: Insertable<CheckoutsTable>) {
  const [inserted] = await inserting(db, row, {})
  if (!inserted) throw new Error('An insert answers its row.')
  return inserted
}
const inserting = preparedRow((db, row: Insertable<CheckoutsTable>) =>
  db.insertInto('checkouts').values(row).returningAll(),
)

/** Changes a checkout in which nobody pays; undefined when somebody does or did. */
export async function updateOpenCheckout(db: Writer, id: number, change: Updateable<CheckoutsTable>) {
  const [changed] = await updatingOpen(db, change, { id })
  return changed
}
const updatingOpen = preparedRow((db, change: Updateable<CheckoutsTable>, { id }: { id: number }) =>
  unscoped(db, OPEN)
    .updateTable('checkouts')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returningAll(),
)

export const findCheckoutRow = (db: Reader, id: number) =>
  unscoped(db, OPEN).selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirst()

/** Notes what a checkout led to. */
export const noteBought = (
  db: Writer,
  id: number,
  bought: Pick<
    Updateable<CheckoutsTable>,
    'user_id' | 'made_user' | 'license_id' | 'payment_id' | 'subscription_id' | 'trial_id' | 'is_hidden'
  >,
) => noting(db, bought, { id })
const noting = preparedRow((db, change: Updateable<CheckoutsTable>, { id }: { id: number }) =>
  unscoped(db, OPEN).updateTable('checkouts').set(change).where('id', '=', id).returningAll(),
)

/** Begins to pay: of any number at once one does, undefined for all others, and once it has expired. */
export async function beginPaying(db: Writer, id: number, updated: UtcTime) {
  const [begun] = await beginning(db, { id, updated })
  return begun
}
const beginning = prepared((db: Writer, { id, updated }: { id: number; updated: UtcTime }) =>
  unscoped(db, OPEN)
    .updateTable('checkouts')
    .set({ state: 'paying', attempt: sql<number>`attempt + 1`, charge_id: null, updated })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('expires_at', '>', updated)
    .returningAll(),
)

/**
 * Begins with a charge that was declined and then paid after all, however old the checkout is; undefined when somebody
 * pays or has paid.
 */
export const payAfterAll = (db: Writer, id: number, chargeId: number, updated: UtcTime) =>
  unscoped(db, OPEN)
    .updateTable('checkouts')
    .set({ state: 'paying', charge_id: chargeId, updated })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returningAll()
    .executeTakeFirst()

/** Ends what `beginPaying` began: once; undefined when it was ended before, or somebody began anew. */
export async function endPaying(
  db: Writer,
  { id, attempt }: { readonly id: number; readonly attempt: number },
  change: Updateable<CheckoutsTable>,
) {
  const [ended] = await ending(db, change, { id, attempt })
  return ended
}
const ending = preparedRow(
  (db, change: Updateable<CheckoutsTable>, { id, attempt }: { id: number; attempt: number }) =>
    unscoped(db, OPEN)
      .updateTable('checkouts')
      .set(change)
      .where('id', '=', id)
      .where('state', '=', 'paying')
      .where('attempt', '=', attempt)
      .returningAll(),
)

/** Notes what it came to when it was begun to pay, the charge, if it is one, and what its buyer agreed to. */
export const noteBegun = (
  db: Writer,
  id: number,
  begun: Pick<
    Updateable<CheckoutsTable>,
    'charge_id' | 'kept' | 'waiver' | 'waived_at' | 'is_marketing_allowed'
  >,
) => noting(db, begun, { id })

/** Holds a checkout that is being paid until the transaction ends; false when that has ended. */
export const holdPaying = async (
  db: Writer,
  checkout: { readonly id: number; readonly attempt: number },
  updated: UtcTime,
): Promise<boolean> => (await endPaying(db, checkout, { updated })) !== undefined

type Guarded = Pick<CheckoutGuardsTable, 'name' | 'email_folded' | 'checkout_id'>

/** The checkout that an address pays under a name while another one is to be, and whose product it is of. */
export const findPayingElsewhere = (db: Reader, { name, email_folded, checkout_id }: Guarded) =>
  owned(db, OPEN)
    .innerJoin('checkout_guards', 'checkout_guards.checkout_id', 'checkouts.id')
    .where('checkout_guards.name', '=', name)
    .where('checkout_guards.email_folded', '=', email_folded)
    .where('checkout_guards.checkout_id', '<>', checkout_id)
    .where('checkouts.state', '=', 'paying')
    .executeTakeFirst()

const offers = (db: Reader, owner: Owner) =>
  scoped(db, 'pricing', owner)
    .select()
    .innerJoin('plans', 'plans.id', 'pricing.plan_id')
    .selectAll('pricing')
    .select(['plans.name as plan_name', 'plans.title as plan_title', 'plans.is_hidden as is_plan_hidden'])

/** The prices of a product with their plans, the hidden ones too, in the order in which they were made. */
export const offersOf = (db: Reader, owner: Owner) => allOffers(db, owner, {})
const allOffers = preparedFor((db, owner) => offers(db, owner).orderBy('pricing.id'))

/** One of them. */
export async function findOffer(db: Reader, owner: Owner, pricingId: number) {
  const [found] = await offerById(db, owner, { id: pricingId })
  return found
}

const offerById = preparedFor((db, owner, { id }: { id: number }) =>
  offers(db, owner).where('pricing.id', '=', id),
)

export type OfferRow = Awaited<ReturnType<typeof offersOf>>[number]

/** What a checkout needs of a product before anybody has proven anything. */
export async function findSoldProduct(db: Reader, id: number) {
  const [found] = await soldProduct(db, { id })
  return found
}
const soldProduct = prepared((db: Reader, { id }: { id: number }) =>
  unscoped(db, 'whoever knows a product may buy it')
    .selectFrom('products')
    .select(['id', 'developer_id', 'public_key', 'secret_key', 'redirect_hosts', 'is_active'])
    .select(['accepts_client_sandbox_tokens', 'parent_plugin_id', 'checkout_redirect_url'])
    .where('id', '=', id),
)
export type SoldProduct = NonNullable<Awaited<ReturnType<typeof findSoldProduct>>>

/** Charges of checkouts that are not decided, that nobody has in hand, and that began before a time. */
export const openPurchases = (
  db: Reader,
  { now, before, limit }: { readonly now: number; readonly before: number; readonly limit: number },
) =>
  unscoped(db, 'the job that ends what was begun, for every seller')
    .selectFrom('charges')
    .innerJoin('products', 'products.id', 'charges.product_id')
    .select(['charges.id', 'charges.created', 'charges.external_id'])
    .select(['charges.product_id', 'products.developer_id'])
    .where(sql<boolean>`purpose in ('purchase', 'balance', 'setup') and state in ('started', 'pending')`)
    .where(isFree(now))
    .where((is) => is.or([is('charges.created', '<=', toUtcTime(before)), begunAhead(now)]))
    .orderBy('charges.lease_until')
    .orderBy('charges.id')
    .limit(limit)
    .execute()
export type OpenPurchase = Awaited<ReturnType<typeof openPurchases>>[number]

/** Checkouts that nothing is charged for, in which somebody began to pay before a time and did not end it. */
export const leftCheckouts = (
  db: Reader,
  { now, before, limit }: { readonly now: number; readonly before: number; readonly limit: number },
) =>
  unscoped(db, 'the job that ends what was begun, for every seller')
    .selectFrom('checkouts')
    .innerJoin('products', 'products.id', 'checkouts.product_id')
    .selectAll('checkouts')
    .select('products.developer_id')
    .where(sql<boolean>`checkouts.state = 'paying' and checkouts.charge_id is null`)
    .where('checkouts.kept', 'is not', null)
    .where('checkouts.updated', '<=', toUtcTime(before))
    .where(notLeftAlone('settle-purchases', now))
    .orderBy('checkouts.updated')
    .orderBy('checkouts.id')
    .limit(limit)
    .execute()

/** Hours that a license of the product lives longer than what is paid. */
export async function renewalGrace(db: Reader, owner: Owner): Promise<number> {
  const product = scoped(db, 'products', owner).select().select('products.renewal_grace_hours')
  return (await product.executeTakeFirstOrThrow()).renewal_grace_hours
}
