import type { ReadContext, TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import type { Paged } from '../../http/wire.ts'
import { differences } from '../../lib/differences.ts'
import { invalid, invalidFields, notFound } from '../../lib/errors.ts'
import { CURRENCIES, type Currency } from '../../lib/money.ts'
import { recordEvent } from '../../events/log/record.ts'
import { touchCatalogue } from '../products/catalogue.ts'
import { freeToMove, refuseWhenInUse, removeUnlessHeld } from './in-use.ts'
import { PRICE } from './price.entity.ts'
import {
  clonePricingRows,
  deletePricingRow,
  findPrice,
  findPricing,
  insertPricing,
  listCurrencies,
  listPricing,
  updatePricingRow,
} from './pricing-queries.ts'
import {
  presentPricing,
  type Pricing,
  type PricingClone,
  type PricingCreate,
  type PricingRow,
  type PricingUpdate,
} from './pricing-schema.ts'
import { getPlan } from './service.ts'

interface PricingOfPlan {
  readonly plan_id: number
  readonly pricing_id: number
}

/** The price's row; 404 when the plan has no such price, or the product no such plan. */
export async function getPricing(
  ctx: ReadContext,
  scope: Scope,
  { plan_id: planId, pricing_id: id }: PricingOfPlan,
): Promise<PricingRow> {
  const [pricing] = await findPricing(ctx.db, scope, { planId, id })
  if (!pricing) throw notFound('price')
  return pricing
}

/** A price whatever plan it is of; 404 when the product has none such. */
export async function getPrice(ctx: ReadContext, scope: Scope, id: number): Promise<PricingRow> {
  const [pricing] = await findPrice(ctx.db, scope, { id })
  if (!pricing) throw notFound('price')
  return pricing
}

/** A page of a plan's prices, by number of licenses, unlimited last; 404 when there is no such plan. */
export async function getPricingOfPlan(
  ctx: ReadContext,
  scope: Scope,
  planId: number,
  query: Paged & { readonly currency?: Currency },
): Promise<Pricing[]> {
  await getPlan(ctx, scope, planId)
  const { count, offset } = query
  const equal = PRICE.columns(PRICE.read('filter', query))
  const rows = await listPricing(ctx.db, scope, { planId, equal, count, offset })
  return rows.map(presentPricing)
}

/** The currencies in which the product has prices, always in the same order. */
export async function getCurrencies(ctx: ReadContext, scope: Scope): Promise<Currency[]> {
  const rows = await listCurrencies(ctx.db, scope, {})
  return CURRENCIES.filter((currency) => rows.some((row) => row.currency === currency))
}

const CYCLES = ['monthly_price', 'annual_price', 'lifetime_price'] as const

/** A price that is none in every cycle cannot be sold. */
export async function checkPricingCreate(body: PricingCreate, problems: Problems): Promise<void> {
  if (CYCLES.some((cycle) => typeof body[cycle] === 'number' || problems.has(cycle))) return
  for (const field of CYCLES) problems.missing.push({ field, message: 'is required, or another price' })
}

/**
 * Adds a price to a plan: US dollars and one license unless the input says otherwise. 400 `pricing_licenses_taken`
 * when the plan has one for this number of licenses in this currency.
 */
export async function createPricing(
  ctx: TxContext,
  scope: Scope,
  planId: number,
  input: PricingCreate,
): Promise<Pricing> {
  await touchCatalogue(ctx.db, scope)
  await getPlan(ctx, scope, planId)
  const row = await insertPricing(ctx.db, {
    ...PRICE.initial,
    ...PRICE.columns(PRICE.read('create', input)),
    plan_id: planId,
    product_id: scope.productId,
    created: ctx.clock.now(),
    updated: null,
  })
  if (!row) throw licensesTaken()
  await recordEvent(ctx, scope, { type: 'pricing.created', data: idsOf(row) })
  return presentPricing(row)
}

/**
 * Writes what was given and differs. A price may move to another plan of the product (404 when there is
 * none), unless something holds it (400 `pricing_in_use`). One of its cycles at least keeps a price. 400
 * `pricing_licenses_taken` where another price has its place.
 */
export async function updatePricing(
  ctx: TxContext,
  scope: Scope,
  params: PricingOfPlan,
  input: PricingUpdate,
): Promise<Pricing> {
  const seen = await getPricing(ctx, scope, params)
  if (!changeOf(seen, input)) return presentPricing(seen)
  await touchCatalogue(ctx.db, scope)
  const before = await getPricing(ctx, scope, params)
  const change = { ...written(input), updated: ctx.clock.now() }
  const after = { ...before, ...change }
  refusePriceOfNothing(after, input)
  if (after.plan_id !== before.plan_id) {
    await getPlan(ctx, scope, after.plan_id)
    await freeToMove(ctx, scope, { planId: before.plan_id, pricingId: before.id })
  }
  const isMoved = (['plan_id', 'currency', 'licenses'] as const).some((name) => after[name] !== before[name])
  const place = isMoved ? after : null
  if (!(await updatePricingRow(ctx.db, scope, { id: before.id, place, change }))) throw licensesTaken()
  const data = { ...idsOf(after), ...changeOf(before, input) }
  await recordEvent(ctx, scope, { type: 'pricing.updated', data })
  return presentPricing(after)
}

/** As for a price that is added: 400 naming the cycles that were taken out, when none is left. */
function refusePriceOfNothing(after: PricingRow, input: PricingUpdate): void {
  const takenOut = CYCLES.filter((cycle) => input[cycle] === null)
  if (takenOut.length === 0 || CYCLES.some((cycle) => after[cycle] !== null)) return
  const message = 'must not be null without a price in another cycle'
  throw invalidFields(takenOut.map((field) => ({ field, message })))
}

/** Removes a price; 404 when the plan has no such price, 400 `pricing_in_use` when something holds it. */
export async function deletePricing(ctx: TxContext, scope: Scope, params: PricingOfPlan): Promise<void> {
  const { plan_id: planId, pricing_id: id } = params
  await touchCatalogue(ctx.db, scope)
  await getPricing(ctx, scope, params)
  await refuseWhenInUse(ctx, scope, { planId, pricingId: id })
  const remove = () => deletePricingRow(ctx.db, scope, { planId, id })
  if (!(await removeUnlessHeld(ctx, { planId, pricingId: id }, remove))) throw notFound('price')
  await recordEvent(ctx, scope, { type: 'pricing.deleted', data: idsOf({ id, plan_id: planId }) })
}

export async function checkPricingClone(body: PricingClone, problems: Problems): Promise<void> {
  const { from_currency: from, to_currency: to } = body
  if (to === undefined && !problems.has('to_currency')) {
    problems.missing.push({ field: 'to_currency', message: 'is required' })
  } else if (to !== undefined && to === from) {
    problems.malformed.push({ field: 'to_currency', message: 'must differ from from_currency' })
  }
}

/**
 * Copies a plan's prices into another currency, amount for amount: the seller then corrects what shall
 * differ. A number of licenses that has a price there already keeps it, so that cloning again adds only
 * what is new. Returns what was added.
 */
export async function clonePricing(
  ctx: TxContext,
  scope: Scope,
  planId: number,
  { from_currency: from, to_currency: to = from }: PricingClone,
): Promise<Pricing[]> {
  await getPlan(ctx, scope, planId)
  await touchCatalogue(ctx.db, scope)
  const now = ctx.clock.now()
  const rows = await clonePricingRows(ctx.db, scope, { planId, from, to, now })
  for (const row of rows) await recordEvent(ctx, scope, { type: 'pricing.created', data: idsOf(row) })
  return rows.map(presentPricing)
}

const licensesTaken = () =>
  invalid(
    'pricing_licenses_taken',
    'The plan has a price for this number of licenses in this currency.',
    'licenses',
  )

const idsOf = ({ id, plan_id: planId }: Pick<PricingRow, 'id' | 'plan_id'>) => ({
  pricing_id: String(id),
  plan_id: String(planId),
})

const written = (input: PricingUpdate) => PRICE.columns(PRICE.read('update', input))

const changeOf = (row: PricingRow, input: PricingUpdate) =>
  differences(presentPricing(row), presentPricing({ ...row, ...written(input) }))
