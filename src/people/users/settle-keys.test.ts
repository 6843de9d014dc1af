import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestContext } from '../../../test/app.ts'
import { callBy } from '../../../test/former-rows.ts'
import { formerKeys, formerShop, startUpgraded } from '../../../test/former-shops.ts'
import { connect } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { settleKeys } from './settle-keys.ts'

let shop: Awaited<ReturnType<typeof formerShop>>
let running: Awaited<ReturnType<typeof startUpgraded>>
let ctx: TestContext

interface Person {
  readonly id: number
  readonly is_verified: 0 | 1
  readonly came_with?: string
  readonly licenses: readonly { readonly id: number; readonly isOnInstall: boolean }[]
  readonly hasInstall: boolean
}

async function addPerson(
  { add, pairOf }: typeof shop,
  { id, is_verified, came_with = '', licenses, hasInstall }: Person,
): Promise<void> {
  const email = `person${id}@example.com`
  const person = { email, email_folded: email, is_verified, came_with: came_with || null }
  await add('users', { id, developer_id: 1, ...person })
  const own = pairOf(`user ${id}`, 'product_users.secret_key')
  await add('product_users', { product_id: 1, user_id: id, email_folded: email, ...own })
  for (const license of licenses) {
    const secret_key = formerKeys.seal(`sk_license_${license.id}`, 'licenses.secret_key')
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
  shop = await formerShop('settle_keys')
  const [shared, other] = [
    { id: 11, isOnInstall: true },
    { id: 12, isOnInstall: false },
  ]
  await addPerson(shop, { id: 1, is_verified: 1, licenses: [shared, other], hasInstall: true })
  await addPerson(shop, { id: 2, is_verified: 1, came_with: '2', licenses: [], hasInstall: true })
  await addPerson(shop, { id: 3, is_verified: 0, came_with: '3', licenses: [], hasInstall: true })
  await addPerson(shop, {
    id: 4,
    is_verified: 0,
    licenses: [{ id: 41, isOnInstall: false }],
    hasInstall: false,
  })
  for (const id of [1, 3]) await shop.add('billing', { id, user_id: id, business_name: `Business ${id}` })
  await shop.former.database.close()
  const database = connect(shop.former.options)
  await migrate(database)
  await Promise.all([settleKeys(database, formerKeys), settleKeys(database, formerKeys)])
  await database.close()
  running = await startUpgraded(shop.former, 'settle_keys')
  ctx = running.ctx
})
after(() => running.close())

function call(who: 'user' | 'install', id: number, rest: string, written?: object) {
  const { publicKey = 'pk_', secretKey = 'sk_' } = shop.pairs.get(`${who} ${id}`) ?? {}
  const pair = { id, publicKey, secretKey }
  return callBy(running.at, { pair, path: `/v1/${who}s/${id}${rest}`, ...(written && { written }) })
}

const licensesOf = async (id: number) =>
  (await call('user', id, '/licenses.json')).json.licenses.map((license: { id: string }) => license.id)

test('a pair that a license key may have handed out goes on with the licenses of the sites, and no further', async () => {
  assert.deepEqual(await licensesOf(1), ['11'])
  const profile = await call('user', 1, '.json')
  assert.deepEqual([profile.status, profile.json.email], [200, ''])
  assert.equal(profile.json.secret_key, shop.pairs.get('user 1')?.secretKey)
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
  assert.notEqual(row.public_key, shop.pairs.get('user 1')?.publicKey)
  assert.match(formerKeys.open(row.secret_key, 'product_users.secret_key'), /^sk_/)
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
