import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { userOf } from '../../test/licenses.ts'

const generous = { perSecond: 1_000_000, burst: 1_000_000 }
const BURST = 4
const rate = {
  failed: generous,
  keyed: generous,
  authenticated: null,
  strangers: { perSecond: 0.5, burst: BURST },
}

let app: TestApp
before(async () => {
  app = await startTestApp('portal_login_rates', { config: { rate } })
})
after(() => app.close())

test('a portal link lets in as often as an address may leave rows behind', async () => {
  const body = { id: await userOf(app, 'ada@example.com') }
  const path = `/products/${app.seller.product.id}/portal/login.json`
  const { link } = (await app.call('POST', path, { body })).json
  const address = link.replace(app.ctx.baseUrl, app.address)
  const replies = await Promise.all(Array.from({ length: 12 }, () => fetch(address, { method: 'POST' })))
  const refused = replies.filter(({ status }) => status === 429)
  assert.equal(replies.filter(({ status }) => status === 200).length, BURST)
  assert.equal(refused.length, 12 - BURST)
  assert.ok(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0))
  const rows = await app.ctx.db.selectFrom('access_tokens').select('id').execute()
  assert.equal(rows.length, BURST)
})
