import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { newUid } from '../../../test/installs.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { typedBuyers, type TypedBuyers } from '../../../test/typed-buyers.ts'

let app: TestApp
let buyers: TypedBuyers
before(async () => {
  app = await startTestApp('gift_and_owner')
  buyers = await typedBuyers(app)
})
after(() => app.close())

const GIFT = { discount: 100, is_one_per_user: true }

/** What a stranger gets for nothing for an address; the key, as it is mailed there, and its license. */
async function gift(email: string, coupon: string) {
  const { shop, asStranger } = buyers
  const { json, text } = await shop.pay(await asStranger(email, { coupon }))
  assert.equal(json.state, 'paid', text)
  const { licenses } = await shop.get('/licenses.json?count=1')
  return licenses[0] as { readonly id: string; readonly secret_key: string }
}

const use = async ({ secret_key: license_key }: { readonly secret_key: string }) => {
  const { json } = await clientsOf(app).activate({ license_key, uid: newUid() })
  return json.error?.code ?? 'active'
}

test('a gift that nobody has used ends when its owner uses the coupon: it is used once, and counts once', async () => {
  const email = await buyers.owner()
  const coupon = await buyers.couponOf(GIFT)
  const license = await gift(email, coupon.code)
  assert.deepEqual(await buyers.usesOf(coupon), [1, 1, 1])
  const owners = await buyers.asOwner(email, { coupon: coupon.code })
  assert.equal(await buyers.paysWith(owners), 'paid')
  assert.equal((await buyers.shop.get(`/licenses/${license.id}.json`)).is_cancelled, true)
  assert.equal(await use(license), 'license_cancelled')
  assert.deepEqual((await buyers.usesOf(coupon)).slice(0, 2), [1, 1])
})

test('a gift that was used has used the coupon up', async () => {
  const email = await buyers.owner()
  const coupon = await buyers.couponOf(GIFT)
  const license = await gift(email, coupon.code)
  const begun = await buyers.asOwner(email, { coupon: coupon.code })
  await buyers.leaves(begun)
  assert.equal(await use(license), 'active')
  assert.equal(await buyers.paysWith(begun), 'coupon_already_used', 'also where the owner had begun to pay')
  assert.equal(await buyers.paysWith(begun), 'coupon_already_used')
  assert.deepEqual(await buyers.usesOf(coupon), [1, 1, 1])
  assert.equal((await buyers.shop.get(`/licenses/${license.id}.json`)).is_cancelled, false)
})

test('a trial that a stranger began with a coupon ends with its renewals when the owner uses the coupon', async () => {
  const coupon = await buyers.couponOf({ is_one_per_user: true })
  const { email, license_id: id } = await buyers.shop.tried({ coupon: coupon.code })
  const owners = await buyers.asOwner(email, { coupon: coupon.code })
  assert.equal(await buyers.paysWith(owners, 'test_succeeds'), 'paid')
  const { is_cancelled: isCancelled } = await buyers.shop.get(`/licenses/${id}.json`)
  assert.equal(isCancelled, true)
  const { subscriptions } = await buyers.shop.get('/subscriptions.json?count=50')
  const its = subscriptions.filter((one: { license_id: string }) => one.license_id === id)
  assert.deepEqual(
    its.map(({ canceled_at: at }: { canceled_at: string | null }) => at !== null),
    [true],
  )
  assert.deepEqual(await buyers.usesOf(coupon), [1, 1, 1])
})

test('of a gift whose key is used and of its owner who pays with the coupon at once one has it', async () => {
  for (let round = 0; round < 8; round++) {
    const email = await buyers.owner()
    const coupon = await buyers.couponOf(GIFT)
    const license = await gift(email, coupon.code)
    const owners = await buyers.asOwner(email, { coupon: coupon.code })
    await buyers.leaves(owners)
    const both = await Promise.all([use(license), buyers.paysWith(owners)])
    assert.ok(
      ['active coupon_already_used', 'license_cancelled paid'].includes(both.join(' ')),
      both.join(' '),
    )
    assert.deepEqual((await buyers.usesOf(coupon)).slice(0, 2), [1, 1])
  }
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a gift of a coupon that a user may use often counts at once, beside what its owner buys with it', async () => {
  const email = await buyers.owner()
  const coupon = await buyers.couponOf({ discount: 100, redemptions_limit: 2 })
  const license = await gift(email, coupon.code)
  const owners = await buyers.asOwner(email, { coupon: coupon.code })
  assert.equal(await buyers.paysWith(owners), 'paid')
  const third = await buyers.asStranger('third@example.com', { coupon: coupon.code })
  assert.equal(await buyers.paysWith(third), 'coupon_used_up')
  assert.equal(await use(license), 'active')
  assert.deepEqual(await buyers.usesOf(coupon), [2, 2, 2])
})
