import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testContext, TEST_SECRET } from '../../test/app.ts'
import { createEmptyDatabase, type TestDatabase } from '../../test/database.ts'
import { callBy, formerPairs, formerRows } from '../../test/former-rows.ts'
import { hashToken } from '../lib/credentials.ts'
import { Keyring } from '../lib/keyring.ts'
import { startServer } from '../start.ts'
import { connect } from './connect.ts'
import { migrate } from './migrate.ts'

/** The last schema in which nobody knew for which proof a pair was handed out. */
const FORMER = 63

const keys = Keyring.of(TEST_SECRET)
const { pairs, pairOf } = formerPairs(keys)
const [ALONE, ELSEWHERE] = [1, 2]

let former: TestDatabase
let opened: Awaited<ReturnType<typeof testContext>>
let running: Awaited<ReturnType<typeof startServer>>
before(async () => {
  former = await createEmptyDatabase('proofs_of_keys')
  await migrate(former.database, FORMER)
  const add = await formerRows(former.database)
  await add('developers', { id: 1, ...pairOf('developer', 'developers.secret_key') })
  await add('stores', { id: 1, developer_id: 1, ...pairOf('store', 'stores.secret_key') })
  for (const id of [1, 2])
    await add('products', {
      id,
      developer_id: 1,
      store_id: 1,
      ...pairOf(`product ${id}`, 'products.secret_key'),
    })
  for (const user_id of [ALONE, ELSEWHERE]) {
    const email = `person${user_id}@example.com`
    await add('users', { id: user_id, developer_id: 1, email, email_folded: email, is_verified: 1 })
    for (const product_id of user_id === ALONE ? [1] : [1, 2])
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
  await former.database.close()
  const database = connect(former.options)
  await migrate(database)
  opened = await testContext('proofs_of_keys_context')
  running = await startServer(Object.assign(opened.ctx, { db: database.reader, database }))
})
after(async () => {
  await running.stop()
  await opened.drop()
  await former.remove()
})

const call = (user: number, written?: object) => {
  const { publicKey = 'pk_', secretKey = 'sk_' } = pairs.get(`handed to ${user}`) ?? {}
  const at = { address: running.address, now: opened.ctx.clock.real() }
  const path = `/v1/users/${user}.json`
  return callBy(at, { pair: { id: user, publicKey, secretKey }, path, ...(written && { written }) })
}

test('a link that waits over the upgrade is good for a user of its product alone', async () => {
  const follow = async (user: number) =>
    (await fetch(`${running.address}/confirm-email/token-${user}`, { method: 'POST' })).status
  assert.deepEqual([await follow(ALONE), await follow(ELSEWHERE)], [200, 404])
  const emails = [(await call(ALONE)).json.email, (await call(ELSEWHERE)).json.email]
  assert.deepEqual(emails, [`linked${ALONE}@example.com`, `person${ELSEWHERE}@example.com`])
})

test('a whole pair from before goes on, and gives no other address to a user of another product', async () => {
  const take = async (user: number) =>
    (await call(user, { email: `next${user}@example.com` })).json.error?.code
  assert.deepEqual([await take(ALONE), await take(ELSEWHERE)], [undefined, 'account_verification_required'])
})
