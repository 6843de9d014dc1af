import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asInstall } from '../../../test/callers.ts'
import { createInstallOf, createOwner, keysOf } from '../../../test/installs.ts'
import { licenseOf } from '../../../test/licenses.ts'
import type { EventLog } from './schema.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('narrowed_events')
})
after(() => app.close())

const path = (query: string) => `/products/${app.seller.product.id}/events.json?count=50${query}`
async function listed(query: string): Promise<EventLog[]> {
  const { status, json, text } = await app.call('GET', path(query))
  assert.equal(status, 200, text)
  return json.events
}

/** A user with an install that activates a license of its own. */
async function activated() {
  const owner = await createOwner(app)
  const license = await licenseOf(app, 1, { body: { email: owner.email } })
  const install = await createInstallOf(app, owner)
  const call = asInstall(app, keysOf(install))
  await call('PUT', '.json', { license_key: license.secret_key })
  return { license, install, userId: String(install.user_id) }
}

test('events are kept by user, install, license, type and how types begin, each for itself and together', async () => {
  const [one, other] = [await activated(), await activated()]
  const all = await listed('')
  const idsOf = (events: readonly EventLog[]) => events.map(({ id }) => id)
  const isOf = (event: EventLog, id: string) =>
    (event.data as { license_id?: string } | null)?.license_id === id
  const cases = {
    [`&user_id=${one.userId}`]: (event: EventLog) => event.user_id === one.userId,
    [`&install_id=${one.install.id}`]: (event: EventLog) => event.install_id === String(one.install.id),
    [`&license_id=${one.license.id}`]: (event: EventLog) => isOf(event, one.license.id),
    '&type=license.*': ({ type }: EventLog) => type.startsWith('license.'),
    '&type=license.created': ({ type }: EventLog) => type === 'license.created',
    [`&type=license.*&license_id=${other.license.id}&user_id=${other.userId}`]: (event: EventLog) =>
      event.type.startsWith('license.') && isOf(event, other.license.id) && event.user_id === other.userId,
  }
  for (const [query, isKept] of Object.entries(cases)) {
    const kept = idsOf(all.filter(isKept))
    assert.ok(kept.length > 0 && kept.length < all.length, query)
    assert.deepEqual(idsOf(await listed(query)), kept, query)
  }
  for (const none of [
    '&type=licens.*',
    '&type=license',
    '&type=*',
    `&user_id=${one.userId}&license_id=${other.license.id}`,
  ])
    assert.deepEqual(await listed(none), [], none)
})

test('events over products, and those of the account itself, are kept by the same', async () => {
  const { license, userId } = await activated()
  const account = await asDeveloper(app)
  const ids = async (query: string): Promise<string[]> => {
    const { json } = await account('GET', `/events.json?count=50${query}`)
    return json.events.map(({ id }: EventLog) => id)
  }
  const of = `&product_ids=${app.seller.product.id}`
  const kept = (await listed(`&license_id=${license.id}`)).map(({ id }) => id)
  assert.ok(kept.length > 0)
  assert.deepEqual(await ids(`${of}&license_id=${license.id}`), kept)
  assert.deepEqual(await ids(`&user_id=${userId}`), [])
  await account('POST', '/stores.json', { title: 'Another' })
  const own = await account('GET', '/events.json?count=50')
  const stores = own.json.events.filter(({ type }: EventLog) => type.startsWith('store.'))
  assert.ok(stores.length > 0)
  assert.deepEqual(
    await ids('&type=store.*'),
    stores.map(({ id }: EventLog) => id),
  )
})
