import assert from 'node:assert/strict'
import { createHmac, hash } from 'node:crypto'
import { afterEach, beforeEach, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asStore, signing, type CallAs } from '../../../test/callers.ts'
import { createOffer } from '../../../test/catalogue.ts'
import { cutEverywhere } from '../../../test/cut-everywhere.ts'
import { createSeller } from '../../../test/factories.ts'
import { auditOf } from '../../../test/logins.ts'
import { offerFor, userOf } from '../../../test/licenses.ts'
import { connectedInstall } from '../../../test/opt-in.ts'
import { addWebhook, deliverAll, happen, startReceiver } from '../../../test/webhooks.ts'
import type { Keys } from '../sellers/create-seller.ts'
import { prune } from '../../jobs/prune.ts'
import { runDue } from '../../jobs/worker.ts'
import { sandboxToken } from '../../sales/checkouts/signatures.ts'
import { HOUR, SECOND, toUtcTime } from '../../lib/time.ts'
import { renewKeys } from './service.ts'

let app: TestApp
let account: CallAs
beforeEach(async () => {
  app = await startTestApp('keys', { config: { mode: 'development' } })
  account = await asDeveloper(app)
})
afterEach(() => app.close())

interface Holder {
  readonly name: string
  readonly keys: Keys
  /** Where its keys are renewed, below the account. */
  readonly path: string
  /** A call that it signs. */
  read(secretKey?: string): Promise<Reply>
}

function holders(): Holder[] {
  const { developer, store, product } = app.seller
  const holder = (name: string, keys: Keys, [path, prefix, own]: readonly [string, string, string]) => ({
    name,
    keys,
    path,
    read: (secretKey = keys.secretKey) =>
      signing(app, { keys: { ...keys, secretKey }, scheme: 'FS', prefix })('GET', own),
  })
  return [
    holder('developer', developer, ['', `/developers/${developer.id}`, '/stores.json']),
    holder('store', store, [`/stores/${store.id}`, `/stores/${store.id}`, '.json']),
    holder('product', product, [`/products/${product.id}`, `/products/${product.id}`, '.json']),
  ]
}

const productHolder = () => holders()[2] ?? assert.fail()
const renew = (path: string, body: object = {}) => account('POST', `${path}/keys.json`, body)

test('the secret key of a developer, store and product is replaced; the one so far goes on for its overlap', async () => {
  for (const { name, keys, path, read } of holders()) {
    const { status, json, text } = await renew(path)
    assert.equal(status, 200, text)
    const { secret_key: secret, ...rest } = json
    const until = toUtcTime(app.ctx.clock.real() + 24 * HOUR)
    assert.deepEqual(rest, { id: String(keys.id), public_key: keys.publicKey, former_until: until })
    assert.match(secret, /^sk_[\w-]{29}$/)
    assert.notEqual(secret, keys.secretKey)
    assert.deepEqual([(await read(secret)).status, (await read()).status], [200, 200], name)
    assert.equal((await read('sk_'.padEnd(32, 'x'))).status, 401, name)
    app.ctx.clock.advance(24 * HOUR - SECOND)
    assert.equal((await read()).status, 200, name)
    app.ctx.clock.advance(SECOND)
    assert.deepEqual([(await read(secret)).status, (await read()).status], [200, 401], name)
    account = await asDeveloper(app)
  }
})

test('with an overlap of 0 every former secret key ends at once', async () => {
  for (const { name, path, read } of holders()) {
    const { secret_key: second } = (await renew(path, { overlap_hours: 168 })).json
    assert.deepEqual([(await read()).status, (await read(second)).status], [200, 200], name)
    const { json } = await renew(path, { overlap_hours: 0 })
    assert.equal(json.former_until, null)
    const statuses = [
      (await read()).status,
      (await read(second)).status,
      (await read(json.secret_key)).status,
    ]
    assert.deepEqual(statuses, [401, 401, 200], name)
  }
})

test('an overlap is 0 to 168 hours', async () => {
  for (const overlap of [-1, 169, 1.5, 'x']) {
    assert.equal((await renew('', { overlap_hours: overlap })).status, 400, String(overlap))
  }
  assert.equal(await app.ctx.db.selectFrom('former_keys').selectAll().executeTakeFirst(), undefined)
})

test('keys are renewed by their account alone: neither a token, the keys themselves, nor another account may', async () => {
  const { developer, store, product } = app.seller
  const stranger = await app.write((tx) => createSeller(tx, 'stranger@example.com'))
  const theirs = await asDeveloper(app, stranger.developer)
  const keysOf = async () => (await account('GET', `/stores/${store.id}.json`)).json.secret_key
  const before = await keysOf()
  assert.equal((await app.call('POST', `/products/${product.id}/keys.json`, { body: {} })).status, 401)
  const own = signing(app, { keys: product, scheme: 'FS', prefix: `/products/${product.id}` })
  assert.equal((await own('POST', '/keys.json', {})).status, 401)
  assert.notEqual((await asStore(app)('POST', '/keys.json', {})).status, 200)
  assert.equal((await theirs('POST', `/stores/${store.id}/keys.json`, {})).status, 404)
  assert.equal((await theirs('POST', `/products/${product.id}/keys.json`, {})).status, 401)
  const foreign = await app.call('POST', `/developers/${developer.id}/keys.json`, { body: {} })
  assert.equal(foreign.status, 401)
  assert.equal(await keysOf(), before)
})

