import type { GoingOn } from '../../db/list-start.ts'
import { pageReader, type Context, type ReadContext, type TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { differences } from '../../lib/differences.ts'
import { invalidFields, notFound, unauthorized } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { parseNumberList } from '../../lib/number-list.ts'
import { recordEvent } from '../../events/log/record.ts'
import { evaluate, type Evaluation, type Purchase } from './evaluate.ts'
import type { CouponCreate, CouponUpdate } from './input-schema.ts'
import { insertCoupon, knownPlans, lockCoupon, updateCouponRow } from './queries.ts'
import { findByCode, findCoupon } from './coupon-rows.ts'
import { countCoupons, listCoupons } from './list-queries.ts'
import {
  presentCoupon,
  presentEnriched,
  type Coupon,
  type CouponList,
  type CouponRow,
  type ListedCoupon,
} from './schema.ts'
import { changedValues, newValues, problemsOf } from './values.ts'

/** A product's coupons, with those of its store to read; or, with `ofStore`, those of a store of the developer. */
export interface CouponScope extends Scope {
  readonly ofStore?: number
}

/** The coupon's row; 404 when neither the product nor its store has it. */
export async function getCoupon(ctx: ReadContext, scope: CouponScope, id: number): Promise<CouponRow> {
  const coupon = await findCoupon(ctx.db, scope, id)
  if (!coupon) throw notFound('coupon')
  return coupon
}

/** A page of coupons, newest first, by prefix in the order of codes (`docs/interface.md` 9.2). */
export async function getCoupons(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: CouponScope,
  query: CouponList & GoingOn,
): Promise<ListedCoupon[]> {
  const filter = filterOf(query)
  const { code, prefix, part } = filter
  const isFiltered = code !== undefined || prefix !== undefined || part !== undefined
  const db = part === undefined ? pageReader(ctx, query) : ctx.database.background
  const rows = await listCoupons(db, scope, filter)
  return rows.map(query.is_enriched && !isFiltered ? presentEnriched : presentCoupon)
}

/** How many coupons a list has, counted no further than its `count`. */
export const totalOfCoupons = (
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: CouponScope,
  query: CouponList,
): Promise<number> => countCoupons(ctx.database.background, scope, filterOf(query))

function filterOf(query: CouponList & GoingOn) {
  const [code, prefix, part] = [query.code, query.prefix, query.search].map(foldedText)
  const { count, offset, below, sort } = query
  return { code, prefix, part, id: idOf(part), sort, count, offset, below }
}

const foldedText = (text: string | undefined) =>
  text === undefined ? undefined : fold(text.trim()) || undefined

const idOf = (text: string | undefined) =>
  text !== undefined && /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined

/** Adds what a new coupon breaks beside its single fields to the problems of the request. */
export async function checkCreate(
  ctx: ReadContext,
  scope: CouponScope,
  body: CouponUpdate,
  problems: Problems,
): Promise<void> {
  addTo(problems, problemsOf(newValues(body, ctx.clock.now()), body))
  await checkPlans(ctx, scope, { ids: planIdsOf(body.plans), kept: [] }, problems)
}

/** What is wrong with a change of a coupon; what does not exist breaks nothing, and is 404 afterwards. */
export async function checkUpdate(
  ctx: ReadContext,
  scope: CouponScope,
  { id, body }: { readonly id: number; readonly body: CouponUpdate },
  problems: Problems,
): Promise<void> {
  const before = problems.has('coupon_id') ? undefined : await findCoupon(ctx.db, scope, id)
  if (before) addTo(problems, problemsOf(changedValues(before, body, ctx.clock.now()), body))
  const plans = { ids: planIdsOf(body.plans), kept: planIdsOf(before?.plans) }
  await checkPlans(ctx, scope, plans, problems)
}

/** Rules over several fields wait until each of those is well-formed and there. */
function addTo(problems: Problems, found: ReturnType<typeof problemsOf>): void {
  const wrong = [...problems.malformed, ...problems.missing].map(({ field }) => field.split('.')[0] ?? '')
  const isAlone = (field: string) =>
    !(RELATED[field.split('.')[0] ?? ''] ?? []).some((one) => wrong.includes(one))
  problems.malformed.push(...found.filter(({ field }) => isAlone(field)))
}

const AMOUNTS = ['discount', 'discount_type', 'discounts']
const DATES = ['start_date', 'end_date']
const RELATED: Readonly<Record<string, readonly string[]>> = {
  discount: AMOUNTS,
  discounts: AMOUNTS,
  start_date: DATES,
  end_date: DATES,
}

const planIdsOf = (plans: string | null | undefined): readonly number[] =>
  typeof plans === 'string' ? (parseNumberList(plans) ?? []) : []

/** Those that the coupon names already are `kept`, also when they were deleted since: it can be sent back as it is. */
async function checkPlans(
  ctx: ReadContext,
  scope: CouponScope,
  { ids, kept }: { readonly ids: readonly number[]; readonly kept: readonly number[] },
  problems: Problems,
): Promise<void> {
  const added = ids.filter((id) => !kept.includes(id))
  if (added.length === 0) return
  const known = await knownPlans(ctx.db, scope, added)
  const unknown = added.filter((id) => !known.has(id))
  if (unknown.length === 0) return
  problems.malformed.push({ field: 'plans', message: `has no plans with the IDs ${unknown.join(', ')}` })
}

export async function createCoupon(ctx: TxContext, scope: CouponScope, input: CouponCreate): Promise<Coupon> {
  const now = ctx.clock.now()
  const coupon = await insertCoupon(ctx.db, {
    ...newValues(input, now),
    product_id: scope.ofStore === undefined ? scope.productId : null,
    store_id: scope.ofStore ?? null,
    created: now,
    updated: null,
  })
  await recordEvent(ctx, scope, { type: 'coupon.created', data: { coupon_id: String(coupon.id) } })
  return presentCoupon(coupon)
}

/** Writes what was given and differs; a change that changes nothing writes and records nothing. */
export async function updateCoupon(
  ctx: TxContext,
  scope: CouponScope,
  id: number,
  input: CouponUpdate,
): Promise<Coupon> {
  const before = await holdCoupon(ctx, scope, id)
  const now = ctx.clock.now()
  const values = changedValues(before, input, now)
  const problems = problemsOf(values, input)
  if (problems.length > 0) throw invalidFields(problems)
  const changed = differences(before, values)
  if (!changed) return presentCoupon(before)
  const shown = differences(presentCoupon(before), presentCoupon({ ...before, ...values }))
  const after = await updateCouponRow(ctx.db, scope, id, { ...changed.to, updated: now })
  if (!after) throw notFound('coupon')
  const data = { coupon_id: String(id), ...shown }
  await recordEvent(ctx, scope, { type: 'coupon.updated', data })
  return presentCoupon(after)
}

/**
 * Holds the coupon's row until the end of the transaction. 404 when there is none; 401 for a product that
 * wants to change the coupon of its store, which it only reads.
 */
async function holdCoupon(ctx: TxContext, scope: CouponScope, id: number): Promise<CouponRow> {
  const coupon = await lockCoupon(ctx.db, scope, id)
  if (coupon) return coupon
  await getCoupon(ctx, scope, id)
  throw unauthorized('unauthorized_access', 'This coupon belongs to the store, which alone may change it.')
}

/** Marks a coupon as deleted: nothing finds it any more, and payments can still name it. */
export async function removeCoupon(ctx: TxContext, scope: CouponScope, id: number): Promise<void> {
  await holdCoupon(ctx, scope, id)
  await updateCouponRow(ctx.db, scope, id, { deleted_at: ctx.clock.now() })
  await recordEvent(ctx, scope, { type: 'coupon.deleted', data: { coupon_id: String(id) } })
}

/** The coupons of a code, which may exist several times. */
export const couponsWithCode = ({ db }: ReadContext, scope: Scope, code: string) =>
  findByCode(db, scope, { codeFolded: fold(code.trim()) })

/**
 * What a code takes off a purchase of the scope's product: of its own coupons first, then of its parent's
 * and its store's, the oldest first (`docs/decisions.md` 5.3).
 */
export async function evaluateCode(
  ctx: ReadContext,
  scope: Scope,
  code: string,
  purchase: Purchase,
): Promise<Evaluation<CouponRow>> {
  const candidates = await couponsWithCode(ctx, scope, code)
  const rank = (coupon: CouponRow) =>
    coupon.product_id === scope.productId ? 0 : coupon.product_id === null ? 2 : 1
  return evaluate(
    candidates.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id),
    purchase,
  )
}
