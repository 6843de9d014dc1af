import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { isSandbox } from '../../lib/environment.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { idText } from '../../lib/id-text.ts'
import { toUtcTime } from '../../lib/time.ts'
import { recordEvent, recordEvents, type Happened } from '../../events/log/record.ts'
import { recordDifferences } from '../installs/change.ts'
import { planWithoutLicense } from '../installs/placed-install-rows.ts'
import type { InstallRow } from '../installs/schema.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import { noteTriedSite } from '../trials/trial-rows.ts'
import { dataOfTrial, type TrialRow } from '../trials/schema.ts'
import { showLicenseOn } from '../../people/users/user-key-rows.ts'
import { convertTrial, endsTrial } from '../trials/bought-trial.ts'
import { giveLicense } from './claim-license.ts'
import { refuseOver } from '../licenses/ended-license.ts'
import { countedAsOf, countOrRefuse, giveBack, refuseSite } from '../licenses/counts.ts'
import { recordCountedAs, setLicense, unsetLicense } from './license-on-install-queries.ts'
import {
  holdInstall,
  holdLicense,
  licenseIdOn,
  planOfLicense,
  type PlanOfLicense,
} from './license-on-install-rows.ts'
import {
  passSubscriptions,
  subscriptionFor,
  takePayments,
  takeSubscriptions,
} from '../installs/sale-on-install-rows.ts'
import { noteProven } from './proven-license.ts'
import { findTrialOfLicense } from '../trials/buyer-trial-rows.ts'
import { aboutInstall } from '../installs/emits.ts'

export interface Activated {
  readonly license: LicenseRow
  readonly install: InstallRow
  /** False when the license was active on the install already. */
  readonly isFirst: boolean
}

/** A license and an install whose rows the caller holds, as they are. */
export interface Held {
  readonly license: LicenseRow
  readonly install: InstallRow
}

/**
 * Puts a license on an install, in place of the one it has: checks, counts, and records `license.activated`,
 * however many do so at once. Active on it already, it stays and costs nothing. Refuses with 400
 * `license_cancelled`, `license_expired`, `license_utilized` or `license_error` (`docs/decisions.md` 2.3), 404 when one
 * of the two is erased by now.
 */
export async function putLicenseOn(
  ctx: TxContext,
  scope: Scope,
  { installId, licenseId }: { readonly installId: number; readonly licenseId: number },
  options: { readonly allowUnreleased?: boolean } = {},
): Promise<Activated> {
  const [license] = await holdLicenses(ctx, [licenseId, await licenseIdOn(ctx.db, installId)])
  if (!license) throw notFound('license')
  const install = await holdInstall(ctx.db, installId)
  if (!install) throw notFound('install')
  return putHeldLicense(ctx, scope, { license, install }, options)
}

/**
 * Holds licenses until the end of the transaction, always in the order of their ids and before their installs,
 * so that of two that move installs both ways neither waits for the other for ever. The rows, as they were asked.
 */
export async function holdLicenses(
  ctx: TxContext,
  ids: readonly (number | null)[],
): Promise<(LicenseRow | undefined)[]> {
  const rows = new Map<number, LicenseRow | undefined>()
  const known = ids.filter((id) => id !== null)
  for (const id of new Set(known.toSorted((a, b) => a - b))) rows.set(id, await holdLicense(ctx.db, id))
  return ids.map((id) => (id === null ? undefined : rows.get(id)))
}

/**
 * Puts a license on an install for a caller that holds both rows already. A license that is nobody's becomes the
 * owner's of the install, and one that is not a trial's ends the trial of the install, as it was bought. The keys that
 * the install was made with reach the license from then on.
 */
