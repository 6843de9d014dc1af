import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { proofOf } from '../../../test/checkouts.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { kindsOf, mailsTo } from '../../../test/mails.ts'
import { codeOf } from '../../../test/trials.ts'
import { DAY, HOUR } from '../../lib/time.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('checkout_result_user')
  shop = await changeShop(app)
})
after(() => app.close())

let people = 0
async function bought(body: object = {}) {
  const who = { user_email: `result${++people}@example.com`, user_firstname: 'Ada', country_code: 'us' }
  const opened = await shop.open({ ...shop.sandbox(), ...who, plan_id: shop.plans.basic, ...body })
  const { json, text } = await shop.pay(opened.json.id)
  assert.equal(json.state, 'paid', text)
  return { json, email: who.user_email, id: opened.json.id as string }
}

const again = (address: string) =>
  app.call('POST', address.replace('http://keywright.test/v1', ''), { token: null })

test('a proven buyer is told of itself what clients read; who only typed the address is told nothing by which it was known', async () => {
  const { json, email } = await bought()
  const { id, public_key: key, created, email: shown } = json.user
  assert.deepEqual([id, key, created, shown], [null, null, null, email])
  const proven = await bought({ ...(await proofOf(app, email)), plan_id: shop.plans.pro })
  const { users } = await shop.get(`/users.json?email=${email}`)
  const { user } = proven.json
  assert.deepEqual(
    [user.id, user.public_key, user.created],
    [users[0].id, users[0].public_key, users[0].created],
  )
  assert.equal(user.secret_key, undefined)
  assert.deepEqual(Object.keys(json.user), Object.keys(user))
})

test('portal_url lets a proven buyer in for an hour, to that product alone; anybody else is led to where a link is asked for', async () => {
  const { json, email } = await bought()
  assert.equal(json.portal_url, `${app.ctx.baseUrl}/portal/?product_id=${app.seller.product.id}`)
  const proven = await bought({ ...(await proofOf(app, email)), plan_id: shop.plans.pro })
  const link = String(proven.json.portal_url).replace(app.ctx.baseUrl, app.address)
  const enter = () => fetch(link, { method: 'POST', redirect: 'manual', headers: { accept: 'text/html' } })
  const entered = await enter()
  assert.equal(entered.status, 303)
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const session = await app.call('GET', '/portal/session.json', { token: null, headers: { cookie } })
  assert.equal(session.json.user.email, email)
  app.ctx.clock.advance(HOUR)
  assert.equal((await enter()).status, 404)
})

test('resend_email_endpoint mails the key again for a day, also to who only typed the address, and no stranger too often', async () => {
  const { json, email, id } = await bought()
  const address = json.user.resend_email_endpoint as string
  assert.ok(!address.includes(id), 'it opens nothing of the checkout')
  const first = await again(address)
  assert.deepEqual([first.status, first.json], [200, { success: true }])
  assert.equal(kindsOf(await mailsTo(app, email)), 'license receipt license')
  for (let n = 0; n < 5; n++) assert.equal((await again(address)).status, 200)
  assert.ok((await mailsTo(app, email)).length <= 6)
  assert.deepEqual(codeOf(await again(`${address}x`)).at(0), 404)
  app.ctx.clock.advance(DAY)
  assert.equal((await again(address)).status, 404)
})

test('nothing is mailed again to who has the license by now, and a license key alone gets no such address', async () => {
  const { json, email } = await bought()
  const other = await bought()
  await app.write((tx) =>
    tx.db
      .updateTable('licenses')
      .set({ user_id: tx.db.selectFrom('users').select('id').where('email', '=', other.email) })
      .where('id', '=', Number(json.license_id))
      .execute(),
  )
  assert.equal((await again(json.user.resend_email_endpoint)).status, 200)
  assert.equal((await mailsTo(app, email)).length, 2)
  assert.equal((await mailsTo(app, other.email)).length, 2)
  const { key } = await shop.buy()
  const changed = await bought({ license_key: key, plan_id: shop.plans.pro })
  assert.equal(changed.json.user, null)
})
