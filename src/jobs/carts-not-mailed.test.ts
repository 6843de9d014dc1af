import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../test/app.ts'
import { eventsOfCart, visit } from '../../test/carts.ts'
import { mailsTo } from '../../test/mails.ts'
import { DAY, HOUR } from '../lib/time.ts'
import { mayMail } from '../mail/limits.ts'
import { recoverCarts } from './recover-carts.ts'
import { runDue } from './worker.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('carts_not_mailed')
})
after(() => app.close())

let people = 0

/** A cart that was left at the start, of a person of its own. */
async function left() {
  app.ctx.clock.set(START)
  const email = `unmailed${++people}@example.com`
  return { id: (await visit(app, { email })).id, email }
}

async function runAt(ms: number) {
  app.ctx.clock.set(ms)
  await app.write((tx) =>
    tx.db.updateTable('jobs').set({ due_at: 0 }).where('name', '=', 'recover-carts').execute(),
  )
  await runDue(app.ctx, [recoverCarts])
}

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
