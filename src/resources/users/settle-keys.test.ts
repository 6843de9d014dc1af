import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testContext, TEST_SECRET, type TestContext } from '../../../test/app.ts'
import { createEmptyDatabase, type TestDatabase } from '../../../test/database.ts'
import { callBy, formerPairs, formerRows } from '../../../test/former-rows.ts'
import { connect } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { Keyring } from '../../lib/keyring.ts'
import { startServer } from '../../start.ts'
import { settleKeys } from './settle-keys.ts'

/** The last schema in which a user had one pair a product. */
const FORMER = 29

let former: TestDatabase
let opened: Awaited<ReturnType<typeof testContext>>
let running: Awaited<ReturnType<typeof startServer>>
let ctx: TestContext
let add: Awaited<ReturnType<typeof formerRows>>
const keys = Keyring.of(TEST_SECRET)
const { pairs, pairOf } = formerPairs(keys)

interface Person {
  readonly id: number
  readonly is_verified: 0 | 1
  readonly came_with?: string
  readonly licenses: readonly { readonly id: number; readonly isOnInstall: boolean }[]
  readonly hasInstall: boolean
}

async function addPerson({ id, is_verified, came_with = '', licenses, hasInstall }: Person): Promise<void> {
  const email = `person${id}@example.com`
  const person = { email, email_folded: email, is_verified, came_with: came_with || null }
  await add('users', { id, developer_id: 1, ...person })
  const own = pairOf(`user ${id}`, 'product_users.secret_key')
  await add('product_users', { product_id: 1, user_id: id, email_folded: email, ...own })
  for (const license of licenses) {
    const secret_key = keys.seal(`sk_license_${license.id}`, 'licenses.secret_key')
    await add('licenses', { id: license.id, product_id: 1, user_id: id, plan_id: 1, secret_key })
  }
  if (!hasInstall) return
  const on = licenses.find(({ isOnInstall }) => isOnInstall)
  await add('installs', {
    id,
    product_id: 1,
    user_id: id,
    site_id: 1,
    uid: String(id).padStart(32, '0'),
    license_id: on?.id ?? null,
    counted_as: on ? 'production' : null,
    ...pairOf(`install ${id}`, 'installs.secret_key'),
  })
}

before(async () => {
  former = await createEmptyDatabase('settle_keys')
  await migrate(former.database, FORMER)
  add = await formerRows(former.database)
  await add('developers', { id: 1, ...pairOf('developer', 'developers.secret_key') })
  await add('stores', { id: 1, developer_id: 1, ...pairOf('store', 'stores.secret_key') })
  await add('products', { id: 1, developer_id: 1, store_id: 1, ...pairOf('product', 'products.secret_key') })
  await add('plans', { id: 1, product_id: 1 })
  await add('sites', { id: 1, developer_id: 1 })
  const [shared, other] = [
    { id: 11, isOnInstall: true },
    { id: 12, isOnInstall: false },
  ]
  await addPerson({ id: 1, is_verified: 1, licenses: [shared, other], hasInstall: true })
  await addPerson({ id: 2, is_verified: 1, came_with: '2', licenses: [], hasInstall: true })
  await addPerson({ id: 3, is_verified: 0, came_with: '3', licenses: [], hasInstall: true })
  await addPerson({
    id: 4,
    is_verified: 0,
    licenses: [{ id: 41, isOnInstall: false }],
    hasInstall: false,
  })
  for (const id of [1, 3]) await add('billing', { id, user_id: id, business_name: `Business ${id}` })
  await former.database.close()
  const database = connect(former.options)
  await migrate(database)
  await Promise.all([settleKeys(database, keys), settleKeys(database, keys)])
  opened = await testContext('settle_keys_context')
  ctx = Object.assign(opened.ctx, { db: database.reader, database })
  running = await startServer(ctx)
})
after(async () => {
  await running.stop()
  await opened.drop()
  await former.remove()
})

function call(who: 'user' | 'install', id: number, rest: string, written?: object) {
  const { publicKey = 'pk_', secretKey = 'sk_' } = pairs.get(`${who} ${id}`) ?? {}
  const at = { address: running.address, now: ctx.clock.real() }
  const pair = { id, publicKey, secretKey }
  return callBy(at, { pair, path: `/v1/${who}s/${id}${rest}`, ...(written && { written }) })
}

const licensesOf = async (id: number) =>
  (await call('user', id, '/licenses.json')).json.licenses.map((license: { id: string }) => license.id)

test('a pair that a license key may have handed out goes on with the licenses of the sites, and no further', async () => {
  assert.deepEqual(await licensesOf(1), ['11'])
  const profile = await call('user', 1, '.json')
  assert.deepEqual([profile.status, profile.json.email], [200, ''])
  assert.equal(profile.json.secret_key, pairs.get('user 1')?.secretKey)
  assert.equal((await call('user', 1, '/licenses/12.json')).status, 404)
  assert.equal((await call('user', 1, '/installs/1.json')).status, 200)
  assert.equal((await call('install', 1, '.json')).status, 200)
  assert.equal((await call('install', 1, '/licenses.json')).json.licenses[0].id, '11')
})

test('its seller is shown another pair from then on', async () => {
  const row = await ctx.db
    .selectFrom('product_users')
    .select(['public_key', 'secret_key', 'reach'])
    .where('user_id', '=', 1)
    .executeTakeFirstOrThrow()
  assert.equal(row.reach, 'whole')
  assert.notEqual(row.public_key, pairs.get('user 1')?.publicKey)
  assert.match(keys.open(row.secret_key, 'product_users.secret_key'), /^sk_/)
})

test('a pair that only who proved the address has, or only the seller, stays whole', async () => {
  for (const id of [2, 4]) {
    const { status, json } = await call('user', id, '.json')
    assert.deepEqual([status, json.email], [200, `person${id}@example.com`])
  }
  assert.deepEqual(await licensesOf(4), ['41'])
})

test('a pair that went out by an address which nobody has proven goes on with its site, and what that wrote', async () => {
  const { status, json } = await call('user', 3, '.json')
  assert.deepEqual([status, json.email], [200, 'person3@example.com'])
  assert.equal((await call('user', 3, '/installs.json')).json.installs.length, 1)
  const billing = async (id: number) => (await call('user', id, '/billing.json')).json.business_name
  assert.deepEqual([await billing(3), await billing(1)], ['Business 3', undefined])
})

test('a site goes on writing with its own keys: what it runs, that it is off, and where bills go to', async () => {
  const changed = { title: 'My shop', version: '2.0', is_active: false }
  const { status, json } = await call('install', 1, '.json', changed)
  assert.deepEqual([status, json.title, json.version, json.is_active], [200, 'My shop', '2.0', false])
  assert.equal((await call('install', 1, '.json', { is_active: true })).json.is_active, true)
  const bills = await call('user', 1, '/billing.json', { business_name: 'Another', plugin_id: 1 })
  assert.deepEqual([bills.status, bills.json.business_name], [200, 'Another'])
  assert.equal((await call('user', 1, '/billing.json')).json.business_name, 'Another')
})

test('of two starts at once one replaces a pair', async () => {
  const own = await ctx.db.selectFrom('user_keys').select('user_id').orderBy('user_id').execute()
  assert.deepEqual(
    own.map(({ user_id: id }) => id),
    [1, 3],
  )
})
