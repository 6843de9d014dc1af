import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type Method, type Reply, type TestApp } from '../../../test/app.ts'
import type { CallAs } from '../../../test/callers.ts'
import { expectOk } from '../../../test/installs.ts'
import { licenseOf, userOf } from '../../../test/licenses.ts'
import { createAddon } from '../../../test/catalogue.ts'
import { asEntered, inPortal } from '../../../test/portal-sessions.ts'
import { subscribed } from '../../../test/subscriptions.ts'
import { contentsOf } from '../../../test/whole-database.ts'
import { operations } from '../../app.ts'
import { systemScope } from '../../access/scope.ts'
import { writeSetting } from '../../catalogue/products/settings.ts'
import { refusalsOf } from '../../http/refusals.ts'
import type { License } from '../../licensing/licenses/schema.ts'
import { portalLink } from './portal-link.ts'
import { LAWFUL_PARTS, PERSONS_PARTS, PORTAL_PARTS, type PortalPart } from '../../access/portal-parts.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('switched_off')
})
beforeEach(async () => {
  app.ctx.clock.set(START)
  for (const product of [app.seller.product, app.seller.other]) await say(product, [])
})
after(() => app.close())

type Product = TestApp['seller']['product']

/** Writes what a product has off, and whom its buyers write to. */
async function say(product: Product, off: readonly PortalPart[]) {
  const put = (type: number, data: object) =>
    app.call('PUT', `/products/${product.id}/settings.json`, {
      token: product.token,
      body: { setting_type: type, data: JSON.stringify(data) },
    })
  expectOk(await put(7, { support_email: 'help@example.com' }))
  return expectOk(await put(8, { portal_off: off }))
}

const codeOf = ({ status, json }: Reply) => `${status} ${json?.error?.code ?? 'ok'}`
const OFF = '401 off_in_portal'

type Asked = readonly [part: PortalPart, method: Method, rest: string, body?: object]

/** What stands for each switch, below the user; the license and the subscription are real. */
const asked = (product: Product, license: string, subscription: string, user: string): readonly Asked[] => {
  const own = (rest: string) => `/products/${product.id}${rest}`
  const of = (rest: string) => own(`/licenses/${license}${rest}`)
  return [
    ['rotate_key', 'POST', of('/key.json')],
    ['deactivate', 'DELETE', own(`/installs/1/licenses/${license}.json`)],
    ['deactivate', 'DELETE', own('/installs/1.json')],
    ['deactivate', 'PUT', own('/installs/1.json'), { license_key: 'another' }],
    ['deactivate', 'PUT', own('/installs/1.json'), { url: 'http://localhost' }],
    ['deactivate', 'PUT', own('/installs.json'), { installs: [{ id: '1', url: 'http://localhost' }] }],
    ['deactivate_all', 'DELETE', of('/installs.json')],
    ['deactivate_all', 'POST', of('/key.json'), { deactivate_installs: true }],
    ['allow_list', 'GET', of('/sites.json')],
    ['allow_list', 'POST', of('/sites.json'), { kind: 'allow', pattern: 'shop.example' }],
    ['allow_list', 'DELETE', of('/sites/1.json')],
    ['offline_file', 'POST', of('/file.json'), { uid: 'u'.repeat(32) }],
    ['offline_file', 'POST', own('/installs.json'), { uid: 'u'.repeat(32), license_id: license }],
    ['downloads', 'GET', own('/tags.json')],
    ['downloads', 'GET', own('/tags/1.zip')],
    ['downloads', 'GET', own('/updates/latest.json')],
    ['invoices', 'GET', own('/payments/1/invoice.pdf')],
    ['plan_change', 'POST', of('/checkout/link.json')],
    ['payment_method', 'POST', of('/checkout/link.json'), { is_payment_method_update: true }],
    ['cancel', 'DELETE', own(`/subscriptions/${subscription}.json`)],
    ['cancel', 'DELETE', of('/subscription.json')],
    ['cancel', 'PUT', own(`/subscriptions/${subscription}.json`), { coupon_id: 1 }],
    ['resume', 'POST', own(`/subscriptions/${subscription}/resume.json`)],
    ['trials', 'GET', own('/trials.json')],
    ['profile', 'PUT', '.json', { first: 'Changed' }],
    ['billing_details', 'PUT', '/billing.json', { address_city: 'Changed' }],
    ['export', 'GET', '/export.json'],
    ['erase', 'POST', '/erasure.json', { email: user }],
  ]
}

const others = (part: PortalPart) => PORTAL_PARTS.filter((one) => one !== part)
const isAbout = (part: PortalPart, parts: readonly PortalPart[]) => parts.includes(part)

