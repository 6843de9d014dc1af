// Runs on sqlite.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { release } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { expectOk } from '../../../test/installs.ts'
import { licenseOn, offerFor, userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { sandboxToken } from '../../sales/checkouts/signatures.ts'
import { issueApiToken } from '../../accounts/tokens/api-tokens.ts'

const TO_SANDBOX = { release_mode: 'released', is_sandbox: true }

let app: TestApp
let developer: CallAs
let bundle: Awaited<ReturnType<typeof makeBundle>>
before(async () => {
  app = await startTestApp('mailed_bundle')
  developer = await asDeveloper(app)
  bundle = await makeBundle()
})
after(() => app.close())

/** A bundle of both products of the seller. */
async function makeBundle() {
  const { product, other } = app.seller
  const body = { title: 'All of it', slug: 'all', is_bundle: true, members: `${product.id},${other.id}` }
  const { json } = await developer('POST', '/plugins.json', body)
  const id = Number(json.id)
  const { token } = await app.write((tx) =>
    issueApiToken(tx, { productId: id, name: 'test', expiresAt: null }),
  )
  return { id, token, json, offer: await offerFor(app, 3, { product: { id } }) }
}

async function buy(email: string): Promise<string> {
  const { id, json, offer } = bundle
  const context = String(app.ctx.clock.real() / 1000)
  const keys = { secretKey: json.secret_key, publicKey: json.public_key }
  const sandbox = { s_ctx_ts: context, sandbox: sandboxToken({ context, productId: id, ...keys }) }
  const opened = await app.call('POST', '/checkout/sessions.json', {
    token: null,
    body: { product_id: id, ...sandbox, plan_id: offer.planId, user_email: email, country_code: 'us' },
  })
  const paid = await app.call('POST', `/checkout/sessions/${opened.json.id}/pay.json`, {
    token: null,
    body: { payment_token: 'test_succeeds' },
  })
  assert.equal(paid.json.state, 'paid', paid.text)
  return paid.json.license_id
}

/** The addresses of downloads in the last mail of a kind, by their labels. */
async function downloadsIn(email: string, kind: string): Promise<ReadonlyMap<string, string>> {
  const mail = (await mailsTo(app, email)).findLast((one) => one.kind === kind)
  const found = mail?.text.matchAll(/^(Download.*): http:\/\/keywright\.test(\S+)$/gm) ?? []
  const links = new Map([...found].map(([, label = '', path = '']) => [label, app.address + path]))
  for (const [label, link] of links) {
    const path = link.slice(app.address.length).replaceAll('&', '&amp;')
    assert.ok(mail?.html.includes(`${path}">${label}</a>`), label)
  }
  return links
}

/** Which build of which version a link gives. */
async function got(link = ''): Promise<string> {
  const reply = await fetch(link)
  const sha256 = createHash('sha256')
    .update(Buffer.from(await reply.arrayBuffer()))
    .digest('hex')
  const rows = await app.ctx.db
    .selectFrom('deployments')
    .select(['version', 'premium_file'])
    .where(({ or, eb }) => or([eb('premium_file', '=', sha256), eb('free_file', '=', sha256)]))
    .execute()
  const builds = rows.map((row) => `${row.premium_file === sha256 ? 'premium' : 'free'} ${row.version}`)
  return [reply.status, ...builds].join(' ')
}

const ofBundle = (path: string, body?: object) =>
  app.call('POST', `/products/${bundle.id}${path}`, { token: bundle.token, ...(body && { body }) })

test('the mails of a bundle have a download for each of its products that has a version for its buyer', async () => {
  const { product, other } = app.seller
  await release(app, '1.1.0', TO_SANDBOX)
  const first = await buy('first@example.com')
  const [label] = (await downloadsIn('first@example.com', 'license')).keys()
  assert.equal(label, 'Download First product')

  await release(app, '2.2.0', TO_SANDBOX, other)
  await ofBundle(`/licenses/${first}/resend.json`)
  const resent = await downloadsIn('first@example.com', 'license')
  await ofBundle('/licenses/resend.json', { email: 'first@example.com' })
  const keys = await downloadsIn('first@example.com', 'license_keys')
  assert.deepEqual([[...resent.keys()], [...keys.keys()]], [LABELS, LABELS])
  for (const links of [resent, keys]) {
    assert.deepEqual(await Promise.all([...links.values()].map(got)), [
      '200 premium 1.1.0',
      '200 premium 2.2.0',
    ])
  }

  const [, link] = [...resent.values()]
  await developer('PUT', `/products/${bundle.id}/bundle/members.json`, { members: String(product.id) })
  assert.equal(await got(link), '404')
  await developer('PUT', `/products/${bundle.id}/bundle/members.json`, {
    members: `${product.id},${other.id}`,
  })
  assert.equal(await got(link), '200 premium 2.2.0')
  expectOk(await app.call('DELETE', `/products/${bundle.id}/licenses/${first}.json`, { token: bundle.token }))
  assert.equal(await got(link), '200 free 2.2.0', 'nothing that is sold')
})

test('HEAD of a mailed download takes no place of a version for a limited number of users', async () => {
  const { product } = app.seller
  await release(app, '1.2.0', { ...TO_SANDBOX, limit: 1 })
  const links: string[] = []
  for (const email of ['left@example.com', 'come@example.com']) {
    await userOf(app, email)
    const offer = await offerFor(app, 3)
    await licenseOn(app, offer, { body: { email } })
    expectOk(await app.call('POST', `/products/${product.id}/licenses/resend.json`, { body: { email } }))
    links.push(...(await downloadsIn(email, 'license_keys')).values())
  }
  const [left = '', come] = links
  assert.equal((await fetch(left, { method: 'HEAD' })).status, 200)
  assert.deepEqual([await got(come), await got(left)], ['200 premium 1.2.0', '200 premium 1.1.0'])
})

const LABELS = ['Download First product', 'Download Second product']