export async function putHeldLicense(
  ctx: TxContext,
  scope: Scope,
  { license: given, install: from }: Held,
  { allowUnreleased = false }: { readonly allowUnreleased?: boolean } = {},
): Promise<Activated> {
  refuseEnded(ctx, given)
  const shown = { install_id: from.id, license_id: given.id }
  if (from.license_id === given.id) {
    await refuseSite(ctx, given, from)
    await showLicenseOn(ctx.db, shown)
    const license = await ownedBy(ctx, scope, given, from.user_id)
    return { license, install: from, isFirst: false }
  }
  const plan = await planOfLicense(ctx.db, given)
  if (!allowUnreleased) refuseUnreleased(given, plan)
  const license = await ownedBy(ctx, scope, given, from.user_id)
  const countedAs = await countedAsOf(ctx, { license, plan }, from)
  // The last that may refuse: who goes on without the license has changed nothing of the install.
  const counted = await countOrRefuse(ctx, license, countedAs)
  await showLicenseOn(ctx.db, shown)
  await takeLicenseOff(ctx, scope, from, { tellsPlan: false })
  const isBought = endsTrial(license, from)
  if (isBought) await convertTrial(ctx, scope, from)
  const sale = await saleOn(ctx, { licenseId: license.id, installId: from.id })
  const trial = await trialBy(ctx, license)
  const install = await setLicense(ctx.db, {
    id: from.id,
    license_id: license.id,
    ...sale,
    counted_as: countedAs,
    plan_id: license.plan_id,
    ...trialOf(isBought ? NO_TRIAL : from),
    ...(trial && trialOn(trial)),
    updated: ctx.clock.now(),
  })
  if (!install) throw new Error('An install that is held has no other license.')
  await noteUsed(ctx, license, plan)
  await recordActivation(ctx, scope, { license: counted, install, from, trial })
  if (license.is_trial) await noteTried(ctx, scope, { license, install }, trial)
  return { license: counted, install, isFirst: true }
}

/** Who has the mailed key of a license, or of the bundle that opened it, has used it. */
async function noteUsed(ctx: TxContext, license: LicenseRow, plan: PlanOfLicense): Promise<void> {
  if (license.is_unproven || plan.is_bundle_unproven) await noteProven(ctx, license)
}

/**
 * What was bought with a license is of the install that it is put on first, and what is paid while it is on none of the
 * next one: the subscription, and what was spent.
 */
async function saleOn({ db }: TxContext, put: { readonly licenseId: number; readonly installId: number }) {
  const subscription = await subscriptionFor(db, put.licenseId)
  if (subscription !== null) await takeSubscriptions(db, put)
  return { subscription_id: subscription, spent: await takePayments(db, put) }
}

const NO_TRIAL = { trial_plan_id: null, trial_ends: null } as const

const trialOf = ({ trial_plan_id, trial_ends }: Pick<InstallRow, keyof typeof NO_TRIAL>) => ({
  trial_plan_id,
  trial_ends,
})

/** The trial of the checkout that a license is for. */
const trialBy = async ({ db }: TxContext, license: LicenseRow | undefined): Promise<TrialRow | undefined> =>
  license?.is_trial === true ? findTrialOfLicense(db, license.id) : undefined

/** What an install says of the trial that it is on by its license. */
const trialOn = ({ plan_id, trial_ends_at }: TrialRow) => ({
  trial_plan_id: plan_id,
  trial_ends: trial_ends_at,
})

/** A trial of the checkout begins on each site once, however often its license is put there. */
async function noteTried(
  ctx: TxContext,
  scope: Scope,
  { license, install }: Held,
  trial: TrialRow | undefined,
): Promise<void> {
  const isFirst = await noteTriedSite(ctx.db, license, install)
  if (!trial || !isFirst) return
  const type = 'install.trial.started'
  await recordEvent(ctx, scope, { type, ...aboutInstall(install), data: dataOfTrial(trial) })
}

/**
 * A license that is put on an install has an owner: one that is nobody's becomes the install's owner's, as who puts
 * it there has its key or sells it. Whom that may not be given to is settled before (`claimLicense`).
 */
const ownedBy = async (
  ctx: TxContext,
  scope: Scope,
  license: LicenseRow,
  userId: number,
): Promise<LicenseRow> => (license.user_id === null ? giveLicense(ctx, scope, license, userId) : license)

/**
 * Takes the license off an install and gives its place back, once, however many do so at once; records
 * `license.deactivated` and, unless the caller tells what becomes of its plan, `install.plan.changed`. What the
 * license only covered by this one's domain is counted from now on, also beyond the quota, as a lowered quota
 * deactivates nothing either (`docs/decisions.md` 5.7). The install as it is then; one that has another license by now
 * keeps it.
 */
