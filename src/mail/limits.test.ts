import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../test/app.ts'
import { openSandboxCheckout } from '../../test/checkouts.ts'
import { changeShop } from '../../test/license-changes.ts'
import { offerFor } from '../../test/licenses.ts'
import { kindsOf, mailsTo } from '../../test/mails.ts'
import { OPT_IN, optInForm } from '../../test/opt-in.ts'
import { scopeOf } from '../../test/sales.ts'
import { transaction } from '../context.ts'
import { recoverCarts } from '../sales/carts/recover-carts-job.ts'
import { runDue } from '../jobs/worker.ts'
import { DAY, HOUR, MINUTE } from '../lib/time.ts'
import { mayMail, type Started } from './limits.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('mail_limits', { config: { trustProxy: ['127.0.0.0/8', '::1/128'] } })
})
after(() => app.close())

/** How many of so many at once are let through. */
async function letThrough(count: number, started: Started): Promise<number> {
  const one = () => transaction(app.ctx, (tx) => mayMail(tx, started))
  const passed = await Promise.all(Array.from({ length: count }, one))
  return passed.filter(Boolean).length
}

test('mails that strangers start are counted exactly, by address, install and caller, until the hour is over', async () => {
  const ada = { recipient: 'Ada@example.com', ip: null }
  assert.equal(await letThrough(40, ada), 10)
  assert.equal(await letThrough(1, { ...ada, recipient: 'ada@EXAMPLE.com ' }), 0)
  assert.equal(await letThrough(1, { ...ada, recipient: 'bea@example.com' }), 1)
  assert.equal(await letThrough(20, { recipient: 'cleo@example.com', installId: 7, ip: null }), 5)
  assert.equal(await letThrough(1, { recipient: 'cleo@example.com', installId: 8, ip: null }), 1)
  app.ctx.clock.advance(HOUR)
  assert.equal(await letThrough(40, ada), 10)
  const from = Array.from({ length: 101 }, (_, n) =>
    letThrough(5, { recipient: `p${n}@x.org`, ip: '192.0.2.9' }),
  )
  const passed = await Promise.all(from)
  assert.equal(
    passed.reduce((sum, n) => sum + n, 0),
    300,
  )
})

test('mails that were counted under a clock that was ahead keep nobody from one when that comes back', async () => {
  const { clock } = app.ctx
  const now = clock.real()
  const cleo = { recipient: 'cleo@ahead.example', ip: null }
  clock.advance(400 * DAY)
  assert.equal(await letThrough(40, cleo), 10)
  clock.set(now)
  assert.equal(await letThrough(40, cleo), 10)
  clock.advance(HOUR - 1)
  assert.equal(await letThrough(40, cleo), 0)
  clock.advance(1)
  assert.equal(await letThrough(40, cleo), 10)
})

test('of the mails to an address one caller starts three, and the last four are for callers who have started none', async () => {
  const recipient = 'owner@victim.example'
  const from = (ip: string, count = 20) => letThrough(count, { recipient, ip })
  assert.deepEqual([await from('192.0.2.20'), await from('192.0.2.21'), await from('192.0.2.20')], [3, 3, 0])
  const others = await Promise.all(['192.0.2.22', '192.0.2.23', '192.0.2.24'].map((ip) => from(ip)))
  assert.deepEqual(others, [1, 1, 1])
  const last = await Promise.all(Array.from({ length: 9 }, (_, n) => from(`192.0.2.${30 + n}`, 1)))
  assert.equal(
    last.reduce((sum, n) => sum + n, 0),
    1,
    'ten in all, to the one',
  )
  assert.equal(await letThrough(3, { recipient: 'other@victim.example', ip: '192.0.2.20' }), 3)
})

test('who has the many /64 of a /48 of IPv6 starts as many mails to an address as one caller', async () => {
  const recipient = 'six@victim.example'
  const from = (ip: string) => letThrough(1, { recipient, ip })
  const started = await Promise.all(Array.from({ length: 20 }, (_, n) => from(`2001:db8:1:${n}::1`)))
  assert.equal(
    started.reduce((sum, n) => sum + n, 0),
    3,
  )
  assert.equal(await from('2001:db8:2:1::1'), 1)
})

test('to any number of addresses too: the /64 of a /48 of IPv6 are one caller of all mails, and another /48 is another', async () => {
  const from = (ip: string, recipient: string) => letThrough(3, { recipient, ip })
  const started = await Promise.all(
    Array.from({ length: 110 }, (_, n) => from(`2001:db8:7:${n}::1`, `n${n}@many.example`)),
  )
  assert.equal(
    started.reduce((sum, n) => sum + n, 0),
    300,
  )
  assert.equal(await from('2001:db8:8:1::1', 'n500@many.example'), 3)
})

