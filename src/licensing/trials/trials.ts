import { hash } from 'node:crypto'
import type { ReadContext, TxContext } from '../../context.ts'
import { formerSecrets } from '../../db/former-keys.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import { findProductKeys } from '../../access/credential-rows.ts'
import { isSeller, wholeProduct, type Scope } from '../../access/scope.ts'
import { sameText } from '../../lib/credentials.ts'
import { invalid, invalidFields, notFound } from '../../lib/errors.ts'
import { firstNotice, TRIAL_NOTICES } from '../notices/notices.ts'
import { DAY, fromUtcTime, MINUTE, SECOND, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { recordEvent } from '../../events/log/record.ts'
import type { InstallRow } from '../installs/schema.ts'
import { getInstall, holdInstall } from '../installs/service.ts'
import { changeLicense } from '../licenses/change.ts'
import { issueLicense } from '../licenses/service.ts'
import type { PlanRow } from '../../catalogue/plans/schema.ts'
import { getPlan } from '../../catalogue/plans/service.ts'
import { cancelRunning, findTrialOf, moveRunning } from './queries.ts'
import { hasTried, insertTrial } from './trial-rows.ts'
import { dataOfTrial, type TrialRow, type TrialStart } from './schema.ts'
import { updateBilling } from '../../people/users/billing.ts'
import { cancelLicenseOf } from './bought-trial.ts'
import { pricesOf } from '../licenses/child-license-rows.ts'
import { holdLicenses, putLicenseOn, takeLicenseOff } from '../activation/license-on-install.ts'
import { requireSold } from '../../catalogue/products/sold-product.ts'
import { setTrialOf } from './trial-queries.ts'

/** How old a proof of sandbox mode may be, either way. */
const PROOF_MS = 15 * MINUTE

interface TrialPlace {
  readonly install_id: number
  readonly plan_id: number
}

/**
 * Lets an install try a plan for the plan's period, or until an earlier end, once in its life, and its user by its
 * uid once, also when the install was deleted since; by keys of own reach once for all installs of the user, whose uids
 * their holder chooses (unique indexes decide): it gets a license for itself that
 * blocks features when over (`docs/interface.md` 7.6, 5.7). With a seller's `is_migration` no
 * event is recorded. 404 without such an install or plan; 400 `trial_not_available`, `trial_utilized`,
 * `license_activated`, `invalid_trial_token`, `product_not_sold`.
 */
export async function startTrial(
  ctx: TxContext,
  given: Scope,
  ids: TrialPlace,
  input: TrialStart,
): Promise<TrialRow> {
  const isSilent = input.is_migration && isSeller(given)
  const scope: Scope = isSilent ? { ...given, isSilent } : given
  const install = await holdInstall(ctx, scope, ids.install_id)
  const plan = await getPlan(ctx, scope, ids.plan_id)
  if (!isSilent) await requireSold(ctx, scope)
  const environment = await environmentOf(ctx, { plan, install }, input)
  const now = toUtcTime(ctx.clock.of(scope.productId, environment))
  const isByKey = !isSeller(given) && install.reach !== 'whole'
  await refuseSecond(ctx, scope, install, isByKey)
  const ends = endOf(scope, plan, input.trial_ends, now)
  const prices = await pricesOf(ctx.db, plan.id)
  const license = await issueLicense(ctx, scope, {
    user_id: install.user_id,
    plan_id: plan.id,
    pricing_id: prices[0]?.id ?? null,
    quota: 1,
    expiration: ends,
    is_free_localhost: plan.is_free_localhost,
    is_block_features: true,
    is_whitelabeled: false,
    is_trial: true,
    environment,
  })
  const trial = await insertTrial(ctx.db, {
    product_id: scope.productId,
    user_id: install.user_id,
    install_id: install.id,
    uid: install.uid,
    plan_id: plan.id,
    license_id: license.id,
    payment_id: null,
    subscription_id: null,
    started_at: now,
    trial_ends_at: ends,
    with_payment_method: false,
    canceled_at: null,
    converted_at: null,
    environment,
    ...firstNotice(ends, now, TRIAL_NOTICES),
    is_unproven: isByKey,
    is_by_key: isByKey,
    created: ctx.clock.now(),
    updated: null,
  })
  if (!trial) throw utilized()
  await putLicenseOn(ctx, scope, { installId: install.id, licenseId: license.id })
  const updated = ctx.clock.now()
  await setTrialOf(ctx.db, install.id, { trial_plan_id: plan.id, trial_ends: ends, updated })
  if (input.phone !== undefined) await updateBilling(ctx, scope, install.user_id, { phone: input.phone })
  await recordStart(ctx, scope, trial)
  return trial
}

/** A client in sandbox mode proves it by the product's secret key, and then tries on the product's own clock. */
async function environmentOf(
  ctx: ReadContext,
  { plan, install }: { readonly plan: PlanRow; readonly install: InstallRow },
  { trial_token: token, trial_timestamp: timestamp }: TrialStart,
): Promise<Environment> {
  if (token === undefined) return install.environment
  const [product] = await findProductKeys(ctx.db, { id: plan.product_id })
  if (!product) throw notFound('plan')
  const secret = ctx.keys.open(product.secret_key, 'products.secret_key')
  const made = (by: string) =>
    hash('md5', `${by}${product.public_key}${plan.trial_period}${plan.id}${timestamp}`)
  const secrets = [secret, ...(await formerSecrets(ctx, 'products', product.id))]
  const age = Math.abs(ctx.clock.real() - Number(timestamp) * SECOND)
  if (secrets.some((by) => sameText(made(by), token)) && age <= PROOF_MS) return 1
  throw invalid('invalid_trial_token', 'The trial_token is wrong, or older than 15 minutes.')
}

export const notRunning = () => invalid('no_trial', 'No trial runs on this install.')

const utilized = () => invalid('trial_utilized', 'This install has had its trial.')

async function refuseSecond(
  ctx: TxContext,
  scope: Scope,
  install: InstallRow,
  isByKey: boolean,
): Promise<void> {
  const product: Scope = wholeProduct(scope)
  if (await hasTried(ctx.db, product, { ...install, isByKey })) throw utilized()
  if (install.license_id === null) return
  throw invalid('license_activated', `A license is active on install ${install.id}`)
}

/** A method of payment cannot be given by a call: only the seller starts a trial that takes one. */
function endOf(scope: Scope, plan: PlanRow, wanted: string | undefined, now: UtcTime): UtcTime {
  if (plan.trial_period === null || plan.trial_period === 0) {
    throw invalid('trial_not_available', 'This plan has no trial.')
  }
  if (plan.is_require_subscription && !isSeller(scope)) {
    throw invalid('trial_not_available', 'The trial of this plan begins at the checkout.')
  }
  const last = toUtcTime(fromUtcTime(now) + plan.trial_period * DAY)
  const ends = wanted === undefined ? last : parseTimeText(wanted, 'last second')
  if (ends !== null && ends > now && ends <= last) return ends
  const message = `must lie between now and the end of the trial period, ${last}`
  throw invalidFields([{ field: 'trial_ends', message }])
}

async function recordStart(ctx: TxContext, scope: Scope, trial: TrialRow): Promise<void> {
  const data = dataOfTrial(trial)
  const { user_id: userId, install_id: installId, environment } = trial
  await recordEvent(ctx, scope, {
    type: 'install.trial.started',
    environment,
    userId,
    ...(installId !== null && { installId }),
    data,
  })
  await recordEvent(ctx, scope, { type: 'user.trial.started', environment, userId, data })
}

export interface CancelReason {
  /** 1 to 15, as of an uninstall. */
  readonly ids: readonly number[]
  readonly text: string | undefined
}

/**
 * Ends the trial that an install began at once: its license is cancelled and taken off. The install as it is then. 404
 * when there is no such install, 400 `no_trial` when no trial runs on it.
 */
export async function cancelTrial(
  ctx: TxContext,
  scope: Scope,
  installId: number,
  reason: CancelReason,
): Promise<InstallRow> {
  await getInstall(ctx, scope, installId)
  const trial = await findTrialOf(ctx.db, scope, installId)
  if (!trial) throw notRunning()
  const now = toUtcTime(ctx.clock.of(scope.productId, trial.environment))
  const updated = ctx.clock.now()
  if (!(await cancelRunning(ctx.db, scope, { id: trial.id, now, updated }))) throw notRunning()
  const install = await endTrialOf(ctx, scope, trial, installId)
  await cancelLicenseOf(ctx, scope, trial)
  await recordCancelled(ctx, scope, { trial, installId, now, reason })
  return install
}

interface Cancelled {
  readonly trial: TrialRow
  readonly installId: number
  /** On the clock of the trial. */
  readonly now: UtcTime
  readonly reason: CancelReason
}

export const recordCancelled = (
  ctx: TxContext,
  scope: Scope,
  { trial, installId, now, reason }: Cancelled,
): Promise<void> =>
  recordEvent(ctx, scope, {
    type: 'install.trial.cancelled',
    environment: trial.environment,
    userId: trial.user_id,
    installId,
    data: {
      trial_plan_id: String(trial.plan_id),
      days_after: Math.max(0, Math.floor((fromUtcTime(now) - fromUtcTime(trial.started_at)) / DAY)),
      reason_ids: reason.ids.length === 0 ? null : reason.ids.join(','),
      reason: reason.text ?? null,
    },
  })

/** Moves the end of an install's running trial, and that of its license, to where the seller has set the install's. */
export async function moveTrial(
  ctx: TxContext,
  scope: Scope,
  { id, trial_ends: ends }: Pick<InstallRow, 'id' | 'trial_ends'>,
): Promise<void> {
  const trial = await findTrialOf(ctx.db, scope, id)
  if (!trial || ends === null) return
  const now = toUtcTime(ctx.clock.of(scope.productId, trial.environment))
  const isMoved = await moveRunning(ctx.db, scope, trial.id, {
    trial_ends_at: ends,
    ...firstNotice(ends, now, TRIAL_NOTICES),
    updated: ctx.clock.now(),
  })
  if (!isMoved) return
  const [license] = await holdLicenses(ctx, [trial.license_id])
  if (license) await changeLicense(ctx, scope, license, { change: { expiration: ends } })
}

/** Takes a trial's license off its install, which is on no trial then. The license is held before the install. */
export async function endTrialOf(
  ctx: TxContext,
  scope: Scope,
  { license_id: licenseId }: Pick<TrialRow, 'license_id'>,
  installId: number,
): Promise<InstallRow> {
  await holdLicenses(ctx, [licenseId])
  const held = await holdInstall(ctx, scope, installId)
  if (held.license_id !== null && held.license_id === licenseId) await takeLicenseOff(ctx, scope, held)
  const updated = ctx.clock.now()
  return setTrialOf(ctx.db, held.id, { trial_plan_id: null, trial_ends: null, updated })
}