export async function takeLicenseOff(
  ctx: TxContext,
  scope: Scope,
  install: InstallRow,
  { tellsPlan = true } = {},
): Promise<InstallRow> {
  const { license_id: licenseId } = install
  if (licenseId === null) return install
  const license = await holdLicense(ctx.db, licenseId)
  // Only now is it certain what it counts as: another deactivation may just have had it counted in full.
  const held = await holdInstall(ctx.db, install.id)
  if (held?.license_id !== licenseId || held.counted_as === null) return held ?? install
  const after = await unsetLicense(ctx.db, install.id, {
    plan_id: await planWithoutLicense(ctx.db, install.product_id),
    ...((await trialBy(ctx, license)) && NO_TRIAL),
    updated: ctx.clock.now(),
  })
  await passSubscriptions(ctx.db, { licenseId, installId: install.id })
  await giveBack(ctx, licenseId, held.counted_as)
  const ids = { license_id: String(licenseId), install_id: String(install.id) }
  await recordEvents(ctx, scope, [
    { type: 'license.deactivated', ...aboutInstall(install), data: ids },
    ...(tellsPlan ? planChanged(held, after, ids) : []),
  ])
  return after
}

/**
 * Counts an install anew on the license it has, after its address has changed: what was local may be production
 * now. Refuses with 400 `license_utilized` or `license_error` where the license may not be active there; the
 * caller then undoes the change. The install as it is then.
 */
export async function countAnew(ctx: TxContext, install: InstallRow): Promise<InstallRow> {
  const license = install.license_id === null ? undefined : await holdLicense(ctx.db, install.license_id)
  const held = license && (await holdInstall(ctx.db, install.id))
  if (!license || !held || held.license_id !== license.id || held.counted_as === null) return held ?? install
  const plan = await planOfLicense(ctx.db, license)
  const as = await countedAsOf(ctx, { license, plan }, held)
  const after = as === held.counted_as ? held : await recordCountedAs(ctx.db, held.id, as)
  const uncovered = await giveBack(ctx, license.id, held.counted_as)
  // A site that only moves needs no place but its own, also on a license whose quota was lowered.
  await countOrRefuse(ctx, license, as, { inPlace: as === held.counted_as && uncovered === 0 })
  return after
}

/** 400 `license_cancelled` or `license_expired` for a license that cannot be activated any more. */
export function refuseEnded(ctx: ReadContext, license: LicenseRow): void {
  refuseOver(license, isOver(ctx, license))
}

/** Whether a license is over by the clock that it lives on. */
export function isOver(ctx: ReadContext, license: LicenseRow): boolean {
  const { expiration, product_id: productId, environment } = license
  return expiration !== null && expiration <= toUtcTime(ctx.clock.of(productId, environment))
}

/** 400 `license_error` for a license of a product that is not released; the sandbox need not wait for that. */
export function refuseUnreleased({ environment }: LicenseRow, plan: PlanOfLicense): void {
  if (plan.is_released || isSandbox(environment)) return
  throw invalid('license_error', 'The plan of this license is not released yet.')
}

interface Activation extends Held {
  readonly from: InstallRow
  readonly trial: TrialRow | undefined
}

async function recordActivation(ctx: TxContext, scope: Scope, { license, install, from, trial }: Activation) {
  const ids = { license_id: String(license.id), install_id: String(install.id) }
  await recordEvents(ctx, scope, [
    { type: 'license.activated', ...aboutInstall(install), data: ids },
    ...planChanged(from, install, ids),
  ])
  const changed = trial ? SET_WITH_LICENSE : ([...SET_WITH_LICENSE, 'trial_plan_id', 'trial_ends'] as const)
  await recordDifferences(ctx, scope, { before: from, after: install }, changed)
}

/** What an install with a license is, beside the license, its plan and its trial. */
const SET_WITH_LICENSE = ['is_active', 'is_uninstalled'] as const

function planChanged(before: InstallRow, after: InstallRow, ids: Happened['data']): Happened[] {
  if (before.plan_id === after.plan_id) return []
  return [
    {
      type: 'install.plan.changed',
      ...aboutInstall(after),
      data: { ...ids, from: idText(before.plan_id), to: idText(after.plan_id) },
    },
  ]
}