test('who has many opt-ins mailed to an address does not keep its owner from one', async () => {
  const email = 'olga@victim.example'
  const optIn = (ip: string) =>
    fetch(app.address + OPT_IN, {
      method: 'POST',
      headers: { 'x-forwarded-for': ip },
      body: new URLSearchParams({ ...optInForm(app, email), format: 'json' }),
    })
  const mailed = async () => (await mailsTo(app, email)).length
  const replies = await Promise.all(Array.from({ length: 20 }, () => optIn('192.0.2.50')))
  for (const reply of replies) assert.equal(reply.status, 200, await reply.text())
  assert.equal(await mailed(), 3)
  assert.equal((await optIn('192.0.2.51')).status, 200)
  assert.equal(await mailed(), 4)
})

test('what is bought for nothing with a typed address counts as a mail that a stranger starts, and has no receipt', async () => {
  const shop = await changeShop(app)
  const coupon = { code: 'GIFT', discount: 100, discount_type: 'percentage' }
  assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body: coupon })).status, 201)
  const buy = async (email: string, ip: string) => {
    const who = { user_email: email, country_code: 'us', plan_id: shop.plans.basic, coupon: 'GIFT' }
    const { json, text } = await shop.open({ ...shop.sandbox(), ...who })
    assert.ok(json.id, text)
    const headers = { 'x-forwarded-for': ip }
    return app.call('POST', `/checkout/sessions/${json.id}/pay.json`, { token: null, body: {}, headers })
  }
  const email = 'gifted@victim.example'
  const paid: Reply[] = []
  for (let n = 0; n < 5; n++) {
    paid.push(await buy(email, '192.0.2.60'))
    app.ctx.clock.advance(2 * MINUTE)
  }
  assert.deepEqual(
    paid.map(({ status }) => status),
    [200, 200, 200, 429, 429],
  )
  assert.ok(Number(paid[4]?.headers.get('retry-after')) > 0)
  assert.equal(kindsOf(await mailsTo(app, email)), 'license license license')
  const rest = await Promise.all(Array.from({ length: 12 }, (_, n) => buy(email, `192.0.2.${70 + n}`)))
  assert.equal(rest.filter(({ status }) => status === 200).length, 7, 'ten in all')
  const other = await buy('someone@victim.example', '192.0.2.60')
  assert.equal(other.status, 200, other.text)
})

const recovered = async (domain: string) => {
  const rows = await app.ctx.db.selectFrom('mails').select(['recipient', 'kind']).execute()
  return rows
    .filter(({ kind, recipient }) => kind === 'cart_recovery' && recipient.endsWith(domain))
    .map(({ recipient }) => recipient)
}

test('of one checkout one cart is recovered, that of the address with which its buyer went on', async () => {
  const { pricingId } = await offerFor(app, 1)
  const token = await app.write((tx) =>
    openSandboxCheckout(tx, scopeOf(app), { pricingId, email: 'typed0@relay.example' }),
  )
  const put = async (body: object) => {
    const reply = await app.call('PUT', `/checkout/sessions/${token}.json`, { token: null, body })
    assert.equal(reply.status, 200, reply.text)
  }
  const type = (n: number) => put({ user_email: `typed${n}@relay.example` })
  for (let n = 1; n <= 12; n++) await type(n)
  app.ctx.clock.advance(2 * HOUR)
  await runDue(app.ctx, [recoverCarts])
  assert.deepEqual(await recovered('@relay.example'), [], 'an address that was only typed is not mailed')
  await put({ user_firstname: 'Ann' })
  await type(11)
  await type(12)
  await put({ user_lastname: 'Lee' })
  app.ctx.clock.advance(2 * HOUR)
  await runDue(app.ctx, [recoverCarts])
  assert.deepEqual(await recovered('@relay.example'), ['typed12@relay.example'])
  await put({ user_email: 'typed13@relay.example', user_firstname: 'Ann' })
  await put({ user_email: 'typed14@relay.example', country_code: 'DE' })
  app.ctx.clock.advance(2 * DAY)
  await runDue(app.ctx, [recoverCarts])
  const mailed = await recovered('@relay.example')
  assert.deepEqual([...new Set(mailed)], ['typed12@relay.example'])
})
