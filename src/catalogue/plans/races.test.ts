import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect } from '../../db/connect.ts'
import type { Database, Writer } from '../../db/database.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { ApiError } from '../../lib/errors.ts'
import { testContext, type TestContext } from '../../../test/app.ts'
import { createOffer } from '../../../test/catalogue.ts'
import { createSeller } from '../../../test/factories.ts'
import { transaction } from '../../context.ts'
import { createFeature } from './features.ts'
import { clonePricing, createPricing, deletePricing } from './pricing.ts'
import { deletePricingRow } from './pricing-queries.ts'
import { insertPlan } from './queries.ts'
import { orderPlans } from './plan-order.ts'
import { createPlan, deletePlan, getPlan, getPlans, updatePlan } from './service.ts'

let ctx: TestContext
let drop: () => Promise<void>
let seller: Awaited<ReturnType<typeof createSeller>>
let scope: Scope
/** The database as a second process has it. */
let second: Database
before(async () => {
  const opened = await testContext('plan-races')
  ctx = opened.ctx
  second = connect(opened.databaseOptions)
  drop = async () => {
    await second.close()
    await opened.drop()
  }
  seller = await transaction(ctx, (tx) => createSeller(tx))
  scope = systemScope({ developerId: seller.developer.id, productId: seller.product.id })
})
after(() => drop())

/** The work in two processes at once, several times each. */
const inParallel = <T>(work: (db: Writer) => Promise<T>, times = 3) =>
  Promise.all(
    Array.from({ length: times }, () => [ctx.database.transaction(work), second.transaction(work)]).flat(),
  )

const services = (database: Database) => ({ ...ctx, database, db: database.reader })
const racing = <T>(work: (tx: Parameters<Parameters<typeof transaction>[1]>[0]) => Promise<T>, times = 3) =>
  Promise.allSettled(
    Array.from({ length: times }, () => [transaction(ctx, work), transaction(services(second), work)]).flat(),
  )

const flags = { is_free_localhost: true, is_block_features: true, is_block_features_monthly: true } as const
const planNamed = (name: string) => ({ ...flags, license_type: 0 as const, name })
const codesOf = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.flatMap((one) =>
    one.status === 'rejected' ? [one.reason instanceof ApiError ? one.reason.code : String(one.reason)] : [],
  )

const product = () =>
  ctx.db
    .selectFrom('products')
    .select(['plans', 'features', 'default_plan_id', 'catalogue_version as version'])
    .where('id', '=', scope.productId)
    .executeTakeFirstOrThrow()

test('of creations of one plan name at once one statement succeeds', async () => {
  const plan = await transaction(ctx, (tx) => createPlan(tx, scope, planNamed('template')))
  const { id: _, ...row } = await getPlan(ctx, scope, Number(plan.id))
  const made = await inParallel((db) => insertPlan(db, { ...row, name: 'raced' }))
  assert.equal(made.filter((one) => one !== undefined).length, 1)
})

test('of calls that create one plan name at once one is answered, the others are told that it is taken', async () => {
  const results = await racing((tx) => createPlan(tx, scope, planNamed('popular')))
  assert.deepEqual(
    codesOf(results),
    Array.from({ length: 5 }, () => 'plan_name_taken'),
  )
})

test('two plans that take one name at once: one does', async () => {
  const plans = await Promise.all(
    ['left', 'right'].map((name) => transaction(ctx, (tx) => createPlan(tx, scope, planNamed(name)))),
  )
  const results = await Promise.allSettled(
    plans.map(({ id }, place) =>
      transaction(place === 0 ? ctx : services(second), (tx) =>
        updatePlan(tx, scope, Number(id), { name: 'middle' }),
      ),
    ),
  )
  assert.deepEqual(codesOf(results), ['plan_name_taken'])
})

