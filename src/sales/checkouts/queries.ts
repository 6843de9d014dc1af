import { sql, type Insertable, type Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { prepared, preparedFor } from '../../db/prepared.ts'
import { begunAhead, isFree } from '../../db/free-charges.ts'
import { notLeftAlone } from '../../db/failed-rows.ts'
import { columnHasCome, dueWithin } from '../../db/has-come.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { CheckoutGuardsTable, CheckoutsTable } from '../../db/tables/checkouts.ts'
import { goOn, type Soon } from '../../lib/soon.ts'
import { DAY, toUtcTime, type UtcTime } from '../../lib/time.ts'

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
export const findOwnedCheckout = (db: Reader, id: number) =>
  owned(db, OPEN).where('checkouts.id', '=', id).executeTakeFirst()
export type OwnedCheckout = NonNullable<Awaited<ReturnType<typeof findCheckout>>>

export const insertCheckout = (db: Writer, row: Insertable<CheckoutsTable>) =>
  db.insertInto('checkouts').values(row).returningAll().executeTakeFirstOrThrow()

/** Changes a checkout in which nobody pays; undefined when somebody does or did. */
export const updateOpenCheckout = (db: Writer, id: number, change: Updateable<CheckoutsTable>) =>
  unscoped(db, OPEN)
    .updateTable('checkouts')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returningAll()
    .executeTakeFirst()

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
) => unscoped(db, OPEN).updateTable('checkouts').set(bought).where('id', '=', id).execute()

/** Begins to pay: of any number at once one does, undefined for all others, and once it has expired. */
export const beginPaying = (db: Writer, id: number, updated: UtcTime) =>
  unscoped(db, OPEN)
    .updateTable('checkouts')
    .set({ state: 'paying', attempt: sql<number>`attempt + 1`, charge_id: null, updated })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('expires_at', '>', updated)
    .returningAll()
    .executeTakeFirst()

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
export const endPaying = (
  db: Writer,
  { id, attempt }: { readonly id: number; readonly attempt: number },
  change: Updateable<CheckoutsTable>,
) =>
  unscoped(db, OPEN)
    .updateTable('checkouts')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'paying')
    .where('attempt', '=', attempt)
    .returningAll()
    .executeTakeFirst()

/** Notes what it came to when it was begun to pay, and the charge, if it is one. */
export const noteBegun = (
  db: Writer,
  id: number,
  begun: Pick<Updateable<CheckoutsTable>, 'charge_id' | 'kept'>,
) => unscoped(db, OPEN).updateTable('checkouts').set(begun).where('id', '=', id).execute()

/** Holds a checkout that is being paid until the transaction ends; false when that has ended. */
export const holdPaying = async (
  db: Writer,
  checkout: { readonly id: number; readonly attempt: number },
  updated: UtcTime,
): Promise<boolean> => (await endPaying(db, checkout, { updated })) !== undefined

/** Longer than a bank has a payment in work: what is decided lets go at once of what it kept. */
export const PAYING_HELD_MS = 90 * DAY

/** What a checkout keeps for its address, for so many milliseconds. */
export interface Guard extends Omit<CheckoutGuardsTable, 'until_ms'> {
  readonly forMs: number
  /** It shows that something works once: also of a clock that was ahead it is kept until it is over. */
  readonly isSpent?: true
}

/**
 * Keeps an address from having the same under way twice, for a time; false when another checkout has it. `isProven`:
 * it is taken from a checkout whose buyer has proven nothing. One statement decides.
 */
export async function guard(
  db: Writer,
  { forMs, isSpent, ...row }: Guard,
  now: number,
  isProven = false,
): Promise<boolean> {
  const until_ms = now + forMs
  const due = dueWithin(now, forMs)
  const taken = await db
    .insertInto('checkout_guards')
    .values({ ...row, until_ms })
    .onConflict((known) =>
      known
        .columns(['name', 'email_folded'])
        .doUpdateSet({ checkout_id: row.checkout_id, until_ms })
        .where((or) =>
          or.or([
            isSpent
              ? or('checkout_guards.until_ms', '<=', now)
              : columnHasCome('checkout_guards.until_ms', due),
            or('checkout_guards.checkout_id', '=', row.checkout_id),
            ...(isProven ? [isOfTyped] : []),
          ]),
        ),
    )
    .returning('checkout_id')
    .executeTakeFirst()
  return taken !== undefined
}

