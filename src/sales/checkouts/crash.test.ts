import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp, type TestContext } from '../../../test/app.ts'
import { dyingProcess } from '../../../test/dying.ts'
import { offerFor } from '../../../test/licenses.ts'
import { redemptionsOf } from '../../../test/redemptions.ts'
import { transaction } from '../../context.ts'
import type { Gateway } from '../../gateways/gateway.ts'
import { systemScope } from '../../access/scope.ts'
import { settlePurchases } from './settle-purchases-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { fromUtcTime, MINUTE } from '../../lib/time.ts'
import type { CheckoutOpen } from './schema.ts'
import { openCheckout } from './open-checkout.ts'
import { askForPurchase } from './pay-checkout.ts'
import { settleCheckout } from './settle-checkout.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('checkout_crash')
})
after(() => app.close())

const from = () => systemScope({ developerId: 0, productId: 0 })

/** A gateway that pays, for production too, and says for which keys. */
function paying(heard: string[]): Gateway {
  const test = app.ctx.gateways.find(({ code }) => code === 'test')
  if (!test) throw new Error('There is a test gateway.')
  return {
    ...test,
    environments: [0, 1],
    async charge({ key }) {
      heard.push(key)
      const method = { token: `stored_${key}`, kind: 'card', card: null } as const
      return { outcome: 'paid', externalId: `paid_${key}`, fee: 30, method }
    },
  }
}

let people = 0

async function opened(more: Partial<CheckoutOpen> = {}) {
  const { planId, pricingId } = await offerFor(app, 1)
  return app.write((tx) =>
    openCheckout(
      tx,
      from(),
      {
        product_id: app.seller.product.id,
        plan_id: planId,
        pricing_id: pricingId,
        billing_cycle: 'annual',
        user_email: `crash${++people}@example.com`,
        country_code: 'US',
        ...more,
      },
      {},
    ),
  )
}

/** What the request does: asks, then settles. */
async function pay(ctx: TestContext, token: string): Promise<void> {
  const asked = await askForPurchase(ctx, from(), token, { payment_token: 'test_succeeds' })
  if (asked) await transaction(ctx, (tx) => settleCheckout(tx, asked))
}

async function reconcile(gateways: readonly Gateway[]): Promise<void> {
  app.ctx.clock.advance(10 * MINUTE)
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('jobs')
      .set({ due_at: 0, lease_until: 0 })
      .where('name', '=', 'settle-purchases')
      .execute(),
  )
  await runDue({ ...app.ctx, gateways }, [settlePurchases])
}

test('R04: a purchase that is cut before any statement is charged once with its license, or not at all', async () => {
  let isWhole = false
  for (let n = 1; !isWhole; n++) {
    app.ctx.clock.set(START + n * 60 * MINUTE)
    const { token, row } = await opened()
    const keys: string[] = []
    const gateways = [paying(keys)]
    const dying = dyingProcess(app, n)
    try {
      await pay({ ...dying.ctx, gateways }, token).catch(() => {})
      isWhole = !dying.isDead()
    } finally {
      await dying.close()
    }
    await reconcile(gateways)
    const {
      state,
      license_id: license,
      payment_id: payment,
    } = await app.ctx.db
      .selectFrom('checkouts')
      .selectAll()
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow()
    assert.ok(new Set(keys).size <= 1, `cut before statement ${n}: ${keys.join(', ')}`)
    const isCharged = keys.length > 0
    const found = await app.ctx.db
      .selectFrom('payments')
      .select('id')
      .where('plan_id', '=', row.plan_id)
      .execute()
    const licenses = await app.ctx.db
      .selectFrom('licenses')
      .select('id')
      .where('plan_id', '=', row.plan_id)
      .execute()
    assert.deepEqual(
      [state, license !== null, payment !== null, found.length, licenses.length],
      isCharged ? ['paid', true, true, 1, 1] : ['open', false, false, 0, 0],
      `cut before statement ${n}`,
    )
  }
})

