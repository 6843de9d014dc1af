// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { userOf } from '../../../test/licenses.ts'
import { GENEROUS, letThrough } from '../../../test/rates.ts'

const BURST = 4
const rate = {
  ...GENEROUS,
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
  assert.equal(letThrough(replies), BURST)
  const rows = await app.ctx.db.selectFrom('access_tokens').select('id').execute()
  assert.equal(rows.length, BURST)
})
