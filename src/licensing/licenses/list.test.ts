import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asStore } from '../../../test/callers.ts'
import { activateOn, installOf, licenseOf, licenseOn, offerFor, userOf } from '../../../test/licenses.ts'
import { DAY } from '../../lib/time.ts'
import { License } from './schema.ts'
import { LicenseEnriched } from './list-schema.ts'

let app: TestApp
const made: Record<string, License> = {}
before(async () => {
  app = await startTestApp('licenses_list')
  const offer = await offerFor(app, 5)
  const add = async (name: string, body: object = {}) => {
    made[name] = await licenseOn(app, offer, { body: body as Record<string, unknown> })
    return made[name]
  }
  await add('plain')
  await add('ended', { expires_at: '2026-01-31 10:00:00' })
  await add('for ever', { expires_at: null })
  await add('brought along', { source: 3 })
  const cancelled = await add('cancelled', { expires_at: '2026-01-01 10:00:00' })
  await app.call('DELETE', `/products/${app.seller.product.id}/licenses/${cancelled.id}.json`)
  const used = await add('used')
  const userId = await userOf(app, 'used@example.com')
  await activateOn(app, used, await installOf(app, { userId, url: 'http://localhost' }))
  made['other plan'] = await licenseOf(app)
  await licenseOf(app, 1, { product: app.seller.other })
})
after(() => app.close())

const list = async (query = ''): Promise<License[]> => {
  const { status, json } = await app.call('GET', `/products/${app.seller.product.id}/licenses.json?${query}`)
  assert.equal(status, 200)
  return json.licenses
}
const names = async (query = '') => {
  const found = await list(query)
  return found.map(({ id }) => Object.keys(made).find((name) => made[name]?.id === id))
}

test('licenses are listed newest first, those of the product only, by pages', async () => {
  const all = ['other plan', 'used', 'cancelled', 'brought along', 'for ever', 'ended', 'plain']
  assert.deepEqual(await names(), all)
  assert.deepEqual(await names('count=2&offset=1'), all.slice(1, 3))
  assert.deepEqual(await list('fields=id&count=1'), [{ id: made['other plan']?.id }])
})

test('active, cancelled and expired have none in common and leave none out', async () => {
  assert.deepEqual(await names('filter=active'), ['other plan', 'used', 'brought along', 'for ever', 'plain'])
  assert.deepEqual(await names('filter=expired'), ['ended'], 'expired from the second of its end')
  assert.deepEqual(await names('filter=cancelled'), ['cancelled'])
})

test('a license of the sandbox is active or expired by the clock of the sandbox, also when it is searched', async () => {
  const id = Number(made['plain']?.id)
  const set = (environment: 0 | 1) =>
    app.ctx.database.transaction((db) =>
      db.updateTable('licenses').set({ environment }).where('id', '=', id).execute(),
    )
  await set(1)
  app.ctx.clock.setSandboxAhead(400 * DAY)
  assert.deepEqual(await names('filter=expired'), ['ended', 'plain'])
  assert.deepEqual(await names('filter=active'), ['other plan', 'used', 'brought along', 'for ever'])
  assert.deepEqual(await names(`filter=expired&search=${id}`), ['plain'])
  app.ctx.clock.setSandboxAhead(0)
  assert.deepEqual(await names(`filter=expired&search=${id}`), [])
  await set(0)
})

test('abandoned licenses are on no install, migrated ones came from elsewhere', async () => {
  assert.ok(!(await names('filter=abandoned')).includes('used'))
  assert.equal((await names('filter=abandoned')).length, 6)
  assert.deepEqual(await names('filter=migrated'), ['brought along'])
  assert.deepEqual(await names('source=3'), ['brought along'])
  assert.deepEqual(await names('source=4'), [])
  assert.equal((await names('source=0')).length, 6)
})

test('filters narrow together', async () => {
  const planId = made['plain']?.plan_id
  assert.deepEqual(await names(`filter=active&plan_id=${planId}&count=2&offset=1`), [
    'brought along',
    'for ever',
  ])
  assert.deepEqual(await names(`plan_id=${made['other plan']?.plan_id}`), ['other plan'])
  assert.deepEqual(await names(`filter=migrated&source=2`), [])
})