test('each switch refuses what it is about, by the cookie and by a token of the portal, and changes no row', async () => {
  const sold = await subscribed(app)
  const license = String(sold.subscription.license_id)
  const everything = asked(app.seller.product, license, String(sold.subscription.id), sold.email)
  const cookie = await inPortal(app, { id: sold.userId })
  const token = await asEntered(app, { id: sold.userId })
  await say(app.seller.product, PORTAL_PARTS)
  const rows = await contentsOf(app.ctx.database)
  for (const call of [cookie.call, token]) {
    for (const [part, method, rest, body] of everything) {
      const reply = await call(method, rest, body)
      // Export and erasure are for who has come by a mailed link, which this visit has not.
      if (part === 'erase') assert.equal(reply.status, 401)
      else assert.equal(codeOf(reply), OFF, `${method} ${rest}`)
      if (part !== 'erase') assert.match(reply.json.error.message, /Write to help@example\.com\.$/)
    }
  }
  assert.deepEqual(await contentsOf(app.ctx.database), rows)
})

test('with everything else off a part is there, and its own token and the seller are bound by none of it', async () => {
  const sold = await subscribed(app)
  const { product } = app.seller
  const everything = asked(
    product,
    String(sold.subscription.license_id),
    String(sold.subscription.id),
    sold.email,
  )
  const { call } = await inPortal(app, { id: sold.userId })
  for (const part of PORTAL_PARTS.filter((one) => one !== 'keys' && one !== 'earlier_versions')) {
    await say(product, others(part))
    const [first] = everything.filter(([of]) => of === part)
    assert.ok(first, part)
    const [, method, rest, body] = first
    const wanted = rest.replaceAll(/\/(licenses|subscriptions)\/\d+/g, '/$1/999999')
    assert.notEqual(codeOf(await call(method, wanted, body)), OFF, part)
  }
  await say(product, PORTAL_PARTS)
  const bySeller = await app.call(
    'POST',
    `/products/${product.id}/licenses/${sold.subscription.license_id}/key.json`,
    {
      body: {},
    },
  )
  assert.equal(bySeller.status, 200, bySeller.text)
  assert.ok(bySeller.json.secret_key)
})

test('a switch is of its product: another one of the seller goes on, and what is about the person while one has it on', async () => {
  const { product, other } = app.seller
  const email = 'two@example.com'
  const one = await licenseFor(email)
  const two = await licenseFor(email, other)
  const user = { id: String(one.user_id) }
  const { call } = await everywhere(user.id)
  const rotate = (of: Product, { id }: { id: string }) =>
    call('POST', `/products/${of.id}/licenses/${id}/key.json`, {})
  await say(product, PORTAL_PARTS)
  assert.equal(codeOf(await rotate(product, one)), OFF)
  assert.equal(codeOf(await rotate(other, two)), '200 ok')
  const rename = () => call('PUT', '.json', { first: 'Renamed' })
  assert.equal(codeOf(await rename()), '200 ok')
  assert.equal(codeOf(await call('GET', '/export.json')), '200 ok')
  await say(other, PERSONS_PARTS)
  assert.equal(codeOf(await rename()), OFF)
  assert.equal(codeOf(await call('GET', '/export.json')), OFF)
  assert.equal(codeOf(await call('POST', '/erasure.json', { email })), OFF)
  assert.equal(codeOf(await rotate(other, two)), '200 ok')
})

test('a license key is shown where the product shows it, and by no answer where it does not', async () => {
  const license = await licenseFor('keys@example.com')
  const { product } = app.seller
  const { call } = await inPortal(app, { id: license.user_id ?? '' })
  const read = async () => {
    const list = expectOk(await call('GET', `/products/${product.id}/licenses.json`)).json.licenses
    const family = expectOk(await call('GET', '/licenses.json')).json.licenses
    const alone = expectOk(await call('GET', `/products/${product.id}/licenses/${license.id}.json`)).json
    return [list[0], family[0], alone].map(({ secret_key: key }) => key)
  }
  assert.deepEqual(await read(), Array(3).fill(license.secret_key))
  await say(product, ['keys'])
  assert.deepEqual(await read(), Array(3).fill(undefined))
  const rotated = expectOk(await call('POST', `/products/${product.id}/licenses/${license.id}/key.json`, {}))
  assert.equal(rotated.json.secret_key, undefined)
  const { call: whole } = await everywhere(license.user_id ?? '')
  const archive = expectOk(await whole('GET', '/export.json'))
  const now = app.ctx.keys.open((await rowOf(license)).secret_key, 'licenses.secret_key')
  assert.ok(archive.text.includes(now), 'what is stored has it all the same')
})

test('a list over add-ons too shows no key where one of them shows none', async () => {
  const license = await licenseFor('family@example.com')
  const { developer, store, product } = app.seller
  const { call } = await inPortal(app, { id: license.user_id ?? '' })
  const keys = async () => {
    const { licenses } = expectOk(await call('GET', '/licenses.json')).json
    return licenses.map(({ secret_key: key }: License) => key)
  }
  assert.deepEqual(await keys(), [license.secret_key])
  const owner = { productId: product.id, developerId: developer.id, storeId: store.id }
  await app.write(async (tx) => {
    const addonId = await createAddon(tx, owner, 'Hidden keys')
    const scope = systemScope({ developerId: developer.id, productId: addonId })
    await writeSetting(tx, scope, { setting_type: 8, data: JSON.stringify({ portal_off: ['keys'] }) })
  })
  assert.deepEqual(await keys(), [undefined])
})

