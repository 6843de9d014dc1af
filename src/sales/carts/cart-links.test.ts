import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { visit } from '../../../test/carts.ts'
import { offerFor } from '../../../test/licenses.ts'
import { auditOf } from '../../../test/logins.ts'
import { mailsTo } from '../../../test/mails.ts'
import { DAY, HOUR } from '../../lib/time.ts'
import { recoverCarts } from './recover-carts-job.ts'
import { runDue } from '../../jobs/worker.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('cart_links')
})
after(() => app.close())

const cartPath = (id: number) => `/products/${app.seller.product.id}/carts/${id}.json`
const read = async (id: number) => (await app.call('GET', cartPath(id))).json
const change = async (id: number, body: object) => {
  const { status, text } = await app.call('PUT', cartPath(id), { body })
  assert.equal(status, 200, text)
}

/** A cart that was left, with what the mail about it leads to. */
async function mailed(email: string) {
  app.ctx.clock.advance(DAY)
  const { planId, pricingId } = await offerFor(app, 5)
  const { id } = await visit(app, { email, first: 'Ann', plan_id: planId, pricing_id: pricingId })
  app.ctx.clock.advance(2 * HOUR)
  await runDue(app.ctx, [recoverCarts])
  const [{ text = '' } = {}] = await mailsTo(app, email)
  const [, token = ''] = /cart_token=([\w.-]+)/.exec(text) ?? []
  const [, link = ''] = /(\/unsubscribe\/[\w.-]+)/.exec(text) ?? []
  assert.ok(token !== '' && link !== '', text)
  const open = () =>
    app.call('POST', '/checkout/sessions.json', {
      token: null,
      body: { product_id: app.seller.product.id, cart_token: token },
    })
  return { id, open, url: app.address + link }
}

test('what was mailed about a cart opens nothing once the cart is of another address', async () => {
  const { id, open, url } = await mailed('ann@example.com')
  assert.equal((await open()).json.buyer.email, 'ann@example.com')
  await change(id, { email: 'bob@private.example', first: 'Bob', last: 'Secretname' })
  const opened = await open()
  assert.deepEqual([opened.status, opened.json.error.code], [400, 'invalid_cart_token'])
  for (const method of ['GET', 'POST']) {
    const page = await fetch(url, { method })
    assert.equal(page.status, 404)
    assert.ok(!(await page.text()).includes('bob@'))
  }
  assert.equal((await read(id)).is_unsubscribed, false)
})

test('it goes on with the same address in other letters, and for another name', async () => {
  const { id, open, url } = await mailed('cleo@example.com')
  await change(id, { email: 'Cleo@Example.com', first: 'Cleopatra' })
  assert.equal((await open()).json.buyer.first, 'Cleopatra')
  assert.equal((await fetch(url, { method: 'POST' })).status, 200)
  assert.equal((await read(id)).is_unsubscribed, true)
})

test('who unsubscribes again leaves nothing in the audit log', async () => {
  const { url } = await mailed('dora@example.com')
  const rows = async () => (await auditOf(app, 'keywright/unsubscribe-cart')).length
  const before = await rows()
  for (let n = 0; n < 5; n++) assert.equal((await fetch(url, { method: 'POST' })).status, 200)
  assert.equal(await rows(), before + 1)
})
