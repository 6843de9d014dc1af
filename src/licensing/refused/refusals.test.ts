import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { release } from '../../../test/archives.ts'
import type { RefusedCall } from '../hooks.ts'
import { DAY } from '../../lib/time.ts'
import { prune } from '../../jobs/prune.ts'
import { runDue } from '../../jobs/worker.ts'
import { quietly } from '../../context.ts'
import { keepRefusals, SLOTS } from './keep-refusals.ts'
import type { Refusal } from './schema.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('kept_refusals')
  clients = clientsOf(app)
})
after(() => app.close())

async function refusals(query = '', product = app.seller.product): Promise<readonly Refusal[]> {
  await app.refusalsKept()
  const { json, status, text } = await app.call(
    'GET',
    `/products/${product.id}/refusals.json?count=50&${query}`,
    {
      token: product.token,
    },
  )
  assert.equal(status, 200, text)
  return json.refusals
}

test('a refused activation is kept with its license, its site and its reason, and its key nowhere', async () => {
  const license = await clients.ownLicense()
  await clients.setLicense(license, { expiration: '2026-01-31 10:00:00' })
  const uid = newUid()
  const body = { uid, license_key: license.secret_key, url: 'https://a.example.com', version: '1.2' }
  assert.equal(await clients.refusal(clients.activate(body)), '400 license_expired')
  const [kept] = await refusals(`license_id=${license.id}`)
  const { id, message, ...rest } = kept ?? assert.fail('nothing is kept')
  assert.ok(id)
  assert.match(message, /has expired on 2026-01-31/)
  assert.deepEqual(rest, {
    created: '2026-01-31 10:00:00',
    last_at: '2026-01-31 10:00:00',
    occasion: 'activation',
    license_id: license.id,
    install_id: null,
    user_id: license.user_id,
    environment: 0,
    uid,
    url: 'https://a.example.com',
    version: '1.2',
    code: 'license_expired',
    count: 1,
  })
  const rows = await app.ctx.db.selectFrom('refusals').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes(license.secret_key.slice(3)))
})

test('a verification that finds nothing and an update without a license are kept; what is merely up to date is not', async () => {
  const license = await clients.ownLicense()
  const active = await clients.active(license, { version: '1.0' })
  await clients.deactivate(active)
  assert.equal((await clients.verify(active)).status, 404)
  await release(app, '2.0')
  const update = (query: string) =>
    app.call('GET', `/installs/${active.installId}/updates/latest.json?${query}`, { token: active.token })
  assert.equal((await update('newer_than=2.0')).status, 404)
  assert.equal((await update('is_premium=true')).status, 400)
  const kept = await refusals(`uid=${active.uid}`)
  assert.deepEqual(
    kept.map(({ occasion, code, install_id, license_id }) => [occasion, code, install_id, license_id]),
    [
      ['update', 'license_error', active.installId, null],
      ['verification', 'not_found', active.installId, license.id],
    ],
  )
})

test('what is refused again on a day counts, and does not take another row', async () => {
  const license = await clients.ownLicense()
  await clients.setLicense(license, { is_cancelled: true })
  const body = { uid: newUid(), license_key: license.secret_key }
  for (const _ of [1, 2, 3]) await clients.activate(body)
  await refusals()
  app.ctx.clock.advance(1_000)
  await clients.activate(body)
  const again = await refusals(`license_id=${license.id}`)
  app.ctx.clock.advance(-1_000)
  assert.deepEqual(
    again.map(({ count, created, last_at }) => [count, created, last_at]),
    [[4, '2026-01-31 10:00:00', '2026-01-31 10:00:01']],
  )
})

test('refusals are found by code and by time, and those of another product are not', async () => {
  await clients.activate({ license_key: 'sk_nobody has this one' })
  const kept = await refusals('code=invalid_license_key')
  assert.deepEqual(
    kept.map(({ code, license_id: license }) => [code, license]),
    [['invalid_license_key', null]],
  )
  assert.deepEqual(await refusals('from=2026-01-31%2010:00:02'), [])
  assert.notDeepEqual(await refusals('from=2026-01-31'), [])
  assert.deepEqual(await refusals('', app.seller.other), [])
  assert.deepEqual(await refusals('environment=1'), [])
  assert.notDeepEqual(await refusals('environment=0'), [])
})

test('letters that no database takes and keys in the wrong field are not kept', async () => {
  const uid = `a\u0007b\u202ec`
  const license = await clients.ownLicense()
  await clients.activate({ uid, license_key: license.secret_key, version: license.secret_key })
  const [kept] = await refusals('uid=abc')
  assert.deepEqual([kept?.code, kept?.version], ['invalid_uid', '…'])
})

const call = (at: number, over: Partial<RefusedCall>): RefusedCall => ({
  occasion: 'activation',
  productId: app.seller.product.id,
  installId: null,
  licenseId: null,
  key: null,
  uid: null,
  url: null,
  version: null,
  code: 'invalid_license_key',
  message: 'Invalid license key.',
  at,
  count: 1,
  ...over,
})
const keep = async (calls: readonly RefusedCall[]) =>
  quietly(app.ctx, await keepRefusals.find(app.ctx, calls))

test('a flood of made-up keys takes as many rows of a day as there are places, and none of a license', async () => {
  const license = await clients.ownLicense()
  const at = app.ctx.clock.real() + 2 * DAY
  const flooded = () =>
    app.ctx.db.selectFrom('refusals').select(['id', 'license_id']).where('day', '=', '2026-02-02').execute()
  await keep([call(at, { key: license.secret_key, code: 'license_utilized' })])
  for (let round = 0; round < 30; round++) {
    await keep(Array.from({ length: 200 }, (_, one) => call(at, { uid: `${round}-${one}`, key: 'no key' })))
  }
  const rows = await flooded()
  assert.ok(rows.length <= SLOTS.unknown + 1, `${rows.length}`)
  assert.ok(rows.length > SLOTS.unknown * 0.9, `${rows.length}`)
  assert.equal(rows.filter(({ license_id: id }) => id === Number(license.id)).length, 1)
})

test('of a product that does not exist nothing is kept, and the rest is', async () => {
  await keep([
    call(app.ctx.clock.real(), { productId: 999_999, uid: 'nowhere' }),
    call(app.ctx.clock.real(), { uid: 'somewhere' }),
  ])
  assert.equal((await refusals('uid=somewhere')).length, 1)
  const { length } = await app.ctx.db
    .selectFrom('refusals')
    .select('id')
    .where('uid', '=', 'nowhere')
    .execute()
  assert.equal(length, 0)
})

test('refusals are removed 30 days after the last one, by the job that removes what is old', async () => {
  await keep([call(app.ctx.clock.real(), { uid: 'old' }), call(app.ctx.clock.real() + DAY, { uid: 'newer' })])
  app.ctx.clock.advance(30 * DAY + 1_000)
  await runDue(app.ctx, [prune])
  const left = await app.ctx.db
    .selectFrom('refusals')
    .select('uid')
    .where('uid', 'in', ['old', 'newer'])
    .execute()
  assert.deepEqual(left, [{ uid: 'newer' }])
})