test('what the law gives a buyer is off only while there is an address to ask for it', async () => {
  const sold = await subscribed(app)
  const { product } = app.seller
  for (const part of PORTAL_PARTS) {
    await say(product, [])
    await clearSupport(product)
    const reply = await settings(product, 8, { portal_off: [part] })
    const isLawful = isAbout(part, LAWFUL_PARTS)
    assert.equal(reply.status, isLawful ? 400 : 200, part)
    if (isLawful) assert.deepEqual(fieldsOf(reply), ['data.portal_off'])
  }
  await say(product, ['cancel'])
  const gone = await clearSupport(product)
  assert.deepEqual([gone.status, fieldsOf(gone)], [400, ['data.support_email']])
  const { id: ofPages } = expectOk(await settings(product, 7, {})).json
  const deleted = await app.call('DELETE', `/products/${product.id}/settings/${ofPages}.json`)
  assert.deepEqual([deleted.status, fieldsOf(deleted)], [400, ['data.support_email']])
  const { call } = await inPortal(app, { id: sold.userId })
  const cancel = () => call('DELETE', `/products/${product.id}/subscriptions/${sold.subscription.id}.json`)
  assert.equal(codeOf(await cancel()), OFF)
  // An address that goes away elsewhere gives the buyer the button back.
  await app.ctx.database.transaction((db) =>
    db.updateTable('products').set({ support_email: null }).where('id', '=', product.id).execute(),
  )
  assert.equal(codeOf(await cancel()), '200 ok')
  // What is about neither is not held up by it.
  assert.equal((await settings(product, 3, { selling_unit_singular: 'Seat' })).status, 200)
})

test('only names of the list are taken, each once', async () => {
  for (const off of [['everything'], ['cancel', 'cancel'], 'cancel', null, [1]]) {
    const reply = await settings(app.seller.product, 8, { portal_off: off })
    assert.equal(reply.status, 400, JSON.stringify(off))
    assert.match(fieldsOf(reply).join(), /^data\.portal_off/)
  }
})

test('what is switched off while a buyer does it is either done before or refused', async () => {
  const license = await licenseFor('race@example.com')
  const { product } = app.seller
  const { call } = await inPortal(app, { id: license.user_id ?? '' })
  const keyOf = async () => (await rowOf(license)).key_hash
  for (let round = 0; round < 5; round++) {
    await say(product, [])
    const before = await keyOf()
    const act = call('POST', `/products/${product.id}/licenses/${license.id}/key.json`, {})
    const [done, switched] = await Promise.all([act, settings(product, 8, { portal_off: ['rotate_key'] })])
    assert.equal(switched.status, 200)
    assert.match(codeOf(done), /^(200 ok|401 off_in_portal)$/)
    assert.equal((await keyOf()) === before, codeOf(done) === OFF)
  }
})

test('each operation that is for a switch tells that it may be refused, and no switch is for nothing', () => {
  for (const op of operations)
    assert.equal(refusalsOf(op).includes('off_in_portal'), op.portal !== undefined, op.id)
  const made = operations.flatMap(({ portal }) => (portal === undefined ? [] : [portal]))
  const named = made.flatMap((one): readonly PortalPart[] =>
    typeof one === 'function' ? [NOTHING, allTrue].flatMap((body) => one({ body } as never)) : one,
  )
  // These two are parts of what others answer.
  const inside: readonly PortalPart[] = ['keys', 'earlier_versions']
  assert.deepEqual([...new Set([...named, ...inside])].toSorted(), [...PORTAL_PARTS].toSorted())
})

const NOTHING = { installs: [] }
const allTrue = { ...NOTHING, deactivate_installs: true, is_payment_method_update: true }

const rowOf = ({ id }: Pick<License, 'id'>) =>
  app.ctx.db.selectFrom('licenses').selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow()

/** A license of somebody whom the product, and more of the seller, know. */
async function licenseFor(email: string, product: Product = app.seller.product): Promise<License> {
  await userOf(app, email, product)
  return licenseOf(app, 1, { body: { email }, product })
}

const settings = (product: Product, type: number, data: object) =>
  app.call('PUT', `/products/${product.id}/settings.json`, {
    token: product.token,
    body: { setting_type: type, data: JSON.stringify(data) },
  })
const clearSupport = (product: Product) => settings(product, 7, { support_email: null })
const fieldsOf = ({ json }: Reply): string[] =>
  (json.error?.details ?? []).map(({ field }: { readonly field: string }) => field)

/** In the portal by a link that opens every product of the seller. */
async function everywhere(id: string): Promise<{ readonly call: CallAs }> {
  const user = await app.ctx.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow()
  const scope = { productId: app.seller.product.id }
  const { link } = portalLink(app.ctx, scope, { user, lastsMs: 60_000, isEverywhere: true })
  const { pathname, search } = new URL(link)
  const entered = await fetch(app.address + pathname + search, { method: 'POST' })
  const { user_token: one } = (await entered.json()) as { user_token: { token: { access: string } } }
  const headers = { authorization: `FSA ${id}:${one.token.access}` }
  return {
    call: (method, rest, body) => app.call(method, `/users/${id}${rest}`, { token: null, headers, body }),
  }
}
