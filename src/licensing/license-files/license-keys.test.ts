import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asPublic, type CallAs } from '../../../test/callers.ts'
import { licenseOf, offerFor } from '../../../test/licenses.ts'
import { verify, type Options } from '../../../test/license-files/verify.ts'
import { DAY, HOUR, SECOND } from '../../lib/time.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('license_keys')
  developer = await asDeveloper(app)
})
after(() => app.close())

const product = () => app.seller.product
const fileOf = (license: { id: string }, body: object = {}) =>
  app.call('POST', `/products/${product().id}/licenses/${license.id}/file.json`, { body })
const rotate = () => developer('POST', `/products/${product().id}/license_keys/rotate.json`)
const publicKeys = async () => (await asPublic(app)('GET', '/license_keys.json')).json.keys
const statesOf = (keys: readonly { readonly state: string }[]) => keys.map(({ state }) => state)
const seconds = () => app.ctx.clock.real() / SECOND

async function verified(file: string, options: Partial<Options> = {}) {
  const keys = await publicKeys()
  return verify(file, { publicKeys: keys, productId: product().id, now: seconds(), ...options })
}

test('are read with the public key alone, and no reply shows a secret one', async () => {
  const { json } = await fileOf(await licenseOf(app))
  const { json: list, text } = await asPublic(app)('GET', '/license_keys.json')
  const current = list.keys[0]
  assert.deepEqual(current, {
    kid: json.kid,
    alg: 'Ed25519',
    state: 'current',
    public_key: current.public_key,
    created: current.created,
    retired: null,
    listed_until: null,
  })
  assert.equal(Buffer.from(current.public_key, 'base64url').length, 32)
  const rows = await app.ctx.db.selectFrom('license_keys').selectAll().execute()
  for (const { secret_key: sealed } of rows) {
    if (sealed === null) continue
    assert.ok(!text.includes(app.ctx.keys.open(sealed, 'license_keys.secret_key')))
    assert.match(sealed, /^v1\./)
  }
})

test('rotate: files of both are good, also with the list from before; the old key is listed while its files last', async () => {
  await rotate()
  const license = await licenseOf(app)
  const old = (await fileOf(license, { ttl: (40 * DAY) / SECOND })).json
  await fileOf(license, { ttl: HOUR / SECOND })
  const embedded = await publicKeys()
  const [, announced] = embedded
  const { json, status } = await rotate()
  assert.equal(status, 200)
  const [current, next, retired] = json.keys
  assert.equal(current.kid, announced.kid)
  assert.deepEqual([current.state, next.state, retired.state], ['current', 'next', 'retired'])
  assert.deepEqual([retired.kid, retired.listed_until], [old.kid, old.expires])
  const young = (await fileOf(license)).json
  assert.equal(young.kid, current.kid)
  for (const { file } of [old, young]) {
    assert.equal((await verified(file)).code, 'valid')
    assert.equal((await verified(file, { publicKeys: embedded })).code, 'valid')
  }
  app.ctx.clock.advance(40 * DAY - SECOND)
  assert.equal((await verified(old.file)).code, 'valid')
  app.ctx.clock.advance(SECOND)
  assert.ok(!(await publicKeys()).some(({ kid }: { kid: string }) => kid === old.kid))
  assert.equal((await verified(old.file, { now: seconds() - DAY / SECOND })).code, 'unknown_key')
  app.ctx.clock.advance(-40 * DAY)
})

test('a retired key keeps no secret half, and one that signed nothing is gone', async () => {
  await fileOf(await licenseOf(app))
  const idle = (await rotate()).json.keys[0].kid
  const { keys } = (await rotate()).json
  assert.ok(!keys.some(({ kid }: { kid: string }) => kid === idle))
  const rows = await app.ctx.db.selectFrom('license_keys').selectAll().execute()
  assert.ok(!rows.some(({ kid }) => kid === idle))
  assert.ok(rows.some(({ retired_at: retired }) => retired !== null))
  for (const row of rows) assert.equal(row.secret_key === null, row.retired_at !== null)
})

test('a product that has none gets its first two by rotation, before any file', async () => {
  const { id } = app.seller.other
  const before = await app.call('GET', `/products/${id}/license_keys.json`, {
    token: app.seller.other.token,
  })
  assert.deepEqual(before.json, { keys: [] })
  const { json } = await developer('POST', `/products/${id}/license_keys/rotate.json`)
  assert.deepEqual(statesOf(json.keys), ['current', 'next'])
})

test('a product has one current key and one next: ten first files and ten rotations at once', async () => {
  const { json: created } = await developer('POST', '/products.json', { title: 'Fresh' })
  const fresh = { id: Number(created.id), token: '' }
  const offer = await offerFor(app, null, { product: fresh })
  const base = `/products/${fresh.id}`
  const license = await developer(
    'POST',
    `${base}/plans/${offer.planId}/pricing/${offer.pricingId}/licenses.json`,
    {
      period: 12,
    },
  )
  const path = `${base}/licenses/${license.json.license.id}/file.json`
  const firsts = await Promise.all(Array.from({ length: 10 }, () => developer('POST', path, {})))
  assert.equal(new Set(firsts.map(({ json }) => json.kid)).size, 1)
  const works = Array.from({ length: 10 }, () => [
    developer('POST', path, {}),
    developer('POST', `${base}/license_keys/rotate.json`),
  ])
  const replies = await Promise.all(works.flat())
  for (const { status, text } of replies) assert.equal(status, 200, text)
  const { keys } = (await developer('GET', `${base}/license_keys.json`)).json
  assert.deepEqual(
    statesOf(keys).filter((state) => state !== 'retired'),
    ['current', 'next'],
  )
  for (const { json } of [...firsts, ...replies.filter((reply) => reply.json.file)]) {
    const now = seconds()
    const { code } = await verify(json.file, { publicKeys: keys, productId: fresh.id, now })
    assert.equal(code, 'valid')
  }
})

test('only the account rotates them', async () => {
  const path = `/products/${product().id}/license_keys/rotate.json`
  assert.equal((await app.call('POST', path)).status, 401)
})
