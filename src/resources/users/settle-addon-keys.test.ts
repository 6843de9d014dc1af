import assert from 'node:assert/strict'
import { test, type TestContext as Running } from 'node:test'
import { testContext, TEST_SECRET } from '../../../test/app.ts'
import { createEmptyDatabase } from '../../../test/database.ts'
import { callBy, formerPairs, formerRows } from '../../../test/former-rows.ts'
import { connect } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { Keyring } from '../../lib/keyring.ts'
import { startServer } from '../../start.ts'
import { settleKeys } from './settle-keys.ts'

/** The last schema in which a user had one pair a product, and the last one that left those of add-ons whole. */
const FORMER = 29
const SETTLED_ONCE = 59

const keys = Keyring.of(TEST_SECRET)
const [MAIN, ADDON, BUNDLE, UNRELATED] = [1, 2, 3, 4]
const PRODUCTS = [MAIN, ADDON, BUNDLE, UNRELATED]

/** Person 1 shared the key of a license of the first product, person 2 connected all sites by proof. */
async function shop(name: string) {
  const former = await createEmptyDatabase(name)
  await migrate(former.database, FORMER)
  const add = await formerRows(former.database)
  const { pairs, pairOf } = formerPairs(keys)
  await add('developers', { id: 1, ...pairOf('developer', 'developers.secret_key') })
  await add('stores', { id: 1, developer_id: 1, ...pairOf('store', 'stores.secret_key') })
  for (const id of PRODUCTS) {
    const parent_plugin_id = id === ADDON ? MAIN : null
    const own = pairOf(`product ${id}`, 'products.secret_key')
    await add('products', { id, developer_id: 1, store_id: 1, parent_plugin_id, ...own })
  }
  await add('bundle_members', { bundle_id: BUNDLE, product_id: MAIN })
  await add('plans', { id: 1, product_id: MAIN })
  await add('sites', { id: 1, developer_id: 1 })
  for (const user_id of [1, 2]) {
    const email = `person${user_id}@example.com`
    await add('users', { id: user_id, developer_id: 1, email, email_folded: email, is_verified: 1 })
    for (const product_id of PRODUCTS) {
      const own = pairOf(`${user_id} in ${product_id}`, 'product_users.secret_key')
      await add('product_users', { product_id, user_id, email_folded: email, ...own })
    }
  }
  const secret_key = keys.seal('sk_license', 'licenses.secret_key')
  await add('licenses', { id: 11, product_id: MAIN, user_id: 1, plan_id: 1, secret_key })
  for (const user_id of [1, 2]) {
    for (const product_id of PRODUCTS) {
      const id = user_id * 10 + product_id
      const isOn = user_id === 1 && product_id === MAIN
      const license = { license_id: isOn ? 11 : null, counted_as: isOn ? 'production' : null }
      const own = pairOf(`install ${id}`, 'installs.secret_key')
      const uid = String(id).padStart(32, '0')
      await add('installs', { id, product_id, user_id, site_id: 1, uid, ...license, ...own })
    }
  }
  await former.database.close()
  return { former, pairs }
}

async function upgraded(t: Running, name: string, { steps }: { readonly steps: readonly number[] }) {
  const { former, pairs } = await shop(name)
  const database = connect(former.options)
  for (const step of steps) {
    await migrate(database, step)
    await settleKeys(database, keys)
  }
  await migrate(database)
  await settleKeys(database, keys)
  const opened = await testContext(`${name}_context`)
  const ctx = Object.assign(opened.ctx, { db: database.reader, database })
  const running = await startServer(ctx)
  t.after(async () => {
    await running.stop()
    await opened.drop()
    await former.remove()
  })
  const at = { address: running.address, now: ctx.clock.real() }
  return {
    ctx,
    read: (user: number, product: number, written?: object) => {
      const { publicKey = 'pk_', secretKey = 'sk_' } = pairs.get(`${user} in ${product}`) ?? {}
      const pair = { id: user, publicKey, secretKey }
      return callBy(at, { pair, path: `/v1/users/${user}.json`, ...(written && { written }) })
    },
  }
}

for (const [title, steps] of [
  ['in one step', []],
  ['after it was settled for products alone', [SETTLED_ONCE]],
] as const) {
  test(`a pair that a license key opened in an add-on or a bundle is of own reach after the upgrade, ${title}`, async (t) => {
    const { ctx, read } = await upgraded(t, `settle_addons_${steps.length}`, { steps })
    const emails = async (user: number) => {
      const replies = []
      for (const product of PRODUCTS) replies.push((await read(user, product)).json.email)
      return replies
    }
    assert.deepEqual(await emails(1), ['', '', '', 'person1@example.com'])
    assert.deepEqual(
      await emails(2),
      PRODUCTS.map(() => 'person2@example.com'),
    )
    for (const product of [ADDON, BUNDLE]) {
      const taking = await read(1, product, { email: 'eve@example.com' })
      assert.deepEqual([taking.status, taking.json.error.code], [400, 'account_verification_required'])
    }
    const own = await ctx.db
      .selectFrom('installs')
      .select('id')
      .where('reach', '=', 'own')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      own.map(({ id }) => id),
      [11, 12, 13],
    )
    const held = await ctx.db
      .selectFrom('user_keys')
      .select(['user_id', 'product_id'])
      .orderBy('product_id')
      .execute()
    assert.deepEqual(
      held.map(({ user_id: user, product_id: product }) => [user, product]),
      [MAIN, ADDON, BUNDLE].map((product) => [1, product]),
    )
  })
}
