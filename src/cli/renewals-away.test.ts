// Runs on sqlite, beside others, slowly.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { lastFirst } from '../../test/last-first.ts'
import { ask, serve, type Serving } from '../../test/serve.ts'
import { stripeShop } from '../../test/stripe/renewals.ts'
import { renewSandboxes } from '../sales/renewals/renew-job.ts'
import { SystemClock } from '../lib/clock.ts'
import { DAY, fromUtcTime } from '../lib/time.ts'

type T = { after(done: () => unknown): void }

/** A shop whose last server was killed some days ago, with a monthly subscription that was sold then. */
async function shopLeft(t: T, name: string, days: number) {
  const shop = await stripeShop(name)
  const atEnd = lastFirst(t)
  atEnd(() => shop.close())
  const now = new SystemClock().real()
  await shop.goTo(now - days * DAY)
  const sold = await shop.sold(0)
  return {
    shop,
    sold,
    now,
    charged: () => shop.stripe.api.intents.size - sold.made,
    begin: beginIn(atEnd, shop),
  }
}

type Shop = Awaited<ReturnType<typeof stripeShop>>

/** Starts real servers on a shop. */
const beginIn =
  (atEnd: ReturnType<typeof lastFirst>, { app, stripe }: Shop) =>
  async (): Promise<Serving> => {
    const { apiBase, webhookSecret } = stripe.config
    const serving = await serve(app.databaseOptions, {
      KEYWRIGHT_STRIPE_SECRET_KEY: 'sk_live_local',
      KEYWRIGHT_STRIPE_WEBHOOK_SECRET: webhookSecret,
      KEYWRIGHT_STRIPE_API_BASE: apiBase ?? '',
    })
    atEnd(() => serving.stop())
    return serving
  }

async function untilHeld({ address }: Serving, figure: '0' | '1'): Promise<void> {
  const read = async () => (await fetch(`${address}/metrics`)).text()
  const line = new RegExp(`^keywright_renewals_held ${figure}$`, 'm')
  while (!line.test(await read())) await sleep(20)
}

/** Waits for a look at all jobs: the one that comes after that of renewals is made due, and runs. */
async function untilLooked({ app }: Shop): Promise<void> {
  const { db } = app.ctx
  const name = renewSandboxes.name
  await app.write((tx) =>
    tx.db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).where('name', '=', name).execute(),
  )
  const dueAt = async () => {
    const job = db.selectFrom('jobs').select('due_at').where('name', '=', name)
    return (await job.executeTakeFirstOrThrow()).due_at
  }
  while ((await dueAt()) === 0) await sleep(20)
}

async function killed({ process: child }: Serving): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

test('a server that is started nine months after the last one was killed charges nobody before the operator says so, and then one period', async (t) => {
  const { shop, sold, now, charged, begin } = await shopLeft(t, 'away_months', 270)
  const { databaseOptions } = shop.app
  const first = await begin()
  await untilHeld(first, '1')
  await killed(first)
  const second = await begin()
  await untilHeld(second, '1')
  for (let looks = 0; looks < 3; looks++) {
    await untilLooked(shop)
    assert.equal(charged(), 0)
  }
  const { code } = await ask(databaseOptions, ['renewals', 'resume', '--json'])
  assert.equal(code, 0)
  while ((await shop.renewalsOf(sold)).length === 0) await sleep(20)
  await untilHeld(second, '0')
  const { next_payment: next, period_start: start } = await shop.subscriptionOf(sold.subscriptionId)
  assert.ok(fromUtcTime(start) < now && fromUtcTime(next ?? start) > now, `${start} to ${next}`)
  assert.deepEqual([charged(), (await shop.renewalsOf(sold)).length], [1, 1])
})

test('one that is started two days after goes on by itself, with what fell due meanwhile', async (t) => {
  const { shop, sold, charged, begin } = await shopLeft(t, 'away_days', 32)
  shop.app.ctx.clock.advance(30 * DAY)
  await shop.goTo(shop.app.ctx.clock.real())
  const serving = await begin()
  while ((await shop.renewalsOf(sold)).length === 0) await sleep(20)
  await untilHeld(serving, '0')
  assert.equal(charged(), 1)
})