test('a license is found by its id and by its whole key, encoded or not, and by nothing else', async () => {
  const { id = '', secret_key: key = '' } = made['ended'] ?? {}
  assert.deepEqual(await names(`search=${id}`), ['ended'])
  assert.deepEqual(await names(`search=${encodeURIComponent(key)}`), ['ended'])
  assert.deepEqual(await names(`search=${encodeURIComponent(encodeURIComponent(key))}`), ['ended'])
  assert.deepEqual(await names(`search=${encodeURIComponent(key.slice(0, -1))}`), [])
  assert.deepEqual(await names(`search=${id}&filter=active`), [])
  assert.equal((await list('search=')).length, 0)
})

test('an enriched license has every field of its bundle and subscription, null where it has none', async () => {
  const fields = Object.keys(LicenseEnriched.properties).filter((name) => !(name in License.properties))
  const names = fields.filter((name) => !['email', 'first', 'last'].includes(name))
  assert.equal(names.length, 12)
  const [license = {}] = await list(`enriched=true&count=1&fields=${names.join(',')}`)
  assert.deepEqual(license, Object.fromEntries(names.map((name) => [name, null])))
  assert.ok(!('next_payment' in ((await list('count=1'))[0] ?? {})))
})

test('an enriched license tells who owns it, in the list of the product only', async () => {
  const userId = await userOf(app, 'mine@example.com')
  const license = await licenseOf(app, 1, { body: { email: 'mine@example.com' } })
  const owned = await list(`enriched=true&search=${license.id}&fields=id,user_id,email,first,last`)
  const person = { email: 'mine@example.com', first: 'Some', last: 'Body' }
  assert.deepEqual(owned, [{ id: license.id, user_id: userId, ...person }])
  const [orphan] = await list(`enriched=true&search=${made['plain']?.id}&fields=email,first,last`)
  assert.deepEqual(orphan, { email: null, first: null, last: null })
  assert.ok(!('email' in ((await list(`search=${license.id}`))[0] ?? {})))
  const ofUser = `/products/${app.seller.product.id}/users/${userId}/licenses.json?is_enriched=true`
  assert.ok(!('email' in (await app.call('GET', ofUser)).json.licenses[0]))
  await app.call('DELETE', `/products/${app.seller.product.id}/licenses/${license.id}.json?delete=true`)
})

test('the store of a product lists and retrieves its licenses too', async () => {
  const as = asStore(app)
  const base = `/products/${app.seller.product.id}/licenses`
  assert.equal((await as('GET', `${base}.json`)).json.licenses.length, 7)
  assert.equal((await as('GET', `${base}/${made['plain']?.id}.json`)).json.id, made['plain']?.id)
})

test('a license key is echoed by no refusal, in whatever argument it came', async () => {
  const { product } = app.seller
  const userId = await userOf(app, 'echo@example.com')
  const key = made['plain']?.secret_key ?? ''
  const keys = [key, 'a key of another server']
  const queries = [
    (text: string) => `/products/${product.id}/licenses.json?count=99&search=${text}`,
    (text: string) => `/products/${product.id}/users/${userId}/licenses.json?count=99&license_key=${text}`,
    (text: string) => `/products/${product.id}/users/${userId}/licenses.json?count=99&license_keys=${text}`,
  ]
  for (const [at, query] of queries.entries()) {
    for (const text of keys) {
      const reply = await app.call('GET', query(encodeURIComponent(text)))
      assert.equal(reply.status, 400)
      assert.ok(!reply.text.includes(text), `${at}: ${reply.text}`)
    }
  }
  const elsewhere = [
    `/products/${product.id}/installs.json?count=99&search=${key}`,
    `/products/${product.id}/users.json?count=99&search=${encodeURIComponent(key)}`,
    `/products/${product.id}/users/${userId}/licenses.json?count=99&ids=${key}`,
    `/products/${product.id}/installs/1/license.json?license_key=${key}&uid=${key}`,
    `/products/${product.id}/licenses/${key}.json`,
  ]
  for (const path of elsewhere) {
    const reply = await app.call('GET', path)
    assert.ok(reply.status >= 400 && !reply.text.includes(key), reply.text)
  }
})
