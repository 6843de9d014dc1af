import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { proofOf } from '../../../test/checkouts.ts'
import { consumerShop, marketingOf, refusal, type ConsumerShop } from '../../../test/consents.ts'

let app: TestApp
let shop: ConsumerShop
before(async () => {
  app = await startTestApp('marketing')
  shop = await consumerShop(app)
})
after(() => app.close())

test('a buyer is asked for marketing where the law says so, everywhere, or nowhere, as the page says', async () => {
  const asked = async (gdpr: string | undefined, country_code: string) => {
    const { marketing } = await shop.begin({ country_code, ...(gdpr !== undefined && { gdpr }) })
    return marketing && [marketing.is_preticked, marketing.is_allowed]
  }
  for (const country of ['de', 'no', 'gb', 'ch']) {
    assert.deepEqual(await asked(undefined, country), [false, null], country)
    assert.deepEqual(await asked('opt_out', country), [false, null], `${country}: never ticked beforehand`)
  }
  assert.equal(await asked('default', 'us'), null)
  assert.deepEqual(await asked('opt_out', 'us'), [true, null])
  for (const country of ['de', 'us', ''])
    assert.equal(await asked('hidden', country), null, `hidden in ${country}`)
  assert.equal(await asked('opt_out', ''), null, 'nobody knows where')
  const wrong = await shop.open({ gdpr: 'sometimes' })
  assert.deepEqual(refusal(wrong), [400, 'invalid_argument', 'gdpr'])
})

/** Users of this address in both products, and somebody else of the first, with what they said before. */
async function usersWho(email: string, before: boolean | null): Promise<void> {
  const { product, other } = app.seller
  for (const [{ id, token }, address] of [
    [product, email],
    [other, email],
    [product, `other.${email}`],
  ] as const) {
    const body = { email: address, first: 'A', last: 'B', is_marketing_allowed: before }
    const made = await app.call('POST', `/products/${id}/users.json`, { token, body })
    assert.ok(made.status < 300, made.text)
  }
}

const eventsOf = async (email: string) => {
  const rows = await app.ctx.db
    .selectFrom('events')
    .innerJoin('users', 'users.id', 'events.user_id')
    .select('events.type')
    .where('users.email', '=', email)
    .where('events.type', 'like', 'user.marketing.%')
    .orderBy('events.id')
    .execute()
  return rows.map(({ type }) => type.replace('user.marketing.', ''))
}

const PAID = { is_waiver_accepted: true }

test('a first decision is the decision of the buyer in that product, and told once', async () => {
  for (const [said, known, events] of [
    [true, true, ['opted_in']],
    [false, false, ['opted_out']],
    [undefined, null, []],
  ] as const) {
    const email = shop.newAddress()
    await usersWho(email, null)
    const { id } = await shop.begin({ user_email: email })
    const { json } = await shop.pay(id, 'test_succeeds', { ...PAID, is_marketing_allowed: said })
    assert.equal(json.state, 'paid')
    await shop.pay(id, null, { is_marketing_allowed: !said })
    assert.equal(await marketingOf(app, app.seller.product, email), known, String(said))
    assert.deepEqual(await eventsOf(email), events)
    assert.equal(await marketingOf(app, app.seller.other, email), null, 'the other product')
    assert.equal(await marketingOf(app, app.seller.product, `other.${email}`), null, 'somebody else')
    const { marketing } = (await shop.call('GET', `/${id}.json`)).json
    assert.equal(marketing?.is_allowed ?? null, said ?? null)
  }
})

test('of somebody new it is the same', async () => {
  const email = shop.newAddress()
  const { id } = await shop.begin({ user_email: email })
  await shop.pay(id, 'test_succeeds', { ...PAID, is_marketing_allowed: true })
  assert.equal(await marketingOf(app, app.seller.product, email), true)
  assert.equal(await marketingOf(app, app.seller.other, email), undefined)
})

test('later only a box that was changed says something, and who only typed the address makes no yes of a no', async () => {
  interface Case {
    readonly before: boolean
    readonly gdpr: 'default' | 'opt_out'
    readonly said: boolean
    readonly typed: boolean
    readonly proven: boolean
  }
  const cases: readonly Case[] = [
    // The box is empty beforehand.
    { before: true, gdpr: 'default', said: false, typed: true, proven: true },
    { before: false, gdpr: 'default', said: true, typed: false, proven: true },
    // The box is ticked beforehand.
    { before: false, gdpr: 'opt_out', said: true, typed: false, proven: false },
    { before: true, gdpr: 'opt_out', said: false, typed: false, proven: false },
  ]
  for (const { before, gdpr, said, ...known } of cases) {
    for (const way of ['typed', 'proven'] as const) {
      const email = shop.newAddress()
      await usersWho(email, before)
      const proof = way === 'proven' ? await proofOf(app, email) : { user_email: email }
      const country_code = gdpr === 'default' ? 'de' : 'us'
      const { id } = await shop.begin({ user_email: undefined, ...proof, gdpr, country_code })
      const { json } = await shop.pay(id, 'test_succeeds', { ...PAID, is_marketing_allowed: said })
      assert.equal(json.state, 'paid')
      const about = `${way}: ${JSON.stringify({ before, gdpr, said })}`
      assert.equal(await marketingOf(app, app.seller.product, email), known[way], about)
      assert.equal(await marketingOf(app, app.seller.other, email), before, about)
      assert.equal(await marketingOf(app, app.seller.product, `other.${email}`), before, about)
    }
  }
})

test('where nobody is asked nothing is recorded', async () => {
  for (const [body, why] of [
    [{ gdpr: 'hidden' }, 'hidden'],
    [{ country_code: 'us' }, 'elsewhere'],
    [{ coupon: 'FREE', billing_cycle: 'lifetime' }, 'anybody could have typed the address'],
  ] as const) {
    const email = shop.newAddress()
    await usersWho(email, null)
    const { id, marketing } = await shop.begin({ user_email: email, ...body })
    assert.equal(marketing, null, why)
    const { json } = await shop.pay(id, 'test_succeeds', { ...PAID, is_marketing_allowed: true })
    assert.equal(json.state, 'paid', why)
    assert.equal(await marketingOf(app, app.seller.product, email), null, why)
  }
})

test('what is not paid changes nothing of its buyer', async () => {
  const email = shop.newAddress()
  await usersWho(email, null)
  const { id } = await shop.begin({ user_email: email })
  await shop.pay(id, 'test_declined', { ...PAID, is_marketing_allowed: true })
  assert.equal(await marketingOf(app, app.seller.product, email), null)
})
