import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testContext, TEST_SECRET } from '../../../test/app.ts'
import { createEmptyDatabase } from '../../../test/database.ts'
import { callBy, formerPairs, formerRows } from '../../../test/former-rows.ts'
import { connect } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { Keyring } from '../../lib/keyring.ts'
import { startServer } from '../../start.ts'
import { settleKeys } from './settle-keys.ts'

/** The last schema in which a user had one pair a product, and the last one that left those of moved sites whole. */
const FORMER = 29
const SETTLED = 65

const [OWNER, NEXT] = [1, 2]
const [ONE, TWO, BESIDE] = [11, 12, 13]
const SINCE = { created: '2026-02-01 10:00:00' }

const keys = Keyring.of(TEST_SECRET)

/** An owner with two licenses whose former site is another's; sites of key holders came after pairs had a reach. */
async function shop() {
  const former = await createEmptyDatabase('former_pair_since')
  await migrate(former.database, FORMER)
  const add = await formerRows(former.database)
  const { pairs, pairOf } = formerPairs(keys)
  await add('developers', { id: 1, ...pairOf('developer', 'developers.secret_key') })
  await add('stores', { id: 1, developer_id: 1, ...pairOf('store', 'stores.secret_key') })
  await add('products', { id: 1, developer_id: 1, store_id: 1, ...pairOf('product', 'products.secret_key') })
  await add('plans', { id: 1, product_id: 1 })
  await add('sites', { id: 1, developer_id: 1 })
  for (const id of [OWNER, NEXT]) {
    const email = `person${id}@example.com`
    await add('users', { id, developer_id: 1, email, email_folded: email, is_verified: 1 })
  }
  const held = { product_id: 1, user_id: OWNER, email_folded: 'person1@example.com' }
  await add('product_users', { ...held, ...pairOf('user 1', 'product_users.secret_key') })
  for (const id of [ONE, TWO]) {
    const secret_key = keys.seal(`sk_license_${id}`, 'licenses.secret_key')
    await add('licenses', { id, product_id: 1, user_id: OWNER, plan_id: 1, secret_key })
  }
  const data = JSON.stringify({ install_id: '1', from: String(OWNER), to: String(NEXT) })
  const told = { developer_id: 1, product_id: 1, user_id: NEXT, type: 'install.ownership.completed', data }
  await add('events', { id: 1, ...told })
  await former.database.close()
  const settled = connect(former.options)
  await migrate(settled, SETTLED)
  await settleKeys(settled, keys)
  await handOut(await formerRows(settled), pairOf)
  await settled.close()
  return { former, pairs }
}

/** Each site has a pair of its own; that which the last one's was handed out for is deleted. */
async function handOut(
  add: Awaited<ReturnType<typeof formerRows>>,
  pairOf: ReturnType<typeof formerPairs>['pairOf'],
): Promise<void> {
  for (const id of [ONE, TWO, BESIDE]) {
    const license_id = id === BESIDE ? null : id
    const place = { product_id: 1, user_id: OWNER, reach: 'own', ...SINCE }
    const site = { site_id: 1, uid: String(id).padStart(32, '0'), license_id }
    const counted_as = license_id === null ? null : 'production'
    await add('installs', {
      id,
      ...place,
      ...site,
      counted_as,
      ...pairOf(`install ${id}`, 'installs.secret_key'),
    })
    const install_id = id === BESIDE ? null : id
    await add('user_keys', { id, ...place, install_id, ...pairOf(`of ${id}`, 'user_keys.secret_key') })
    await add('user_key_installs', { user_key_id: id, install_id: id, signs: 1 })
    if (license_id !== null) await add('user_key_licenses', { user_key_id: id, license_id })
  }
}

test('sites that keys were handed out for since have the licenses of one another no more than before', async (t) => {
  const { former, pairs } = await shop()
  const database = connect(former.options)
  await migrate(database)
  await settleKeys(database, keys)
  const opened = await testContext('former_pair_since_context')
  const running = await startServer(Object.assign(opened.ctx, { db: database.reader, database }))
  t.after(async () => {
    await running.stop()
    await opened.drop()
    await former.remove()
  })
  const call = (who: 'user' | 'install', id: number, rest: string, written?: object) => {
    const { publicKey = 'pk_', secretKey = 'sk_' } = pairs.get(`${who} ${id}`) ?? {}
    const at = { address: running.address, now: opened.ctx.clock.real() }
    const pair = { id, publicKey, secretKey }
    return callBy(at, { pair, path: `/v1/${who}s/${id}${rest}`, ...(written && { written }) })
  }
  const { status, json } = await call('user', OWNER, '/licenses.json')
  assert.deepEqual([status, json.licenses], [200, []])
  const taken: number[] = []
  // A site puts a license that its keys reach on itself without the key.
  for (const [id, licenseId] of [
    [ONE, TWO],
    [TWO, ONE],
    [BESIDE, ONE],
    [ONE, ONE],
  ] as const) {
    taken.push((await call('install', id, `/licenses/${licenseId}.json`, {})).status)
  }
  assert.deepEqual(taken, [404, 404, 404, 200])
})