test('plans and features that are made and deleted at once leave orders without gaps and strangers', async () => {
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      transaction(n % 2 === 0 ? ctx : services(second), async (tx) => {
        await createFeature(tx, scope, { title: `Feature ${n}`, is_featured: true })
        return createPlan(tx, scope, planNamed(`crowd-${n}`))
      }),
    ),
  )
  const results = await Promise.allSettled(
    made
      .slice(0, 3)
      .flatMap(({ id }) => [
        transaction(ctx, (tx) => deletePlan(tx, scope, Number(id))),
        transaction(services(second), (tx) => deletePlan(tx, scope, Number(id))),
      ]),
  )
  assert.deepEqual(codesOf(results), ['not_found', 'not_found', 'not_found'])
  const { plans, features, default_plan_id: byDefault } = await product()
  for (const [table, order] of [
    ['plans', plans],
    ['features', features],
  ] as const) {
    const rows = await ctx.db
      .selectFrom(table)
      .select('id')
      .where('product_id', '=', scope.productId)
      .execute()
    const listed = order.split(',').map(Number)
    const known = new Set(rows.map(({ id }) => id))
    assert.ok(
      listed.every((id) => known.has(id)),
      `${table}: ${order}`,
    )
    assert.equal(new Set(listed).size, listed.length)
    assert.equal(known.size - listed.length, table === 'plans' ? 1 : 0, 'but the plan of the first race')
  }
  assert.ok(plans.split(',').includes(String(byDefault)))
})

test('the default plan is one that exists, when all plans go at once but one', async () => {
  const { plans } = await product()
  const ids = plans.split(',').map(Number)
  const results = await Promise.allSettled(
    ids
      .slice(0, -1)
      .map((id, n) => transaction(n % 2 === 0 ? ctx : services(second), (tx) => deletePlan(tx, scope, id))),
  )
  assert.deepEqual(codesOf(results), [])
  const after = await product()
  assert.equal(after.plans, String(ids.at(-1)))
  const rest = await ctx.db
    .selectFrom('plans')
    .select('id')
    .where('product_id', '=', scope.productId)
    .orderBy('id')
    .execute()
  assert.ok(rest.some(({ id }) => id === after.default_plan_id))
})

test('of deletions of one price at once one statement succeeds, and one call is answered', async () => {
  const { planId, pricingId } = await transaction(ctx, (tx) => createOffer(tx, scope, 'sold'))
  const { id } = await transaction(ctx, (tx) =>
    createPricing(tx, scope, planId, { annual_price: 9, licenses: 77 }),
  )
  const deleted = await inParallel((db) => deletePricingRow(db, scope, { planId, id: pricingId }))
  assert.equal(deleted.filter(Boolean).length, 1)
  const params = { plan_id: planId, pricing_id: Number(id) }
  const results = await racing((tx) => deletePricing(tx, scope, params))
  assert.deepEqual(
    codesOf(results),
    Array.from({ length: 5 }, () => 'not_found'),
  )
  const events = await ctx.db
    .selectFrom('events')
    .select('id')
    .where('type', '=', 'pricing.deleted')
    .where('data', 'like', `%"pricing_id":"${id}"%`)
    .execute()
  assert.equal(events.length, 1)
})

test('clonings at once copy each price once', async () => {
  const { planId } = await transaction(ctx, (tx) => createOffer(tx, scope, 'cloned'))
  const input = { from_currency: 'usd', to_currency: 'eur' } as const
  assert.deepEqual(codesOf(await racing((tx) => clonePricing(tx, scope, planId, input))), [])
  const rows = await ctx.db
    .selectFrom('pricing')
    .select('id')
    .where('plan_id', '=', planId)
    .where('currency', '=', 'eur')
    .execute()
  assert.equal(rows.length, 1)
})

test('changes at once raise the version once each', async () => {
  const { version } = await product()
  await racing((tx) => createFeature(tx, scope, { title: 'Versioned', is_featured: true }))
  assert.equal((await product()).version, version + 6)
})

test('an order that is written while a plan is created names it, or is refused, and no plan is lost', async () => {
  const scope = systemScope({ developerId: seller.developer.id, productId: seller.other.id })
  for (let round = 0; round < 8; round++) {
    const plans = await getPlans(ctx, scope)
    const reversed = plans.map(({ id }) => id).toReversed()
    const [ordered] = await Promise.allSettled([
      transaction(ctx, (tx) => orderPlans(tx, scope, { ids: reversed.join(',') })),
      transaction(services(second), (tx) => createPlan(tx, scope, planNamed(`meanwhile-${round}`))),
    ])
    const row = await ctx.db
      .selectFrom('products')
      .select('plans')
      .where('id', '=', scope.productId)
      .executeTakeFirstOrThrow()
    const listed = row.plans.split(',')
    assert.equal(new Set(listed).size, listed.length)
    assert.equal(listed.length, round + 1)
    const codes = codesOf([ordered])
    if (codes.length === 0) assert.deepEqual(listed.slice(0, -1), reversed)
    else assert.deepEqual(codes, ['plan_order_mismatch'])
  }
})
