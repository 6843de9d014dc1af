import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect } from '../../db/connect.ts'
import { transaction, type TxContext } from '../../context.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { testContext, type TestContext } from '../../../test/app.ts'
import { createOffer } from '../../../test/catalogue.ts'
import { createSeller } from '../../../test/factories.ts'
import { stateOf } from '../../../test/security/tables.ts'
import { clonePricing } from './pricing.ts'
import { createPlan, deletePlan } from './service.ts'

let opened: Awaited<ReturnType<typeof testContext>>
let ctx: TestContext
let scope: Scope
let planId: number
before(async () => {
  opened = await testContext('plans-broken-off')
  ctx = opened.ctx
  const { developer, product } = await transaction(ctx, (tx) => createSeller(tx))
  scope = systemScope({ developerId: developer.id, productId: product.id })
  planId = (await transaction(ctx, (tx) => createOffer(tx, scope, 'whole'))).planId
})
after(() => opened.drop())

/** Runs the work on a connection of its own that breaks before statement `n`; whether it came so far. */
async function breakBefore(n: number, work: (tx: TxContext) => Promise<unknown>): Promise<boolean> {
  let seen = 0
  const database = connect({
    ...opened.databaseOptions,
    onStatement: () => {
      seen++
      if (seen === n) throw new Error('broken off')
    },
  })
  try {
    await transaction({ ...ctx, database, db: database.reader }, work)
    return false
  } catch (error) {
    assert.match(String(error), /broken off/)
    return true
  } finally {
    await database.close()
  }
}

const works: Readonly<Record<string, (tx: TxContext) => Promise<unknown>>> = {
  'a plan that is made': (tx) =>
    createPlan(tx, scope, {
      name: 'half',
      is_free_localhost: true,
      is_block_features: true,
      is_block_features_monthly: true,
      license_type: 0,
    }),
  'prices that are cloned': (tx) =>
    clonePricing(tx, scope, planId, { from_currency: 'usd', to_currency: 'eur' }),
  'a plan that is deleted': (tx) => deletePlan(tx, scope, planId),
}
for (const [what, work] of Object.entries(works)) {
  test(`${what} and breaks off before any statement leaves all as it was`, async () => {
    const before = await stateOf(ctx.database)
    let n = 1
    while (await breakBefore(n, work)) {
      assert.equal(await stateOf(ctx.database), before, `before statement ${n}`)
      n++
    }
    assert.ok(n > 5, `${n} statements`)
    assert.notEqual(await stateOf(ctx.database), before)
  })
}
