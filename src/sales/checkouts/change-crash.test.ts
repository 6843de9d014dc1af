// Runs slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp, type TestContext } from '../../../test/app.ts'
import { dyingProcess } from '../../../test/dying.ts'
import { offerFor } from '../../../test/licenses.ts'
import { subscribed } from '../../../test/subscriptions.ts'
import { transaction } from '../../context.ts'
import type { ChargeRequest, Gateway } from '../../gateways/gateway.ts'
import { systemScope } from '../../access/scope.ts'
import { settlePurchases } from './settle-purchases-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, MINUTE } from '../../lib/time.ts'
import type { CheckoutOpen } from './schema.ts'
import { licenseAuthorization } from './license-links.ts'
import { openCheckout } from './open-checkout.ts'
import { askForPurchase } from './pay-checkout.ts'
import { settleCheckout } from './settle-checkout.ts'

let app: TestApp
let plans: number[]
before(async () => {
  app = await startTestApp('checkout_change_crash')
})
after(() => app.close())

const from = () => systemScope({ developerId: 0, productId: 0 })

/** A gateway that pays, and says for which keys; it may end its caller before or after it has. */
function paying(heard: string[], dies?: 'before' | 'after'): Gateway {
  const test = app.ctx.gateways.find(({ code }) => code === 'test')
  if (!test) throw new Error('There is a test gateway.')
  let isFirst = true
  const hear = (key: string) => {
    const isLast = isFirst && dies !== undefined
    isFirst = false
    if (isLast && dies === 'before') throw new Error('The process ended before the gateway heard of it.')
    heard.push(key)
    if (isLast) throw new Error('The process ended before it heard of the gateway.')
    return { token: `stored_${key}`, kind: 'card', card: null } as const
  }
  return {
    ...test,
    async charge({ key }: ChargeRequest) {
      return { outcome: 'paid', externalId: `paid_${key}`, fee: 30, method: hear(key) }
    },
    async setUp({ key }) {
      return { outcome: 'ready', externalId: `ready_${key}`, method: hear(key) }
    },
  }
}

type Sold = Awaited<ReturnType<typeof subscribed>>

async function sold(): Promise<Sold> {
  const made = await subscribed(app, { cycle: 12 })
  plans = [made.subscription.plan_id, (await offerFor(app, 1)).planId]
  return made
}

/** A checkout of a license by a link of its seller. */
async function opened({ licenseId }: Sold, input: Partial<CheckoutOpen>): Promise<string> {
  const { product } = app.seller
  const license = { id: licenseId, product_id: product.id }
  const authorization = await licenseAuthorization(app.ctx, { license, wanted: {}, lastsMs: DAY })
  const given = { product_id: product.id, license_id: licenseId, authorization, country_code: 'US', ...input }
  return (await app.write((tx) => openCheckout(tx, from(), given, {}))).token
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

/** The plan of the license, its payments, and its subscriptions. */
async function standingOf({ licenseId }: Sold) {
  const { db } = app.ctx
  const license = await db
    .selectFrom('licenses')
    .select('plan_id')
    .where('id', '=', licenseId)
    .executeTakeFirstOrThrow()
  const payments = await db.selectFrom('payments').select('id').where('license_id', '=', licenseId).execute()
  const all = await db.selectFrom('subscriptions').selectAll().where('license_id', '=', licenseId).execute()
  const active = all.filter(({ canceled_at: at }) => at === null)
  return { plan: license.plan_id, payments: payments.length, active, count: all.length }
}
type Standing = Awaited<ReturnType<typeof standingOf>>

interface Case {
  /** How its subscription is before it. */
  readonly owes?: object
  readonly input: (before: Standing) => Partial<CheckoutOpen>
  readonly plan: (before: Standing) => number
  readonly payments: number
  /** Of its statements one of so many is the last; 1: each. */
  readonly every: number
}

const other = ({ plan }: Standing): number => plans.find((id) => id !== plan) ?? 0

const CASES: Readonly<Record<string, Case>> = {
  'an upgrade': { input: (before) => ({ plan_id: other(before) }), plan: other, payments: 1, every: 1 },
  'a payment of what is owed': {
    owes: { outstanding_balance: 1_200, failed_payments: 1, attempt: 1 },
    input: () => ({ is_payment_method_update: true }),
    plan: ({ plan }) => plan,
    payments: 1,
    every: 7,
  },
  'another method of payment': {
    input: () => ({ is_payment_method_update: true }),
    plan: ({ plan }) => plan,
    payments: 0,
    every: 7,
  },
}

/** Opened long after what was paid before is over. */
async function begun(made: Sold, { owes, input }: Case) {
  app.ctx.clock.advance(400 * DAY)
  if (owes) {
    await app.ctx.database.transaction((db) =>
      db
        .updateTable('subscriptions')
        .set(owes)
        .where('license_id', '=', made.licenseId)
        .where('canceled_at', 'is', null)
        .execute(),
    )
  }
  const before = await standingOf(made)
  return { before, token: await opened(made, input(before)), keys: [] as string[] }
}

interface Done {
  readonly before: Standing
  readonly keys: readonly string[]
  readonly what: string
}

async function isWholeOrNot(made: Sold, one: Case, { before, keys, what }: Done): Promise<void> {
  assert.ok(new Set(keys).size <= 1, `${what}: ${keys.join(', ')}`)
  const { plan, payments, active, count } = await standingOf(made)
  const isCharged = keys.length > 0
  assert.deepEqual(
    [plan, payments, active.length, count],
    isCharged
      ? [one.plan(before), before.payments + one.payments, 1, before.count + 1]
      : [before.plan, before.payments, 1, before.count],
    what,
  )
  if (isCharged) assert.deepEqual([active[0]?.outstanding_balance, active[0]?.attempt], [0, 0], what)
}

for (const [name, one] of Object.entries(CASES)) {
  test(`R04: ${name} that is cut before a statement is done once and wholly, or not at all`, async () => {
    app.ctx.clock.set(START)
    const made = await sold()
    let isWhole = false
    for (let n = 1; !isWhole; n += one.every) {
      const { before, token, keys } = await begun(made, one)
      const gateways = [paying(keys)]
      const dying = dyingProcess(app, n)
      try {
        await pay({ ...dying.ctx, gateways }, token).catch(() => {})
        isWhole = !dying.isDead()
      } finally {
        await dying.close()
      }
      await reconcile(gateways)
      await isWholeOrNot(made, one, { before, keys, what: `cut before statement ${n}` })
    }
  })

  test(`R04: ${name} that is cut before or after its call to the gateway is done once, by the job`, async () => {
    app.ctx.clock.set(START)
    const made = await sold()
    for (const dies of ['before', 'after'] as const) {
      const { before, token, keys } = await begun(made, one)
      const gateways = [paying(keys, dies)]
      await assert.rejects(pay({ ...app.ctx, gateways }, token))
      assert.equal((await standingOf(made)).count, before.count)
      await reconcile(gateways)
      assert.ok(keys.length > 0)
      await isWholeOrNot(made, one, { before, keys, what: `cut ${dies} the call` })
    }
  })
}
