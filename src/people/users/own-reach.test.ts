import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asUser } from '../../../test/callers.ts'
import { createOwner, holding, keysIn } from '../../../test/installs.ts'
import { opened } from '../../../test/key-only-site.ts'
import { kindsOf, mailsTo } from '../../../test/mails.ts'
import { textOfPdf } from '../../../test/pdf.ts'
import { sell } from '../../../test/sales.ts'
import type { Keys } from '../../catalogue/sellers/create-seller.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('own_reach')
  clients = clientsOf(app)
})
after(() => app.close())

const product = () => `/products/${app.seller.product.id}`

/** A person with a license whose key a site was told, and no more. */
async function told() {
  const email = `${newUid()}@example.com`
  const owner = await createOwner(app, email)
  const sold = await sell(app, { owner })
  const { json } = await clients.active(sold.license)
  return {
    ...sold,
    owner,
    email,
    installId: json['install_id'] ?? '',
    ...holding(app, json),
    whole: asUser(app, owner),
  }
}

const answer = ({ status, json }: Reply) => `${status} ${json?.error?.code ?? 'ok'}`
const REFUSED = '400 account_verification_required'

test('with a license key nobody renames its owner, lets it be mailed, or puts it into the beta program', async () => {
  const { owner, user, whole } = await told()
  const person = async () => (await app.call('GET', `${product()}/users/${owner.id}.json`)).json
  assert.equal((await whole('PUT', '.json', { is_marketing_allowed: null })).status, 200)
  const before = await person()
  for (const body of [
    { name: 'Pay at evil' },
    { first: 'Pay' },
    { last: 'Pay' },
    { is_marketing_allowed: true },
    { is_beta: true },
    { is_marketing_allowed: false, first: 'Pay' },
  ])
    assert.equal(answer(await user('PUT', '.json', body)), REFUSED, JSON.stringify(body))
  assert.deepEqual(await person(), before)
  const same = { first: before.first, last: before.last, is_beta: false, is_marketing_allowed: null }
  assert.equal((await user('PUT', '.json', same)).status, 200)
  assert.deepEqual(await person(), before)
})

test('with a license key consent to mail is taken back, and given again by its owner alone', async () => {
  const { user, whole } = await told()
  assert.equal((await whole('PUT', '.json', { is_marketing_allowed: true })).json.is_marketing_allowed, true)
  assert.equal((await user('PUT', '.json', { is_marketing_allowed: false })).json.is_marketing_allowed, false)
  for (const value of [true, null])
    assert.equal(answer(await user('PUT', '.json', { is_marketing_allowed: value })), REFUSED)
  assert.equal((await whole('PUT', '.json', { is_marketing_allowed: true })).json.is_marketing_allowed, true)
})

test('with a license key nobody says where its owner may use it, hides its seller, or reviews it', async () => {
  const { license, user, whole } = await told()
  const site = await whole('POST', `/licenses/${license.id}/sites.json`, {
    kind: 'deny',
    pattern: 'a.example',
  })
  assert.equal(site.status, 201, site.text)
  const review = { rate: 20, text: 'No.', is_active: true }
  const tries: readonly Parameters<typeof user>[] = [
    ['POST', `/licenses/${license.id}/sites.json`, { kind: 'deny', pattern: 'b.example' }],
    ['POST', `/licenses/${license.id}/sites.json`, { kind: 'allow', pattern: 'b.example' }],
    ['DELETE', `/licenses/${license.id}/sites/${site.json.id}.json`],
    ['PUT', `/licenses/${license.id}.json`, { is_whitelabeled: true }],
    ['POST', `/licenses/${license.id}/reviews.json`, review],
    ['GET', `/licenses/${license.id}/review_url.json`],
  ]
  for (const given of tries) assert.equal(answer(await user(...given)), REFUSED, `${given[0]} ${given[1]}`)
  const { json } = await user('GET', `/licenses/${license.id}/sites.json`)
  assert.deepEqual(
    json.sites.map(({ pattern }: { pattern: string }) => pattern),
    ['a.example'],
  )
  const read = await app.call('GET', `${product()}/licenses/${license.id}.json`)
  assert.equal(read.json.is_whitelabeled, false)
  assert.equal((await app.call('GET', `${product()}/reviews.json`)).json.reviews.length, 0)
  for (const given of tries.slice(3))
    assert.ok((await whole(...given)).status < 300, `${given[0]} ${given[1]}`)
})

