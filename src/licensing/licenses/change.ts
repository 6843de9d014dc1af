import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import type { ChangeOf } from '../../http/entity.ts'
import { differences } from '../../lib/differences.ts'
import { idText } from '../../lib/id-text.ts'
import { firstNotice, LICENSE_NOTICES, type Armed } from '../notices/notices.ts'
import { toUtcTime, type UtcTime } from '../../lib/time.ts'
import { recordEvent, type Happened } from '../../events/log/record.ts'
import { LICENSE } from './license.entity.ts'
import { cancelLicenseRow, updateLicenseRow } from './queries.ts'
import type { LicenseRow } from './schema.ts'

/**
 * What can change in a license; what is left out stays. A plan and a price are of the license itself: what it opened in
 * other products has plans of its own.
 */
export type LicenseChange = ChangeOf<(typeof LICENSE)['fields']>

/** Which of the notices is the end. */
const END = LICENSE_NOTICES.findIndex((step) => 'isEnd' in step)

export interface ReasonedChange {
  readonly change: LicenseChange
  /** A renewal of its subscription moves the end. */
  readonly isRenewal?: true
  /** Its seller gives it another plan, which is told by `license.updated` too. */
  readonly isBySeller?: true
}

/**
 * Changes a license that the caller holds and records what changed: `license.extended` or `.shortened`,
 * `.quota.changed`, `.ownership.changed`, `.plan.changed`, and one `.updated` for what has no event of its own
 * (`docs/interface.md` 11.2, 11.3). With another end its notices begin anew. The license as it is then.
 */
export async function changeLicense(
  ctx: TxContext,
  scope: Scope,
  before: LicenseRow,
  reasoned: ReasonedChange,
): Promise<LicenseRow> {
  const changed = differences(before, { ...before, ...LICENSE.columns(reasoned.change) })
  if (!changed) return before
  const notices = changed.to.expiration === undefined ? {} : noticesOf(ctx, before, changed.to.expiration)
  const updated = ctx.clock.now()
  const row = await updateLicenseRow(ctx.db, scope, before.id, { ...changed.to, ...notices, updated })
  if (!row) throw new Error('A license that is held is there.')
  for (const happened of eventsOf(before, row, changed, reasoned)) await record(ctx, scope, row, happened)
  return row
}

/** Cancels a license once, however many do so at once, and records `license.cancelled`. */
export async function cancelOne(ctx: TxContext, scope: Scope, license: LicenseRow): Promise<LicenseRow> {
  const row = await cancelLicenseRow(ctx.db, scope, license.id, ctx.clock.now())
  if (!row) return license
  await record(ctx, scope, row, { type: 'license.cancelled' })
  return row
}

/** A license whose end was told already does not end twice by ending at another time in the past. */
function noticesOf(ctx: TxContext, license: LicenseRow, end: UtcTime | null): Partial<Armed> {
  if (license.is_cancelled) return {}
  const now = toUtcTime(ctx.clock.of(license.product_id, license.environment))
  const wasTold = license.notice > END
  return wasTold && end !== null && end <= now ? {} : firstNotice(end, now)
}

type Changed = NonNullable<ReturnType<typeof differences<LicenseRow>>>
type Recorded = Pick<Happened, 'type'> & { readonly data?: object }

function eventsOf(
  before: LicenseRow,
  after: LicenseRow,
  changed: Changed,
  { isRenewal, isBySeller }: ReasonedChange,
): Recorded[] {
  const { from, to } = changed
  const { expiration, user_id: userId, plan_id: planId, pricing_id: pricingId } = to
  const { own, together: updated } = LICENSE.told(changed)
  const events: Recorded[] = []
  const note = (was: object, is: object) => Object.assign(updated.from, was) && Object.assign(updated.to, is)
  if (planId !== undefined) events.push(planEvent(before, after))
  if (planId === undefined ? pricingId !== undefined : isBySeller) note(priceOf(before), priceOf(after))
  if (expiration !== undefined) {
    const end = endEvent(from.expiration ?? null, expiration, isRenewal)
    if (end) events.push(end)
    else note({ expiration: from.expiration ?? null }, { expiration })
  }
  events.push(...own)
  if (userId !== undefined) {
    const data = { from: idText(from.user_id), to: idText(userId) }
    events.push({ type: 'license.ownership.changed', data })
  }
  if (Object.keys(updated.to).length > 0) events.push({ type: 'license.updated', data: updated })
  return events
}

const priceOf = ({ plan_id, pricing_id }: LicenseRow) => ({
  plan_id: String(plan_id),
  pricing_id: idText(pricing_id),
})

const planEvent = (before: LicenseRow, after: LicenseRow): Recorded => ({
  type: 'license.plan.changed',
  data: {
    from_plan_id: String(before.plan_id),
    to_plan_id: String(after.plan_id),
    from_pricing_id: idText(before.pricing_id),
    to_pricing_id: idText(after.pricing_id),
  },
})

/** `extended` and `shortened` name two times; null for a license that ceases or begins to have an end. */
function endEvent(from: UtcTime | null, to: UtcTime | null, isRenewal: true | undefined): Recorded | null {
  if (from === null || to === null) return null
  if (to < from) return { type: 'license.shortened', data: { from, to } }
  return { type: 'license.extended', data: { from, to, ...(isRenewal && { is_renewal: true }) } }
}

const record = (ctx: TxContext, scope: Scope, license: LicenseRow, { type, data }: Recorded) =>
  recordEvent(ctx, scope, {
    type,
    environment: license.environment,
    ...(license.user_id !== null && { userId: license.user_id }),
    data: { license_id: String(license.id), ...data },
  })
