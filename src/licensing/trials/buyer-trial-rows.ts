import { sql, type Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { unscoped } from '../../db/scoped.ts'
import type { Environment, TrialsTable } from '../../db/tables/licenses.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { TrialRow } from './schema.ts'

/** The trial of a subscription that runs. */
export const findTrialOfSubscription = (db: Reader, subscriptionId: number) =>
  unscoped(db, 'of a subscription that a scoped query has found')
    .selectFrom('trials')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('canceled_at', 'is', null)
    .where('converted_at', 'is', null)
    .where('notice_at', 'is not', null)
    .executeTakeFirst()

export interface Converting {
  readonly subscriptionId: number
  readonly paymentId: number
  readonly now: UtcTime
  readonly updated: UtcTime
}

/**
 * Notes by which payment the trial of a subscription was converted, once; also after its end, as a charge may be late.
 */
export const convertTrialOf = (db: Writer, { subscriptionId, paymentId, now, updated }: Converting) =>
  unscoped(db, 'of a subscription that a scoped query has found')
    .updateTable('trials')
    .set({ converted_at: now, payment_id: paymentId, notice_at: null, updated })
    .where('subscription_id', '=', subscriptionId)
    .where('converted_at', 'is', null)
    .execute()

/** What was a trial's license is one that was bought, and its installs are on no trial. */
export async function unmarkTrialLicenses(
  db: Writer,
  ids: readonly number[],
  updated: UtcTime,
): Promise<void> {
  await unscoped(db, HELD)
    .updateTable('licenses')
    .set({ is_trial: false, updated })
    .where('id', 'in', inList(ids))
    .where('is_trial', '=', true)
    .execute()
  await unscoped(db, HELD)
    .updateTable('installs')
    .set({ trial_plan_id: null, trial_ends: null, updated })
    .where('license_id', 'in', inList(ids))
    .where('trial_plan_id', 'is not', null)
    .execute()
}

export const HELD = 'licenses that the caller holds, and their installs'

/** Which trial a license is for that no install began; undefined: it is for none. */
export const findTrialOfLicense = (db: Reader, licenseId: number) =>
  unscoped(db, HELD)
    .selectFrom('trials')
    .selectAll()
    .where('license_id', '=', licenseId)
    .where('install_id', 'is', null)
    .executeTakeFirst()

/** Says the end of a license's trial on its installs. */
export const moveTrialOnInstalls = (db: Writer, licenseId: number, ends: UtcTime, updated: UtcTime) =>
  unscoped(db, HELD)
    .updateTable('installs')
    .set({ trial_ends: ends, updated })
    .where('license_id', '=', licenseId)
    .where('trial_plan_id', 'is not', null)
    .execute()

const RUNNING = 'trials of a subscription that the caller holds'

const runningOf = (db: Writer, subscriptionId: number) =>
  unscoped(db, RUNNING)
    .updateTable('trials')
    .where('subscription_id', '=', subscriptionId)
    .where('canceled_at', 'is', null)
    .where('converted_at', 'is', null)
    .where('notice_at', 'is not', null)

/** Cancels the trial of a subscription that ended, when it runs and has no install, whose trial ends by itself. */
export const cancelTrialOf = (
  db: Writer,
  { subscriptionId, now, updated }: Omit<Converting, 'paymentId'>,
): Promise<unknown> =>
  runningOf(db, subscriptionId)
    .set({ canceled_at: now, notice_at: null, updated })
    .where('install_id', 'is', null)
    .execute()

/** Moves the end of the trial of a subscription, when it runs. */
export const moveTrialOf = (
  db: Writer,
  subscriptionId: number,
  to: Pick<TrialRow, 'trial_ends_at' | 'notice' | 'notice_at' | 'updated'>,
): Promise<unknown> => runningOf(db, subscriptionId).set(to).execute()

/** In the place of the uid of an install: of a trial of the checkout a buyer has one, live and in the sandbox. */
export const uidOfBuyer = (environment: Environment): string => `checkout:${environment}`

/** Whose trials are asked for, in the product that is bought. */
export interface Buyer {
  readonly productId: number
  readonly emailFolded: string
  /** Null: known by the address only. */
  readonly userId: number | null
  readonly environment: Environment
}

export const ofBuyer = (db: Reader, { productId, emailFolded, userId, environment }: Buyer) => {
  const query = unscoped(db, 'the trials of a buyer, in the product that is bought')
    .selectFrom('product_users')
    .innerJoin('trials', 'trials.user_id', 'product_users.user_id')
    .where('product_users.product_id', '=', productId)
    .where('trials.product_id', '=', productId)
    .where('trials.environment', '=', environment)
    .limit(1)
  return userId === null
    ? query.where('product_users.email_folded', '=', emailFolded)
    : query.where('product_users.user_id', '=', userId)
}

/**
 * Whether a buyer has tried a product, on an install or by a checkout. What others began in the buyer's name does not
 * count (`docs/decisions.md` 3.14): on an install by keys of own reach, or for an address that was typed while its
 * license is on no site. One of the latter that is to be charged counts against who has not proven to be the buyer
 * either.
 */
export async function hasTriedProduct(db: Reader, buyer: Buyer & { readonly isProven: boolean }) {
  const uid = uidOfBuyer(buyer.environment)
  const found = await ofBuyer(db, buyer)
    .select('trials.id')
    .where((or) =>
      or.or([
        or('trials.is_unproven', '=', false),
        or('trials.converted_at', 'is not', null),
        or.and([
          or('trials.uid', '=', uid),
          or.or([isUsed, ...(buyer.isProven ? [] : [or('trials.subscription_id', 'is not', null)])]),
        ]),
        isOnWholeInstall,
      ]),
    )
    .executeTakeFirst()
  return found !== undefined
}

/** Whether a site uses a trial of the checkout, or has used it. */
const isUsed = sql<boolean>`exists (select 1 from tried_sites where tried_sites.trial_id = trials.id)`

/** Whether the install that began a trial has keys that are whole by now. */
const isOnWholeInstall = sql<boolean>`exists (
  select 1 from installs where installs.id = trials.install_id and installs.reach = 'whole')`

interface Unused {
  readonly id: number
  readonly isProven: boolean
}

/**
 * Changes a trial of the checkout that was begun for an address which was typed, and whose license no site has used;
 * undefined for any other. Who has not proven to be the buyer changes none that is to be charged. One statement, so
 * that of an activation and of this one counts, where the license is held.
 */
export const changeUnused = (
  db: Writer,
  { id, isProven }: Unused,
  change: Updateable<TrialsTable>,
): Promise<TrialRow | undefined> => {
  const query = unscoped(db, 'of a buyer whose trial a query by the user has found')
    .updateTable('trials')
    .set(change)
    .where('trials.id', '=', id)
    .where('trials.is_unproven', '=', true)
    .where('trials.converted_at', 'is', null)
    .where(({ not }) => not(isUsed))
  return (isProven ? query : query.where('trials.subscription_id', 'is', null))
    .returningAll()
    .executeTakeFirst()
}

/** What a buyer has in the place of a trial of the checkout. */
export const findTrialInPlace = (
  db: Reader,
  { productId, userId, environment }: Omit<Buyer, 'emailFolded'> & { readonly userId: number },
) =>
  unscoped(db, 'the trial of a buyer, in the product that is bought')
    .selectFrom('trials')
    .selectAll()
    .where('product_id', '=', productId)
    .where('uid', '=', uidOfBuyer(environment))
    .where('user_id', '=', userId)
    .executeTakeFirst()

interface OfLicense extends Omit<Converting, 'subscriptionId' | 'paymentId'> {
  readonly licenseId: number
  /** Null: nothing was to be paid. */
  readonly paymentId: number | null
}

/** Notes that the license of a trial was bought, once. */
export const convertTrialOfLicense = (db: Writer, { licenseId, paymentId, now, updated }: OfLicense) =>
  unscoped(db, RUNNING)
    .updateTable('trials')
    .set({ converted_at: now, payment_id: paymentId, notice_at: null, updated })
    .where('license_id', '=', licenseId)
    .where('converted_at', 'is', null)
    .where('canceled_at', 'is', null)
    .execute()