/** As `isProvenBuyer` says of no checkout that has it. */
const isOfTyped = sql<boolean>`exists (select 1 from checkouts where checkouts.id = checkout_guards.checkout_id
  and (checkouts.is_readonly = 0 or checkouts.is_hidden = 1))`

/** Whether a checkout has what it took with `guard`, and nobody else. */
export const hasGuard = async (db: Writer, row: Guard, now: number): Promise<boolean> =>
  (await unscoped(db, OPEN)
    .updateTable('checkout_guards')
    .set({ until_ms: now + row.forMs })
    .where('name', '=', row.name)
    .where('email_folded', '=', row.email_folded)
    .where('checkout_id', '=', row.checkout_id)
    .returning('checkout_id')
    .executeTakeFirst()) !== undefined

/** Shortens what a checkout keeps whose names begin like that: it lets go of it at `until`, real milliseconds. */
export const guardUntil = (db: Writer, checkoutId: number, prefix: string, until: number) =>
  unscoped(db, OPEN)
    .updateTable('checkout_guards')
    .set({ until_ms: until })
    .where('checkout_id', '=', checkoutId)
    .where('name', 'like', `${prefix}%`)
    .execute()

/** The checkout that an address pays under a name while another one is to be, and whose product it is of. */
export const findPayingElsewhere = (
  db: Reader,
  { name, email_folded, checkout_id }: Pick<Guard, 'name' | 'email_folded' | 'checkout_id'>,
) =>
  owned(db, OPEN)
    .innerJoin('checkout_guards', 'checkout_guards.checkout_id', 'checkouts.id')
    .where('checkout_guards.name', '=', name)
    .where('checkout_guards.email_folded', '=', email_folded)
    .where('checkout_guards.checkout_id', '<>', checkout_id)
    .where('checkouts.state', '=', 'paying')
    .executeTakeFirst()

/** Lets go of what a checkout kept, or of some of it. */
export function unguard(db: Writer, checkoutId: number, names?: readonly string[]) {
  const query = unscoped(db, OPEN).deleteFrom('checkout_guards').where('checkout_id', '=', checkoutId)
  return (names === undefined ? query : query.where('name', 'in', names)).execute()
}

const offers = (db: Reader, owner: Owner) =>
  scoped(db, 'pricing', owner)
    .select()
    .innerJoin('plans', 'plans.id', 'pricing.plan_id')
    .selectAll('pricing')
    .select(['plans.name as plan_name', 'plans.title as plan_title', 'plans.is_hidden as is_plan_hidden'])

/** The prices of a product with their plans, the hidden ones too, in the order in which they were made. */
export const offersOf = (db: Reader, owner: Owner) => offers(db, owner).orderBy('pricing.id').execute()

/** One of them. */
export async function findOffer(db: Reader, owner: Owner, pricingId: number) {
  const [found] = await offerById(db, owner, { id: pricingId })
  return found
}

const offerById = preparedFor((db, owner, { id }: { id: number }) =>
  offers(db, owner).where('pricing.id', '=', id),
)

export type OfferRow = Awaited<ReturnType<typeof offersOf>>[number]

/** By what a product is paid (`gatewayFor`). */
export async function acceptedPayments(db: Reader, productId: number): Promise<0 | 1 | 2> {
  const product = await unscoped(db, 'whoever knows a product may buy it')
    .selectFrom('products')
    .select('accepted_payments')
    .where('id', '=', productId)
    .executeTakeFirstOrThrow()
  return product.accepted_payments
}

/** What a checkout needs of a product before anybody has proven anything. */
export const findSoldProduct = (db: Reader, id: number) =>
  unscoped(db, 'whoever knows a product may buy it')
    .selectFrom('products')
    .select(['id', 'developer_id', 'public_key', 'secret_key', 'redirect_hosts', 'is_active'])
    .select('accepts_client_sandbox_tokens')
    .where('id', '=', id)
    .executeTakeFirst()
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
