import { sql } from 'kysely'
import { hasBought } from '../../db/bought.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { columnIsLate, type Lately } from '../../db/has-come.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import { HOUR, type UtcTime } from '../../lib/time.ts'

/** How long a checkout in which somebody began to pay keeps its license from other changes and renewals. */
export const CHANGE_MS = HOUR

const HELD = 'of a license that the caller has found, and holds where it writes'

/** The subscriptions of a license, the latest first. */
export const subscriptionsOf = (db: Reader, owner: Owner, licenseId: number) =>
  scoped(db, 'subscriptions', owner)
    .select()
    .selectAll()
    .where('subscriptions.license_id', '=', licenseId)
    .orderBy('subscriptions.id', 'desc')
    .execute()

/** The payments of a license that have bought something, no refunds and disputes, the latest first. */
export const paymentsOf = (db: Reader, owner: Owner, licenseId: number) =>
  scoped(db, 'payments', owner)
    .select()
    .selectAll()
    .where('payments.license_id', '=', licenseId)
    .where('payments.type', '=', 'payment')
    .where(hasBought)
    .orderBy('payments.id', 'desc')
    .limit(50)
    .execute()

const RENEWALS = ['renewal'] as const
const CHANGES = ['purchase', 'balance', 'setup'] as const

/** Whether a renewal of a subscription is asked for at a gateway, and not decided. */
export const isRenewingNow = async (db: Reader, owner: Owner, subscriptionId: number): Promise<boolean> =>
  (await openCharges(db, owner, subscriptionId)
    .where('charges.purpose', 'in', RENEWALS)
    .executeTakeFirst()) !== undefined

/**
 * Whether a change of a subscription is, that was begun since a time. One by the license key alone counts as long as the
 * first of them was begun since then too, or its gateway has not answered (`docs/decisions.md` 5.22).
 */
export const isChangingNow = async (
  db: Reader,
  owner: Owner,
  { id, lately }: { readonly id: number; readonly lately: Lately },
): Promise<boolean> =>
  (await openCharges(db, owner, id)
    .where('charges.purpose', 'in', CHANGES)
    .where(columnIsLate('charges.created', lately))
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb('charges.state', '=', 'started'),
        not(
          exists(
            selectFrom('checkouts')
              .innerJoin('licenses', 'licenses.id', 'checkouts.of_license_id')
              .select('checkouts.id')
              .whereRef('checkouts.charge_id', '=', 'charges.id')
              .where('checkouts.is_hidden', '=', true)
              .where('licenses.key_change_at', 'is not', null)
              .where(({ not: isNot }) => isNot(columnIsLate('licenses.key_change_at', lately))),
          ),
        ),
      ]),
    )
    .executeTakeFirst()) !== undefined

const openCharges = (db: Reader, owner: Owner, subscriptionId: number) =>
  scoped(db, 'charges', owner)
    .select()
    .select('charges.id')
    .where('charges.subscription_id', '=', subscriptionId)
    .where('charges.state', 'in', ['started', 'pending'])
    .limit(1)

/**
 * Whether another checkout of a license is being paid, that was begun since a time. `isOwners`: one by the license key
 * alone counts as long as the first of them was begun since then too.
 */
export async function isChangedElsewhere(
  db: Reader,
  owner: Owner,
  { licenseId, checkoutId, lately, isOwners }: Elsewhere,
): Promise<boolean> {
  const found = await scoped(db, 'checkouts', owner)
    .select()
    .select('checkouts.id')
    .where('checkouts.of_license_id', '=', licenseId)
    .where('checkouts.state', '=', 'paying')
    .where('checkouts.id', '<>', checkoutId)
    .where(columnIsLate('checkouts.updated', lately))
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb.lit(!isOwners),
        eb('checkouts.is_hidden', '=', false),
        not(
          exists(
            selectFrom('licenses')
              .select('licenses.id')
              .where('licenses.id', '=', licenseId)
              .where('licenses.key_change_at', 'is not', null)
              .where(({ not: isNot }) => isNot(columnIsLate('licenses.key_change_at', lately))),
          ),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

interface Elsewhere {
  readonly licenseId: number
  readonly checkoutId: number
  readonly lately: Lately
  readonly isOwners: boolean
}

/**
 * Notes when a change of a license by its key alone is begun, unless one was since it was renewed last; when that was. One
 * that a clock has noted that was ahead counts as begun now.
 */
export async function noteKeyChange(
  db: Writer,
  licenseId: number,
  now: UtcTime,
  { until }: Lately,
): Promise<UtcTime> {
  const { key_change_at: first } = await unscoped(db, HELD)
    .updateTable('licenses')
    .set({
      key_change_at: sql<UtcTime>`case when key_change_at <= ${until} then key_change_at else ${now} end`,
    })
    .where('id', '=', licenseId)
    .returning('key_change_at')
    .executeTakeFirstOrThrow()
  return first ?? now
}

/** The license was renewed: whoever holds its key alone may hold it anew. */
export const forgetKeyChange = (db: Writer, licenseId: number) =>
  unscoped(db, HELD)
    .updateTable('licenses')
    .set({ key_change_at: null })
    .where('id', '=', licenseId)
    .where('key_change_at', 'is not', null)
    .execute()

/** What was off the renewals of a subscription is off those of the one that takes its place; `off`: so much of one. */
export const moveDiscounts = (
  db: Writer,
  owner: Owner,
  { from, to, off }: { readonly from: number; readonly to: number; readonly off?: number },
) =>
  scopedWrite(db, 'discounts', owner)
    .update()
    .set({ entity_id: to, ...(off !== undefined && { discount: off }) })
    .where('discounts.entity_type', '=', 'subscription')
    .where('discounts.entity_id', '=', from)
    .execute()

/** The trial of a subscription goes on with the one that takes its place. */
export const moveTrial = (db: Writer, owner: Owner, from: number, to: number) =>
  scopedWrite(db, 'trials', owner)
    .update()
    .set({ subscription_id: to })
    .where('trials.subscription_id', '=', from)
    .execute()

/** The VAT id of the one who pays for a license that is named; nothing of it is shown. */
export async function vatIdOfLicense(
  db: Reader,
  { id, hashes }: { readonly id: number | undefined; readonly hashes: readonly string[] },
): Promise<string | undefined> {
  const found = await unscoped(db, 'who holds the license is found out after it')
    .selectFrom('subscriptions')
    .innerJoin('licenses', 'licenses.id', 'subscriptions.license_id')
    .select('subscriptions.vat_id')
    .where((or) =>
      id === undefined ? or('licenses.key_hash', 'in', hashes as string[]) : or('licenses.id', '=', id),
    )
    .orderBy('subscriptions.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.vat_id ?? undefined
}
