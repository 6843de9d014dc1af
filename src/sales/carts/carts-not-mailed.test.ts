import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { eventsOfCart, productScope, visit } from '../../../test/carts.ts'
import { userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { cartsToRecover } from './recover-carts-queries.ts'
import { giveUpCarts } from './recover-carts.ts'
import type { CartTouch } from './touch-cart.ts'
import { DAY, HOUR, MINUTE, toUtcTime } from '../../lib/time.ts'
import { mayMail } from '../../mail/limits.ts'
import { completeCart } from './service.ts'
import { recoverCarts } from './recover-carts-job.ts'
import { runDue } from '../../jobs/worker.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('carts_not_mailed')
})
after(() => app.close())

let people = 0

/** A cart that was left at the start, of a person of its own. */
async function left(touch: Partial<CartTouch> = {}) {
  app.ctx.clock.set(START)
  const email = `unmailed${++people}@example.com`
  return { id: (await visit(app, { email, ...touch })).id, email }
}

async function runAt(ms: number) {
  app.ctx.clock.set(ms)
  await app.write((tx) =>
    tx.db.updateTable('jobs').set({ due_at: 0 }).where('name', '=', 'recover-carts').execute(),
  )
  await runDue(app.ctx, [recoverCarts])
}

/** How many mails about carts went to an address. */
const mails = async (email: string) =>
  (await mailsTo(app, email)).filter(({ kind }) => kind === 'cart_recovery').length
const statusOf = async (id: number) =>
  (await app.call('GET', `/products/${app.seller.product.id}/carts/${id}.json`)).json.status

test('a mail that is one too many is not sent, and its cart not written as mailed', async () => {
  const { id, email } = await left()
  app.ctx.clock.set(START + HOUR)
  for (let n = 0; n < 10; n++) await app.write((tx) => mayMail(tx, { recipient: email, ip: null }))
  await runAt(START + HOUR)
  await runAt(START + 5 * DAY)
  assert.deepEqual([await statusOf(id), await mailsTo(app, email)], ['abandoned', []])
  assert.deepEqual(await eventsOfCart(app, id), ['cart.created', 'cart.abandoned'])
})

test('a product that wants no mails about left carts has them given up and nobody mailed', async () => {
  const write = async (isOn: boolean) => {
    const body = { setting_type: 4, data: JSON.stringify({ enable_cart_recovery: isOn }) }
    const reply = await app.call('PUT', `/products/${app.seller.product.id}/settings.json`, { body })
    assert.equal(reply.status, 200, reply.text)
  }
  const { id, email } = await left()
  await write(false)
  await runAt(START + HOUR)
  await write(true)
  await runAt(START + 5 * DAY)
  assert.deepEqual([await statusOf(id), await mailsTo(app, email)], ['abandoned', []])
  assert.deepEqual(await eventsOfCart(app, id), ['cart.created', 'cart.abandoned'])
})

test('of the carts that were left with one address one is mailed about, however many are given up at once', async () => {
  const { email } = await left({ visitor: 'the first browser' })
  for (const visitor of ['another browser 1', 'another browser 2', null]) await visit(app, { email, visitor })
  const now = toUtcTime(START + HOUR)
  const found = await cartsToRecover(app.ctx.db, { environment: 0, now, real: START + HOUR, limit: 100 })
  const same = found.filter((cart) => cart.email === email)
  assert.equal(same.length, 4)
  app.ctx.clock.set(START + HOUR)
  await Promise.allSettled(same.map((cart) => app.write((tx) => giveUpCarts(tx, [cart], now))))
  assert.equal(await mails(email), 1)
  await runAt(START + HOUR + MINUTE)
  const statuses = await Promise.all(same.map(({ id }) => statusOf(id)))
  assert.deepEqual(statuses.toSorted(), ['abandoned', 'abandoned', 'abandoned', 'email_1_sent'])
  await runAt(START + 3 * DAY)
  assert.equal(await mails(email), 2)
})

test('what is left after a purchase is mailed about, and what was mailed before it is no more', async () => {
  const { id, email } = await left({ visitor: 'a browser of before' })
  await runAt(START + HOUR)
  const { id: bought } = await visit(app, { email, visitor: 'a browser to buy in' })
  const userId = Number(await userOf(app, email))
  await app.write((tx) => completeCart(tx, productScope(app), { cartId: bought, userId, gross: 100 }))
  await runAt(START + 5 * DAY)
  assert.deepEqual([await statusOf(id), await mails(email)], ['abandoned', 1])
  const events = await eventsOfCart(app, id)
  assert.deepEqual(events, ['cart.created', 'cart.abandoned', 'cart.recovery.email_1_sent'])
  const { id: later } = await visit(app, { email, visitor: 'a browser to buy in' })
  await runAt(START + 5 * DAY + HOUR)
  assert.deepEqual([await statusOf(later), await mails(email)], ['email_1_sent', 2])
})
