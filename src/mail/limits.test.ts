import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { openSandboxCheckout } from '../../test/checkouts.ts'
import { offerFor } from '../../test/licenses.ts'
import { scopeOf } from '../../test/sales.ts'
import { transaction } from '../context.ts'
import { recoverCarts } from '../jobs/recover-carts.ts'
import { runDue } from '../jobs/worker.ts'
import { DAY, HOUR } from '../lib/time.ts'
import { mayMail, type Started } from './limits.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('mail_limits')
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
  const from = Array.from({ length: 31 }, (_, n) =>
    letThrough(10, { recipient: `p${n}@x.org`, ip: '192.0.2.9' }),
  )
  const passed = await Promise.all(from)
  assert.equal(
    passed.reduce((sum, n) => sum + n, 0),
    300,
  )
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
