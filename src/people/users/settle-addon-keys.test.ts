import assert from 'node:assert/strict'
import { test, type TestContext as Running } from 'node:test'
import { callBy } from '../../../test/former-rows.ts'
import {
  ADDON,
  BUNDLE,
  formerKeys,
  formerShop,
  MAIN,
  settledAt,
  startUpgraded,
  UNRELATED,
} from '../../../test/former-shops.ts'

/** The last schema that left pairs of add-ons whole. */
const SETTLED_ONCE = 59

const PRODUCTS = [MAIN, ADDON, BUNDLE, UNRELATED]

/** Person 1 shared the key of a license of the first product, person 2 connected all sites by proof. */
async function shop(name: string) {
  const { former, add, pairs, pairOf } = await formerShop(name)
  for (const user_id of [1, 2]) {
    const email = `person${user_id}@example.com`
    await add('users', { id: user_id, developer_id: 1, email, email_folded: email, is_verified: 1 })
    for (const product_id of PRODUCTS) {
      const own = pairOf(`${user_id} in ${product_id}`, 'product_users.secret_key')
      await add('product_users', { product_id, user_id, email_folded: email, ...own })
    }
  }
  const secret_key = formerKeys.seal('sk_license', 'licenses.secret_key')
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
  for (const step of steps) await (await settledAt(former, step)).close()
  const { ctx, at, close } = await startUpgraded(former, name)
  t.after(close)
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