test('what the code of a seller makes with the former secret key is good until its overlap ends', async () => {
  const { developer, store, product } = app.seller
  const owner = { developerId: developer.id, storeId: store.id, productId: product.id }
  await app.write((tx) => createOffer(tx, owner, 'plan'))
  const user = { email: 'ada@example.com', first: 'Ada', last: 'L', password: 'the pass phrase of ada' }
  await app.call('POST', `/products/${product.id}/users.json`, { body: user })
  const enter = async (secretKey: string) => {
    const sandbox = sandboxToken({ ...product, secretKey, context: 'any', productId: product.id })
    const body = { product_id: product.id, s_ctx_ts: 'any', sandbox }
    return (await app.call('POST', '/checkout/sessions.json', { token: null, body })).json.environment
  }
  const logIn = async (secretKey: string) => {
    const { email, password } = user
    const body = { email, password, developer_id: String(developer.id), developer_secret_key: secretKey }
    return (await app.call('POST', '/users/login.json', { token: null, body })).status
  }
  const [ofProduct, ofDeveloper] = [await renew(productHolder().path), await renew('')]
  assert.deepEqual([await enter(product.secretKey), await enter(ofProduct.json.secret_key)], [1, 1])
  assert.deepEqual([await logIn(developer.secretKey), await logIn(ofDeveloper.json.secret_key)], [200, 200])
  app.ctx.clock.advance(24 * HOUR)
  assert.deepEqual([await enter(product.secretKey), await enter(ofProduct.json.secret_key)], [undefined, 1])
  assert.deepEqual([await logIn(developer.secretKey), await logIn(ofDeveloper.json.secret_key)], [401, 200])
})

test('a proof of sandbox mode is made with the former secret key of a product until its overlap ends', async () => {
  const { product } = app.seller
  const { planId } = await offerFor(app, 5, { plan: { trial_period: 14 } })
  const start = async (secretKey: string, name: string) => {
    const { id } = await connectedInstall(app, await userOf(app, `${name}@example.com`))
    const seconds = String(app.ctx.clock.real() / SECOND)
    const token = hash('md5', `${secretKey}${product.publicKey}14${planId}${seconds}`)
    const path = `/products/${product.id}/installs/${id}/plans/${planId}/trials.json`
    const body = { trial_timestamp: seconds, trial_token: token }
    return (await app.call('POST', path, { body })).json.error?.code
  }
  await renew(productHolder().path, { overlap_hours: 1 })
  assert.equal(await start(product.secretKey, 'one'), undefined)
  app.ctx.clock.advance(HOUR)
  assert.equal(await start(product.secretKey, 'two'), 'invalid_trial_token')
})

test('webhooks are signed with the present secret key of the product from then on', async () => {
  const receiver = await startReceiver()
  await addWebhook(app, { url: receiver.url })
  const { secret_key: secret } = (await renew(productHolder().path)).json
  await happen(app, [1])
  await deliverAll(app)
  const [{ headers, body } = assert.fail()] = receiver.received
  assert.equal(headers['x-signature'], createHmac('sha256', secret).update(body).digest('hex'))
  await receiver.close()
})

test('what does not come of the secret keys goes on: bearer and access tokens, issued sandbox tokens, the public key', async () => {
  const { product } = app.seller
  const issued = await app.call('POST', `/products/${product.id}/sandbox/token.json`, { body: {} })
  for (const { path } of holders()) await renew(path, { overlap_hours: 0 })
  assert.equal((await app.call('GET', `/products/${product.id}.json`)).status, 200)
  assert.equal((await account('GET', '/stores.json')).status, 200)
  const body = { product_id: product.id, sandbox: issued.json.token }
  const opened = await app.call('POST', '/checkout/sessions.json', { token: null, body })
  assert.notEqual(opened.json.error?.code, 'invalid_sandbox_token')
  const shown = signing(app, { keys: product, scheme: 'FSP', prefix: `/products/${product.id}` })
  assert.equal((await shown('GET', '/plans.json')).status, 200)
})

test('many renewals at once: every secret key that was answered is good, and one of them stands', async () => {
  for (const { name, keys, path, read } of holders()) {
    const replies = await Promise.all(Array.from({ length: 8 }, () => renew(path)))
    const secrets = replies.map(({ json }) => String(json.secret_key))
    assert.equal(new Set(secrets).size, 8, name)
    for (const secret of [keys.secretKey, ...secrets]) assert.equal((await read(secret)).status, 200, name)
    app.ctx.clock.advance(24 * HOUR)
    const statuses = await Promise.all(secrets.map(async (secret) => (await read(secret)).status))
    assert.equal(statuses.filter((status) => status === 200).length, 1, name)
    account = await asDeveloper(app)
  }
})

test('a renewal that is broken off at any statement leaves the keys as they were', async () => {
  const { id } = app.seller.product
  const holder = { owner: 'products', id, developerId: app.seller.developer.id } as const
  for (const way of ['fails', 'is cut'] as const) {
    const changed = await cutEverywhere(app, way, (tx) => renewKeys(tx, holder, 24))
    assert.deepEqual(changed.toSorted(), ['former_keys', 'products'], way)
  }
})

test('the audit log says whose keys were renewed and names none; a former one is forgotten after its end', async () => {
  const { path, keys } = productHolder()
  const { secret_key: secret } = (await renew(path, { overlap_hours: 1 })).json
  const rows = await auditOf(app, 'keywright/renew-product-keys')
  assert.equal(rows.length, 1)
  assert.ok(!JSON.stringify(rows).includes(secret) && !JSON.stringify(rows).includes(keys.secretKey))
  const formers = () => app.ctx.db.selectFrom('former_keys').selectAll().execute()
  const [former] = await formers()
  assert.match(former?.secret_key ?? '', /^v1\./)
  app.ctx.clock.advance(HOUR)
  await runDue(app.ctx, [prune])
  assert.deepEqual(await formers(), [])
})
