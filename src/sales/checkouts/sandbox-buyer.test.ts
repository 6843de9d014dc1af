import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { offerFor, userOf } from '../../../test/licenses.ts'
import { kindsOf, mailsTo } from '../../../test/mails.ts'
import { payCheckout } from '../../../test/reports.ts'
import { scopeOf } from '../../../test/sales.ts'
import { MINUTE } from '../../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('sandbox_buyer')
})
after(() => app.close())

const buy = async (email: string) => {
  const { pricingId } = await offerFor(app, 5)
  const id = await app.write((tx) => openSandboxCheckout(tx, scopeOf(app), { pricingId, email }))
  const paid = await payCheckout(app, id, 'test_succeeds')
  assert.deepEqual([paid.status, paid.json.state], [200, 'paid'], paid.text)
  return { ...paid.json, token: id }
}

test('a sandbox, where nobody pays, shows the key of what was bought for who was not known, and mails it to who was', async () => {
  assert.match((await buy('nobody@example.com')).license_key, /^sk_/)
  await userOf(app, 'somebody@example.com')
  app.ctx.clock.advance(MINUTE)
  assert.equal((await buy('somebody@example.com')).license_key, null)
  assert.equal(kindsOf(await mailsTo(app, 'somebody@example.com')), 'confirm_email license receipt')
})

test('whether the buyer was known is no question of time: a checkout shows the key only to the person that it made', async () => {
  await userOf(app, 'just-now@example.com')
  assert.equal((await buy('just-now@example.com')).license_key, null)
  const first = await buy('twice@example.com')
  assert.match(first.license_key, /^sk_/)
  assert.equal((await buy('twice@example.com')).license_key, null)
  app.ctx.clock.advance(MINUTE)
  assert.equal((await payCheckout(app, first.token, 'test_succeeds')).json.license_key, first.license_key)
})

test('of any number of purchases in a sandbox for a typed address all are made and three mails are sent in an hour', async () => {
  for (let n = 0; n < 6; n++) await buy('often@example.com')
  assert.equal(kindsOf(await mailsTo(app, 'often@example.com')), 'license receipt license')
  app.ctx.clock.advance(61 * MINUTE)
  await buy('often@example.com')
  assert.equal((await mailsTo(app, 'often@example.com')).length, 5)
})
