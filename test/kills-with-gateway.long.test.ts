import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { lookAgainAtCharges } from '../src/sales/charges/look-again-job.ts'
import { settlePurchases } from '../src/sales/checkouts/settle-purchases-job.ts'
import { settleRefunds } from '../src/sales/refunds/settle-refunds-job.ts'
import { settleRenewals } from '../src/sales/renewals/settle-renewals-job.ts'
import { runDue } from '../src/jobs/worker.ts'
import { DAY, toUtcTime } from '../src/lib/time.ts'
import { issueAccessToken } from '../src/accounts/tokens/access-tokens.ts'
import { startTestApp, type TestApp } from './app.ts'
import { lastFirst } from './last-first.ts'
import { offerFor } from './licenses.ts'
import { PLAYED, type Fault, type Played } from './live-gateways.ts'
import { ask, serve, type Serving } from './serve.ts'

/** Of one the whole number, of the other enough for each kind of request. */
const KILLS = { cards: 60, wallets: 30 } as const
/** What is begun at once before each kill. */
const PURCHASES = 6
const RENEWALS = 4
/** So many answers of ten are lost, and so many requests. */
const LOST = 4
const RESET = 1

/** What the shop was told. */
interface Told {
  readonly payments: string[]
  readonly refunds: string[]
}

interface Shop {
  readonly app: TestApp
  readonly played: Played
  readonly pricingId: number
  readonly developer: Readonly<Record<string, string>>
  readonly told: Told
}

const faultOf = (): Fault => {
  const n = Math.random() * 10
  return n < LOST ? 'lost' : n < LOST + RESET ? 'reset' : 'none'
}

const json = { 'content-type': 'application/json' }
let buyers = 0

async function post(address: string, path: string, body: object, headers: object = {}) {
  const init = { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) }
  const response = await fetch(`${address}/v1${path}`, init)
  return (await response.json()) as { state?: string; id?: string; payment?: { id: string } }
}

/** A live purchase; what it was told when it was answered. */
async function buy({ app, played, pricingId, told }: Shop, address: string): Promise<void> {
  const { id } = await post(address, '/checkout/sessions.json', {
    product_id: app.seller.product.id,
    pricing_id: pricingId,
    user_email: `kill${++buyers}@example.com`,
    user_firstname: 'Ada',
    country_code: 'US',
    cart: false,
  })
  const path = `/checkout/sessions/${id}/pay.json`
  for (let times = 0; times < 3; times++) {
    const { state, payment } = await post(address, path, { payment_token: played.method })
    if (state !== 'paid') continue
    told.payments.push(payment?.id ?? '')
    return
  }
}

/** Has the renewals of some subscriptions fall due now that are paid and not due; these. */
async function makeDue({ app }: Shop): Promise<readonly number[]> {
  const now = toUtcTime(Date.now())
  return app.write(async ({ db }) => {
    const paid = await db
      .selectFrom('subscriptions')
      .select('id')
      .where('canceled_at', 'is', null)
      .where('due_at', '>', now)
      .orderBy('updated')
      .limit(RENEWALS)
      .execute()
    const ids = paid.map(({ id }) => id)
    const change = { next_payment: now, due_at: now, period_anchor: now, lease_until: 0, updated: now }
    if (ids.length > 0) await db.updateTable('subscriptions').set(change).where('id', 'in', ids).execute()
    return ids
  })
}

/** Cancels what may be in the middle of its renewal. */
async function cancel({ app }: Shop, address: string, id: number | undefined): Promise<void> {
  if (id === undefined) return
  const { id: product, token } = app.seller.product
  const headers = { authorization: `Bearer ${token}` }
  await fetch(`${address}/v1/products/${product}/subscriptions/${id}.json`, { method: 'DELETE', headers })
}

/** Gives a payment back that was not; half of it, half of the times. */
async function refund({ app, developer, told }: Shop, address: string): Promise<void> {
  const { product, developer: owner } = app.seller
  const payment = await app.ctx.db
    .selectFrom('payments')
    .select('id')
    .where('type', '=', 'payment')
    .where('refunded_gross', '=', 0)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!payment) return
  const path = `/developers/${owner.id}/products/${product.id}/payments/${payment.id}/refunds.json`
  const made = await post(address, path, Math.random() < 0.5 ? { amount: 5 } : {}, developer)
  if (made.id !== undefined) told.refunds.push(made.id)
}

/** Works a server until it is killed, at a random moment. */
async function workAndDie(shop: Shop, { process, address }: Serving): Promise<void> {
  const due = await makeDue(shop)
  const work = [
    ...Array.from({ length: PURCHASES }, () => buy(shop, address)),
    cancel(shop, address, due[0]),
    refund(shop, address),
  ]
  const done = Promise.allSettled(work)
  await Promise.race([sleep(200 + Math.random() * 3_000), done])
  const exited = once(process, 'exit')
  process.kill('SIGKILL')
  await Promise.all([exited, done])
}

const isOpen = ({ ctx: { db } }: TestApp) =>
  db.selectFrom('charges').selectAll().where('state', 'in', ['started', 'pending']).execute()

/** Nobody holds anything any more: the jobs find what was left, as they do when its time has come. */
async function settleLeft(app: TestApp): Promise<void> {
  for (let times = 0; times < 3; times++) {
    app.ctx.clock.set(Date.now())
    await app.write(async ({ db }) => {
      await db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).execute()
      await db.updateTable('charges').set({ lease_until: 0 }).execute()
    })
    await runDue(app.ctx, [settlePurchases, settleRenewals, settleRefunds, lookAgainAtCharges])
  }
}

