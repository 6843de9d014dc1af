import { hold } from '../../db/hold.ts'
import type { TxContext } from '../../context.ts'
import { ofAnyUser, wholeProduct, type Scope } from '../../access/scope.ts'
import { isSandbox } from '../../lib/environment.ts'
import { invalid } from '../../lib/errors.ts'
import { idText } from '../../lib/id-text.ts'
import { toUtcTime, type UtcTime } from '../../lib/time.ts'
import { recordEvent } from '../../events/log/record.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import { getPlan } from '../../catalogue/plans/service.ts'
import { markPaying } from './queries.ts'
import type { SubscriptionRow } from './schema.ts'
import { getSubscription } from './service.ts'
import { inProgress, isRenewingNow } from '../checkouts/front/change.ts'
import { familyOf, holdFamily, type Family } from '../../licensing/licenses/family.ts'
import { endSubscription } from './start-subscription.ts'
import {
  convertTrialOf,
  convertTrialOfLicense,
  unmarkTrialLicenses,
  type Buyer,
} from '../../licensing/trials/buyer-trial-rows.ts'
import { changeFamily } from '../../licensing/licenses/update-license.ts'
import { convertTrialOfBuyer, findTrialOfBuyer } from '../../licensing/trials/trial-of-buyer-rows.ts'

interface Conversion {
  readonly row: SubscriptionRow
  /** Held until the end of the transaction. */
  readonly license: LicenseRow
  readonly paymentId: number
  /** On the clock of the subscription. */
  readonly now: UtcTime
  /** When the license ends then; null: never, as it was paid once. */
  readonly expiration: UtcTime | null
}

/**
 * Makes what was tried what was bought: the trial is converted by its first payment, and its license blocks features
 * when over only where the plan says so, and lives as long as what was paid, never shorter than it did
 * (`docs/interface.md` 7.6).
 */
export async function convertByPayment(
  tx: TxContext,
  scope: Scope,
  { row, license: held, paymentId, now, expiration }: Conversion,
): Promise<void> {
  const updated = tx.clock.now()
  if (row.billing_cycle === 0) await recordLifetime(tx, scope, row, paymentId)
  if (!isSandbox(row.environment)) await markPaying(tx.db, scope, row.user_id)
  await convertTrialOf(tx.db, { subscriptionId: row.id, paymentId, now, updated })
  const { license, children } = await familyOf(tx, held)
  const ids = [license, ...children].map(({ id }) => id)
  await unmarkTrialLicenses(tx.db, ids, updated)
  const plan = await getPlan(tx, scope, row.plan_id)
  const blocks = row.billing_cycle === 1 ? plan.is_block_features_monthly : plan.is_block_features
  const isLonger = expiration === null || (license.expiration !== null && license.expiration < expiration)
  const change = { is_block_features: blocks, ...(isLonger && { expiration }) }
  await changeFamily(tx, scope, { license, children }, { change })
}

const recordLifetime = (tx: TxContext, scope: Scope, row: SubscriptionRow, paymentId: number) =>
  recordEvent(tx, scope, {
    type: 'plan.lifetime.purchase',
    environment: row.environment,
    userId: row.user_id,
    data: { payment_id: String(paymentId), license_id: idText(row.license_id), plan_id: String(row.plan_id) },
  })

/** Where nothing is charged at the end of a trial, its license has no time to spare after it. */
export async function endLicenseWithTrial(
  tx: TxContext,
  scope: Scope,
  { product_id: productId, license_id: id, trial_ends: ends }: SubscriptionRow,
): Promise<void> {
  if (id === null || ends === null) return
  const product: Scope = wholeProduct(scope, productId)
  if (!(await hold(tx.db, 'licenses', product, id))) return
  const family = await holdFamily(tx, product, id)
  const { expiration } = family.license
  if (expiration === null || expiration <= ends) return
  await changeFamily(tx, product, family, { change: { expiration: ends } })
}

/**
 * The subscription whose first payment a buyer must not be charged while it pays for what it tries: the charge of the
 * purchase names it, and the renewals wait. Null where there is none; 400 `renewal_in_progress` while it is charged, of
 * which who has proven nothing is told `checkout_in_progress` only.
 */
export async function trialToSpare(
  tx: TxContext,
  scope: Scope,
  { isProven, ...buyer }: Buyer & { readonly isProven: boolean },
): Promise<number | null> {
  const id = (await findTrialOfBuyer(tx.db, buyer))?.subscription_id ?? null
  if (id === null || (await hold(tx.db, 'subscriptions', scope, id))?.canceled_at !== null) return null
  if (!(await isRenewingNow(tx.db, scope, id))) return id
  if (!isProven) throw inProgress()
  throw invalid('renewal_in_progress', 'Your trial is being paid at this moment; ask again in a moment.')
}

/**
 * Ends a buyer's trial of a product as converted, as the buyer bought a license of it: nothing is charged at its end,
 * until which its own license works on.
 */
export async function convertByPurchase(
  tx: TxContext,
  scope: Scope,
  { userId, environment, paymentId }: Pick<Buyer, 'environment'> & Bought,
): Promise<void> {
  const { productId } = scope
  const now = toUtcTime(tx.clock.of(productId, environment))
  const updated = tx.clock.now()
  const trial = await convertTrialOfBuyer(tx.db, { productId, userId, environment, paymentId, now, updated })
  if (!trial || trial.subscription_id === null) return
  const subscription = await getSubscription(tx, ofAnyUser(scope), trial.subscription_id)
  if (!(await endSubscription(tx, scope, subscription))) return
  await endLicenseWithTrial(tx, scope, subscription)
}

interface Bought {
  readonly userId: number
  readonly paymentId: number
}

/**
 * Makes the license of a trial one that was bought, where it is itself what is changed or renewed.
 */
export async function convertLicenseOfTrial(
  tx: TxContext,
  { license, children }: Family,
  paymentId: number | null,
): Promise<void> {
  if (!license.is_trial) return
  const now = toUtcTime(tx.clock.of(license.product_id, license.environment))
  const updated = tx.clock.now()
  await convertTrialOfLicense(tx.db, { licenseId: license.id, paymentId, now, updated })
  await unmarkTrialLicenses(
    tx.db,
    [license, ...children].map(({ id }) => id),
    updated,
  )
}
