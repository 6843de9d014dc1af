import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { clientsOf, newUid } from '../../../test/activations.ts'
import { asUser } from '../../../test/callers.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('cards')
  shop = await changeShop(app)
})
after(() => app.close())

/** What was told of the cards of a user, earliest first. */
async function toldOf(userId: string) {
  const { events } = await shop.get(`/users/${userId}/events.json?count=50`)
  return (events as { type: string; data: { card_id: string }; objects: { card: unknown } }[])
    .filter(({ type }) => type.startsWith('card.'))
    .toReversed()
}

test('a card is kept with the first payment and told, and read by the seller and its user', async () => {
  const { id } = await shop.buy()
  const license = await shop.licenseOf(id)
  const { cards } = await shop.get(`/users/${license.user_id}/cards.json`)
  const [card] = cards
  assert.equal(cards.length, 1)
  assert.deepEqual(await shop.get(`/users/${license.user_id}/cards/${card.id}.json`), card)
  assert.deepEqual(
    [card.kind, card.gateway, card.environment, /^\d{4}$/.test(card.last4)],
    ['card', 'test', 1, true],
  )
  assert.equal((await shop.subscriptionOf(id)).user_card_id, card.id)
  const [told, ...others] = await toldOf(license.user_id)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [told?.type, told?.data, told?.objects.card],
    ['card.created', { card_id: card.id, user_id: license.user_id }, card],
  )
  const keys = await shop.get(`/users/${license.user_id}.json`)
  const user = asUser(app, { id: Number(keys.id), secretKey: keys.secret_key, publicKey: keys.public_key })
  assert.deepEqual((await user('GET', '/cards.json')).json.cards, cards)
})

test('a card that takes the place of another one is told as its change', async () => {
  const { id } = await shop.buy()
  const { user_id: userId } = await shop.licenseOf(id)
  const { json: session } = await shop.openFor(id, { is_payment_method_update: true })
  assert.equal((await shop.pay(session.id)).json.state, 'paid')
  const told = await toldOf(userId)
  assert.deepEqual(
    told.map(({ type }) => type),
    ['card.created', 'card.updated'],
  )
  assert.equal((await shop.subscriptionOf(id)).user_card_id, told[1]?.data.card_id)
})

test("another user's card is not found, and keys that came by a license see none", async () => {
  const [one, two] = [await shop.buy(), await shop.buy()]
  const [own, other] = [await shop.licenseOf(one.id), await shop.licenseOf(two.id)]
  const { user_card_id: foreign } = await shop.subscriptionOf(two.id)
  assert.equal((await app.call('GET', `${shop.base}/users/${own.user_id}/cards/${foreign}.json`)).status, 404)
  const again = { user_email: one.email, plan_id: shop.plans.pro }
  const { json: session } = await shop.open({
    ...shop.sandbox(),
    ...again,
    user_firstname: 'Grace',
    country_code: 'us',
  })
  assert.equal((await shop.pay(session.id)).json.state, 'paid')
  assert.equal((await shop.get(`/users/${own.user_id}/cards.json`)).cards.length, 2)
  const body = { license_key: one.key, uid: newUid() }
  const path = clientsOf(app).path('/licenses/activate.json')
  const { json: pair } = await app.call('POST', path, { token: null, body })
  const id = Number(pair.user_id)
  const keys = { id, publicKey: pair.user_public_key, secretKey: pair.user_secret_key }
  const call = asUser(app, keys)
  assert.deepEqual((await call('GET', '/cards.json')).json.cards, [])
  const paidWith = (await shop.subscriptionOf(one.id)).user_card_id
  assert.equal((await call('GET', `/cards/${paidWith}.json`)).status, 404)
  assert.notEqual(own.user_id, other.user_id)
})
