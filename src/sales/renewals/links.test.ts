import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { installOf, licenseOn, offerFor, userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { takeLivePayments } from '../../../test/subscriptions.ts'
import { expire } from '../../licensing/notices/expire-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { issueApiToken } from '../../accounts/tokens/api-tokens.ts'
import { addMonths } from '../../lib/periods.ts'
import { DAY, fromUtcTime, type UtcTime } from '../../lib/time.ts'

let app: TestApp
let shop: ChangeShop
let developer: Awaited<ReturnType<typeof asDeveloper>>
before(async () => {
  app = await startTestApp('renewal_links')
  takeLivePayments(app)
  shop = await changeShop(app)
  developer = await asDeveloper(app)
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const codeOf = ({ status, json }: Reply) => [status, json?.error?.code]
const remind = (id: string) => app.call('POST', `${shop.base}/licenses/${id}/renewals.json`)

type SentMail = Awaited<ReturnType<typeof mailsTo>>[number]

/** The address of a checkout in a mail, as what its page sends; null: there is none. */
function linkIn({ text, html }: SentMail) {
  const [link] = /http:\/\/keywright\.test\/checkout\/\S+/.exec(text) ?? []
  assert.equal(html.includes('<a href="http://keywright.test/checkout/'), link !== undefined)
  return link === undefined ? null : Object.fromEntries(new URL(link).searchParams)
}

let people = 0

/** A license of a year that was issued at a price which is then sold at these amounts alone. */
async function issued(amounts: object) {
  const email = `issued${++people}@example.com`
  await userOf(app, email)
  const offer = await offerFor(app, 3)
  const license = await licenseOn(app, offer, { body: { email } })
  const price = `${shop.base}/plans/${offer.planId}/pricing/${offer.pricingId}.json`
  const none = { annual_price: null, monthly_price: null, lifetime_price: null }
  const put = await developer('PUT', price, { ...none, ...amounts })
  assert.equal(put.status, 200, put.text)
  return { email, id: license.id, planId: offer.planId, expiration: license.expiration as UtcTime }
}

type Issued = Awaited<ReturnType<typeof issued>>

/** The mails about the end of a license, 30, 7 and 2 days before it and a day after it, each as it falls due. */
async function noticesOf({ email, expiration }: Issued, each: (mail: SentMail) => Promise<void>) {
  const seen: string[] = []
  for (const days of [-30, -7, -2, 1]) {
    app.ctx.clock.set(fromUtcTime(expiration) + days * DAY)
    await app.ctx.database.transaction((db) =>
      db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).where('name', '=', 'expire').execute(),
    )
    const before = (await mailsTo(app, email)).length
    await runDue(app.ctx, [expire])
    for (const mail of (await mailsTo(app, email)).slice(before)) {
      seen.push(mail.kind)
      await each(mail)
    }
  }
  assert.deepEqual(seen, ['license_expiring', 'license_expiring', 'license_expiring', 'license_expired'])
}

test('each mail about the end of a license whose cycle is not sold leads to the renewal by the cycle that is', async () => {
  const license = await issued({ monthly_price: 5, lifetime_price: 300 })
  await noticesOf(license, async (mail) => {
    const { status, json, text } = await shop.open({ ...linkIn(mail), country_code: 'us' })
    assert.equal(status, 201, text)
    assert.deepEqual(
      [json.change.kind, json.billing_cycle, json.plan.id, json.quote.gross],
      ['renewal', 'monthly', String(license.planId), 5],
    )
  })
})

test('a license that is renewed by another cycle goes on from its end', async () => {
  const license = await issued({ monthly_price: 5 })
  app.ctx.clock.set(fromUtcTime(license.expiration) - 30 * DAY)
  assert.deepEqual((await remind(license.id)).json, { sent: true })
  const [mail] = (await mailsTo(app, license.email)).slice(-1)
  assert.ok(mail)
  const { json: session } = await shop.open({ ...linkIn(mail), country_code: 'us' })
  const paid = await shop.pay(session.id)
  assert.equal(paid.json.state, 'paid', paid.text)
  const { expiration } = await shop.licenseOf(license.id)
  assert.ok(fromUtcTime(expiration) >= fromUtcTime(addMonths(license.expiration, 1)))
})

test('what is sold for life alone is offered for life, and by an archived product not at all', async () => {
  const license = await issued({ lifetime_price: 300 })
  assert.deepEqual((await remind(license.id)).json, { sent: true })
  const [mail] = (await mailsTo(app, license.email)).slice(-1)
  assert.ok(mail)
  const { json: session } = await shop.open({ ...linkIn(mail), country_code: 'us' })
  assert.deepEqual([session.billing_cycle, session.quote.gross], ['lifetime', 300])
  await setActive(false)
  assert.deepEqual(codeOf(await remind(license.id)), [400, 'plan_not_sold'])
  await noticesOf(license, async (one) => {
    assert.equal(linkIn(one), null)
    assert.doesNotMatch(one.text, /renew/i)
  })
  await setActive(true)
})

async function setActive(is_active: boolean): Promise<void> {
  const body = { setting_type: 5, data: JSON.stringify({ is_active }) }
  const put = await app.call('PUT', `${shop.base}/settings.json`, { body })
  assert.equal(put.status, 200, put.text)
}

test('a checkout whose price is not sold by its cycle any more says so, and goes on with one that is', async () => {
  const offer = await offerFor(app, 1)
  const price = `${shop.base}/plans/${offer.planId}/pricing/${offer.pricingId}.json`
  const { json: session } = await shop.open({
    ...shop.sandbox(),
    pricing_id: offer.pricingId,
    user_email: 'chooses@example.com',
    user_firstname: 'Ada',
    country_code: 'us',
  })
  assert.equal((await developer('PUT', price, { annual_price: null, monthly_price: 5 })).status, 200)
  assert.deepEqual(codeOf(await shop.call('GET', `/${session.id}.json`)), [400, 'price_not_sold'])
  assert.deepEqual(codeOf(await shop.pay(session.id)), [400, 'price_not_sold'])
  const { status, json } = await shop.call('PUT', `/${session.id}.json`, { billing_cycle: 'monthly' })
  assert.deepEqual([status, json.quote?.gross], [200, 5])
})

test('a license that a bundle opened is renewed with the bundle: no mail and no link of its own', async () => {
  const made = await developer('POST', '/plugins.json', {
    title: 'All of it',
    slug: 'all-of-it',
    type: 'plugin',
    is_bundle: true,
  })
  const id = Number(made.json.id)
  const { token } = await app.write((tx) =>
    issueApiToken(tx, { productId: id, name: 'test', expiresAt: null }),
  )
  const product = { id, token }
  const members = String(app.seller.product.id)
  await developer('PUT', `/products/${id}/bundle/members.json`, { members })
  const email = 'bundled@example.com'
  await userOf(app, email, product)
  const installId = await installOf(app, { userId: await userOf(app, email) })
  const bundle = await licenseOn(app, await offerFor(app, 3, { product }), {
    product,
    body: { email, existing_install_id: String(installId) },
  })
  const { license_id: child } = (await app.call('GET', `${shop.base}/installs/${installId}.json`)).json
  assert.deepEqual((await remind(child)).json, { sent: false })
  const link = await app.call('POST', `${shop.base}/licenses/${child}/checkout/link.json`, { body: {} })
  assert.deepEqual(codeOf(link), [400, 'license_error'])
  const own = await app.call('POST', `/products/${id}/licenses/${bundle.id}/renewals.json`, { token })
  assert.deepEqual(own.json, { sent: true })
})