test('a purchase for nothing whose process ends before it is settled is settled by the job, once', async () => {
  app.ctx.clock.set(START)
  const body = { code: 'NOTHING', discount: 100, discount_type: 'percentage', redemptions_limit: 5 }
  const base = `/products/${app.seller.product.id}/coupons`
  const { json: coupon } = await app.call('POST', `${base}.json`, { body })
  const { token, row } = await opened({ coupon: 'NOTHING' })
  const asked = await askForPurchase(app.ctx, from(), token, {})
  assert.equal(asked?.charge, null)
  await reconcile(app.ctx.gateways)
  await reconcile(app.ctx.gateways)
  assert.equal(await transaction(app.ctx, (tx) => settleCheckout(tx, asked)), undefined)
  const paid = await app.ctx.db
    .selectFrom('checkouts')
    .innerJoin('payments', 'payments.id', 'checkouts.payment_id')
    .select(['checkouts.state', 'checkouts.license_id', 'payments.gross'])
    .where('checkouts.id', '=', row.id)
    .executeTakeFirst()
  assert.ok(paid?.license_id)
  assert.deepEqual([paid.state, paid.gross], ['paid', 0])
  const sold = await app.ctx.db
    .selectFrom('payments')
    .select('id')
    .where('plan_id', '=', row.plan_id)
    .execute()
  assert.equal(sold.length, 1)
  assert.deepEqual(await redemptionsOf(app, coupon.id), { live: 1, sandbox: 0 })
})

test('a purchase for nothing that cannot be settled is tried until its checkout is over, and then let go', async () => {
  app.ctx.clock.set(START)
  const body = { code: 'BROKEN', discount: 100, discount_type: 'percentage', redemptions_limit: 5 }
  const { json: coupon } = await app.call('POST', `/products/${app.seller.product.id}/coupons.json`, { body })
  const { token, row } = await opened({ coupon: 'BROKEN' })
  await askForPurchase(app.ctx, from(), token, {})
  const checkout = () =>
    app.ctx.db
      .selectFrom('checkouts')
      .select(['state', 'kept', 'expires_at'])
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow()
  const before = await checkout()
  // What it was priced at cannot be read any more.
  const kept = JSON.stringify({ ...(JSON.parse(before.kept ?? '') as object), quote: null })
  await app.write(({ db }) => db.updateTable('checkouts').set({ kept }).where('id', '=', row.id).execute())
  const counted = async () => [(await checkout()).state, (await redemptionsOf(app, coupon.id)).live]
  await reconcile(app.ctx.gateways)
  assert.deepEqual(await counted(), ['paying', 1])
  app.ctx.clock.set(fromUtcTime(before.expires_at))
  await reconcile(app.ctx.gateways)
  assert.deepEqual(await counted(), ['open', 0])
})

for (const isPaidMeanwhile of [false, true]) {
  const end = isPaidMeanwhile ? 'what was paid meanwhile is bought' : 'lets go of its checkout and coupon'
  test(`a confirmation that its buyer leaves for an hour is ended, and ${end}`, async () => {
    app.ctx.clock.set(START)
    const code = `LEFT${isPaidMeanwhile}`
    const body = { code, discount: 10, discount_type: 'percentage', redemptions_limit: 1 }
    const base = `/products/${app.seller.product.id}/coupons`
    const { json: coupon } = await app.call('POST', `${base}.json`, { body })
    const { token, row } = await opened({ coupon: code })
    const waits = {
      outcome: 'pending',
      externalId: 'waits',
      confirmationUrl: 'https://bank.example/',
    } as const
    const ended: string[] = []
    const gateway: Gateway = {
      ...paying([]),
      charge: async () => waits,
      retrieveCharge: async () => ({ charge: waits, dispute: null }),
      async cancel(id) {
        ended.push(id)
        if (isPaidMeanwhile) return { outcome: 'paid', externalId: id, fee: 0, method: null }
        return { outcome: 'declined', externalId: id, reason: 'confirmation_failed', message: 'No.' }
      },
    }
    const stateOf = async () => {
      const found = await app.ctx.db
        .selectFrom('checkouts')
        .select('state')
        .where('id', '=', row.id)
        .execute()
      return found[0]?.state
    }
    await pay({ ...app.ctx, gateways: [gateway] }, token)
    await reconcile([gateway])
    assert.deepEqual([ended, await stateOf()], [[], 'paying'])
    app.ctx.clock.advance(60 * MINUTE)
    await reconcile([gateway])
    assert.deepEqual([ended, await stateOf()], [['waits'], isPaidMeanwhile ? 'paid' : 'open'])
    assert.equal((await redemptionsOf(app, coupon.id)).live, isPaidMeanwhile ? 1 : 0)
  })
}
