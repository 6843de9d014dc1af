import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { callBy } from '../../test/former-rows.ts'
import { formerKeys, formerShop, MAIN, startUpgraded, UNRELATED } from '../../test/former-shops.ts'
import { hashToken } from '../lib/credentials.ts'
import type { Database } from './database.ts'
import { hashesOfKey } from '../licensing/licenses/key.ts'

/** The last schema in which nobody knew for which proof a pair was handed out. */
const FORMER = 63

const LICENSE_KEY = 'sk_license'

const [ALONE, ELSEWHERE] = [1, 2]

let shop: Awaited<ReturnType<typeof formerShop>>
let running: Awaited<ReturnType<typeof startUpgraded>>
before(async () => {
  shop = await formerShop('proofs_of_keys', FORMER)
  const { add, pairOf, former } = shop
  for (const user_id of [ALONE, ELSEWHERE]) {
    const email = `person${user_id}@example.com`
    await add('users', { id: user_id, developer_id: 1, email, email_folded: email, is_verified: 1 })
    for (const product_id of user_id === ALONE ? [MAIN] : [MAIN, UNRELATED])
      await add('product_users', {
        product_id,
        user_id,
        reach: 'whole',
        email_folded: email,
        ...pairOf(`${user_id} in ${product_id}`, 'product_users.secret_key'),
      })
    const pair = pairOf(`handed to ${user_id}`, 'user_keys.secret_key')
    await add('user_keys', { id: user_id, product_id: 1, user_id, reach: 'whole', ...pair })
    await add('email_confirmations', {
      id: 1000 + user_id,
      product_id: 1,
      user_id,
      email: `linked${user_id}@example.com`,
      replaces: email,
      token_hash: hashToken(`token-${user_id}`),
      expires_at: '2099-01-01 00:00:00',
    })
  }
  await addOwnPair()
  await numberOn(former.database)
  await former.database.close()
  running = await startUpgraded(former, 'proofs_of_keys')
})
after(() => running.close())

/** The rows have been given their ids; what is added next must not come upon them. */
async function numberOn(database: Database): Promise<void> {
  if (database.engine === 'sqlite') return
  await database.transaction(async (db) => {
    const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.columns
      where table_schema = current_schema() and column_name = 'id' and is_identity = 'YES'`.execute(db)
    for (const { name } of rows)
      await sql`alter table ${sql.table(name)} alter column id restart with 10000`.execute(db)
  })
}

const UID = '1'.padStart(32, '0')

/** A site that was activated by the key of a license, with the pair of own reach that was handed out for it. */
async function addOwnPair(): Promise<void> {
  const { add, pairOf } = shop
  const of = { product_id: MAIN, user_id: ALONE }
  const secret_key = formerKeys.seal(LICENSE_KEY, 'licenses.secret_key')
  const [key_hash = null] = hashesOfKey(LICENSE_KEY, formerKeys)
  await add('licenses', { id: 11, ...of, plan_id: 1, secret_key, key_hash })
  const site = { site_id: 1, uid: UID, license_id: 11, counted_as: 'production', reach: 'own', is_active: 1 }
  await add('installs', { id: 21, ...of, ...site, ...pairOf('install 21', 'installs.secret_key') })
  const pair = pairOf('own', 'user_keys.secret_key')
  await add('user_keys', { id: 31, ...of, install_id: 21, reach: 'own', ...pair })
  await add('user_key_installs', { user_key_id: 31, install_id: 21, signs: 1 })
  await add('user_key_licenses', { user_key_id: 31, license_id: 11 })
}

const call = (user: number, written?: object) => {
  const { publicKey = 'pk_', secretKey = 'sk_' } = shop.pairs.get(`handed to ${user}`) ?? {}
  const path = `/v1/users/${user}.json`
  return callBy(running.at, { pair: { id: user, publicKey, secretKey }, path, ...(written && { written }) })
}

test('a link that waits over the upgrade is good for a user of its product alone', async () => {
  const follow = async (user: number) =>
    (await fetch(`${running.at.address}/confirm-email/token-${user}`, { method: 'POST' })).status
  assert.deepEqual([await follow(ALONE), await follow(ELSEWHERE)], [200, 404])
  const emails = [(await call(ALONE)).json.email, (await call(ELSEWHERE)).json.email]
  assert.deepEqual(emails, [`linked${ALONE}@example.com`, `person${ELSEWHERE}@example.com`])
})

test('a whole pair from before goes on, and gives no other address to a user of another product', async () => {
  const take = async (user: number) =>
    (await call(user, { email: `next${user}@example.com` })).json.error?.code
  assert.deepEqual([await take(ALONE), await take(ELSEWHERE)], [undefined, 'account_verification_required'])
})

test('a pair of own reach from before is the one of its site, each time that it is activated by the key', async () => {
  const activated = await fetch(`${running.at.address}/v1/products/${MAIN}/licenses/activate.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ license_key: LICENSE_KEY, uid: UID }),
  })
  const json = (await activated.json()) as Record<string, unknown>
  assert.equal(activated.status, 200, JSON.stringify(json))
  assert.equal(json['user_public_key'], shop.pairs.get('own')?.publicKey)
})