/** The day is over after which what was let go as never made is looked up for the last time. */
async function settleForGood(app: TestApp): Promise<void> {
  await app.write(({ db }) =>
    db.updateTable('charges').set({ look_at: Date.now() }).where('look_at', 'is not', null).execute(),
  )
  await settleLeft(app)
}

/** What was begun is a day older, and so is the first look that did not find it: two decide that it was never made. */
async function growOld(app: TestApp): Promise<void> {
  const ids = (await isOpen(app)).map(({ id }) => id)
  if (ids.length === 0) return
  const before = Date.now() - DAY
  await app.write(async ({ db }) => {
    const open = db.updateTable('charges').where('id', 'in', ids)
    await open.set({ created: toUtcTime(before) }).execute()
    await open.set({ missed_at: before }).where('missed_at', 'is not', null).execute()
  })
}

/** Each charge and refund of the gateway that is not in the books exactly once. */
async function unbooked({ ctx: { db } }: TestApp, played: Played) {
  const payments = await db.selectFrom('payments').select(['id', 'type', 'external_id']).execute()
  const charges = await db.selectFrom('charges').selectAll().where('purpose', '=', 'refund').execute()
  const unbought = charges.filter(({ payment_id: id }) => id === null)
  const [paid, refunds] = [played.charged(), new Set(played.givenBack())]
  const timesOf = (id: string, type: string) =>
    payments.filter((one) => one.type === type && one.external_id === id).length +
    unbought.filter(({ details, external_id: made }) =>
      type === 'payment' ? details?.includes(`"${id}"`) === true : made === id,
    ).length
  return {
    charged: paid.length,
    givenBack: refunds.size,
    faults: [
      ...paid.filter(({ id }) => timesOf(id, 'payment') !== 1).map(({ id }) => id),
      ...[...refunds].filter((id) => timesOf(id, 'refund') !== 1),
    ],
    missing: payments.filter(
      ({ type, external_id: id }) =>
        id !== null && !(type === 'refund' ? refunds.has(id) : played.hasCharge(id)),
    ),
    keys: new Set(paid.map(({ key }) => key)).size,
  }
}

const IN_ORDER = ['integrity', 'clock', 'stored keys', 'audit log', 'renewals', 'charges', 'gateways']

for (const kind of ['cards', 'wallets'] as const) {
  const kills = KILLS[kind]
  test(`${kills} kills under load with a gateway of ${kind} that loses answers: each charge of it is one payment or given back, and none is open`, async (t) => {
    const played = await PLAYED[kind]()
    const atEnd = lastFirst(t)
    atEnd(() => played.close())
    const app = await startTestApp(`kills_with_gateway_${kind}`, { at: Date.now() })
    atEnd(() => app.close())
    Object.assign(app.ctx, { gateways: [played.gateway] })
    const env = {
      ...played.env,
      KEYWRIGHT_RATE_CHECKOUTS: '10000/10000',
      KEYWRIGHT_RATE_STRANGERS: '10000/10000',
    }
    const { id } = app.seller.developer
    const { access } = await app.write((tx) => issueAccessToken(tx, { developerId: id, userId: null }))
    const shop: Shop = {
      app,
      played,
      pricingId: (await offerFor(app, 1)).pricingId,
      developer: { authorization: `FSA ${id}:${access}` },
      told: { payments: [], refunds: [] },
    }
    for (let kill = 0; kill < kills; kill++) {
      const server = await serve(app.databaseOptions, env)
      atEnd(() => server.stop())
      played.faults.splice(0, Infinity, ...Array.from({ length: 200 }, faultOf))
      await workAndDie(shop, server)
    }
    const left = (await isOpen(app)).length
    played.faults.length = 0
    await settleLeft(app)
    played.forgetKeys()
    for (let looks = 0; looks < 2; looks++) {
      await growOld(app)
      await settleLeft(app)
    }
    await settleForGood(app)
    assert.deepEqual(await isOpen(app), [])
    const { charged, givenBack, faults, missing, keys } = await unbooked(app, played)
    assert.deepEqual([faults, missing, keys], [[], [], charged])
    const booked = await app.ctx.db.selectFrom('payments').select('id').execute()
    const known = new Set(booked.map(({ id }) => String(id)))
    const lost = [...shop.told.payments, ...shop.told.refunds].filter((id) => !known.has(id))
    assert.deepEqual(lost, [], 'answered and lost')
    const ledger = await ask(app.databaseOptions, ['ledger', 'check', '--json'], env)
    assert.equal(ledger.code, 0, ledger.text)
    const doctor = await ask(app.databaseOptions, ['doctor', '--json'], env)
    const { checks } = JSON.parse(doctor.text) as { checks: { check: string; status: string }[] }
    const found = checks.filter(({ check }) => IN_ORDER.includes(check))
    assert.deepEqual(
      found.map(({ check, status }) => `${check} ${status}`),
      IN_ORDER.map((check) => `${check} ok`),
      doctor.text,
    )
    t.diagnostic(
      `${kills} kills of ${kind}: ${charged} charges, ${givenBack} given back, ${left} open after the last kill, ` +
        `${shop.told.payments.length} purchases answered`,
    )
  })
}
