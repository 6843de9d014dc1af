import assert from 'node:assert/strict'
import type { Reply, TestApp } from './app.ts'
import { changeShop } from './license-changes.ts'

let people = 0

/** A shop whose buyers are consumers in Germany, with a coupon `FREE` of 100 % and a plan `pro` that is tried. */
export async function consumerShop(app: TestApp) {
  const shop = await changeShop(app)
  const body = { code: 'FREE', discount: 100, discount_type: 'percentage' }
  assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body })).status, 201)
  await app.write(({ db }) =>
    db
      .updateTable('plans')
      .set({ trial_period: 7 })
      .where('id', '=', Number(shop.plans.pro))
      .executeTakeFirstOrThrow(),
  )
  const newAddress = () => `consumer${++people}@example.com`
  return {
    ...shop,
    newAddress,
    /** A checkout of somebody new, as it is told. */
    async begin(more: object = {}) {
      const who = { user_email: newAddress(), user_firstname: 'Ada', country_code: 'de' }
      const offer = { ...shop.sandbox(), ...who, plan_id: shop.plans.basic }
      const { status, json, text } = await shop.open({ ...offer, ...more })
      assert.equal(status, 201, text)
      return json
    },
    /** What the checkout of an address keeps of what its buyer agreed to. */
    keptOf: (email: string) =>
      app.ctx.db
        .selectFrom('checkouts')
        .select(['waiver', 'waived_at', 'is_marketing_allowed'])
        .where('email', '=', email)
        .executeTakeFirstOrThrow(),
  }
}

export type ConsumerShop = Awaited<ReturnType<typeof consumerShop>>

/** Status, code and the argument that a refusal names. */
export const refusal = ({ status, json }: Reply) => [
  status,
  json.error?.code,
  json.error?.details?.[0]?.field,
]

/** What a user of a product is known to have said of marketing; undefined: nobody has the address. */
export async function marketingOf(
  { call }: TestApp,
  { id, token }: TestApp['seller']['product'],
  email: string,
) {
  const path = `/products/${id}/users.json?email=${encodeURIComponent(email)}`
  return (await call('GET', path, { token })).json.users[0]?.is_marketing_allowed
}