test('with a license key its renewals are ended, as its site may end them, and its owner is mailed', async () => {
  const ends = [
    ({ user, subscription }: Awaited<ReturnType<typeof told>>) =>
      user('DELETE', `/subscriptions/${subscription.id}.json`),
    ({ user, license }: Awaited<ReturnType<typeof told>>) =>
      user('DELETE', `/licenses/${license.id}/subscription.json`),
    ({ install }: Awaited<ReturnType<typeof told>>) =>
      install('PUT', '/downgrade.json', { deactivate_license: false }),
  ]
  for (const end of ends) {
    const sold = await told()
    const reply = await end(sold)
    assert.equal(reply.status, 200, reply.text)
    const { json } = await app.call('GET', `${product()}/subscriptions/${sold.subscription.id}.json`)
    assert.ok(json.canceled_at)
    assert.match(kindsOf(await mailsTo(app, sold.email)), /subscription_cancelled$/)
    const resumed = sold.user('POST', `/subscriptions/${sold.subscription.id}/resume.json`)
    assert.equal(answer(await resumed), REFUSED, 'what is charged to its owner')
  }
})

const PERSONAL = ['ip', 'country_code', 'zip_postal_code', 'vat_id', 'user_card_id'] as const

test('with a license key its payments and subscriptions do not tell where their buyer is, nor what it paid with', async () => {
  const { license, payment, subscription, installId, user, install, whole } = await told()
  await app.ctx.database.transaction(async (db) => {
    for (const table of ['payments', 'subscriptions'] as const)
      await db
        .updateTable(table)
        .set({ vat_id: 'DE123456789', external_id: 'ch_secret' })
        .where('license_id', '=', Number(license.id))
        .execute()
  })
  const paths = [
    '/payments.json',
    '/payments.json?extended=true',
    `/payments/${payment.id}.json`,
    '/subscriptions.json?extended=true',
    `/subscriptions/${subscription.id}.json`,
    `/subscriptions/${subscription.id}/payments.json`,
    `/licenses/${license.id}/subscription.json`,
    `/installs/${installId}/payments.json`,
    `/installs/${installId}/licenses/${license.id}/subscriptions.json`,
  ]
  const rowsOf = ({ json }: Reply) => [...(json.payments ?? json.subscriptions ?? [json])]
  const ofInstall = paths.slice(-2).map((path) => [install, path.replace(/^\/installs\/\d+/, '')] as const)
  for (const [call, path] of [...paths.map((one) => [user, one] as const), ...ofInstall]) {
    const reply = await call('GET', path)
    assert.equal(reply.status, 200, `${path}: ${reply.text}`)
    const rows = rowsOf(reply)
    assert.ok(rows.length > 0, path)
    for (const row of rows) {
      assert.equal(row.external_id, '', path)
      for (const name of PERSONAL) assert.equal(row[name], null, `${path}: ${name}`)
    }
    assert.doesNotMatch(reply.text, /ch_secret|DE123456789|192\.0\.2\.7|10115/, path)
  }
  for (const path of paths) {
    for (const row of rowsOf(await whole('GET', path)))
      assert.deepEqual(
        [row.vat_id, row.external_id, row.country_code],
        ['DE123456789', 'ch_secret', 'de'],
        path,
      )
  }
})

test('with a license key subscriptions are found by their id alone, not by an address or what a gateway calls them', async () => {
  const { user, whole, email, subscription } = await told()
  const found = async (call: typeof user, search: string) =>
    (await call('GET', `/subscriptions.json?search=${encodeURIComponent(search)}`)).json.subscriptions.length
  assert.deepEqual([await found(user, email), await found(whole, email)], [0, 1])
  assert.equal(await found(user, String(subscription.id)), 1)
})

/** A card that a person has paid with. */
const cardOf = ({ id }: { readonly id: number }) =>
  app.write(async ({ db, keys, clock }) => {
    const token = keys.seal('a token', 'payment_methods.token')
    const card = { kind: 'card', brand: 'visa', last4: '4242', expiry_month: 12, expiry_year: 2099 } as const
    const at = { product_id: app.seller.product.id, user_id: id, gateway: 'test', environment: 0 } as const
    const row = { ...at, ...card, token, created: clock.now(), updated: null }
    const { id: made } = await db
      .insertInto('payment_methods')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
    return made
  })

test('with a license key its invoice names the buyer alone, and what it was paid with by its kind', async () => {
  const owner = await createOwner(app, `${newUid()}@example.com`)
  const address = { address_street: 'Hidden Street 7', address_city: 'Berlin', tax_id: 'DE123456788' }
  const path = `${product()}/users/${owner.id}/billing.json`
  assert.equal((await app.call('PUT', path, { body: address })).status, 200)
  const sold = await sell(app, { owner, payment: { payment_method_id: await cardOf(owner) } })
  const { json } = await clients.active(sold.license)
  const invoice = `/v1/users/${owner.id}/payments/${sold.payment.id}/invoice.pdf`
  const textFor = async (keys: Keys) => textOfPdf((await opened(app, keys, invoice)).bytes)
  const [whole, own] = [await textFor(owner), await textFor(keysIn(json, 'user'))]
  for (const part of ['Hidden Street 7', 'Berlin', '4242']) {
    assert.ok(whole.includes(part) && !own.includes(part), `${part} in: ${own}`)
  }
  for (const part of ['INV-', 'Some Body', 'Visa']) assert.ok(own.includes(part), `${part} in: ${own}`)
})
