import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { proofOf } from '../../../test/checkouts.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { renewAt } from '../../../test/subscriptions.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import { vatIdRegister } from '../taxes/vat-ids.ts'
import { WAIVER } from './waiver.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('consents')
  shop = await changeShop(app)
  const body = { code: 'FREE', discount: 100, discount_type: 'percentage' }
  assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body })).status, 201)
  await app.write(({ db }) =>
    db
      .updateTable('plans')
      .set({ trial_period: 7 })
      .where('id', '=', Number(shop.plans.pro))
      .executeTakeFirstOrThrow(),
  )
})
after(() => app.close())

const [ENGLISH, GERMAN] = WAIVER.map(({ text }) => text)
const UNION = 'at be bg hr cy cz dk ee fi fr de gr hu ie it lv lt lu mt nl pl pt ro sk si es se'.split(' ')

let people = 0
const newAddress = () => `consents${++people}@example.com`

const open = async (body: object = {}) => {
  const who = { user_email: newAddress(), user_firstname: 'Ada', country_code: 'de' }
  const { status, json, text } = await shop.open({
    ...shop.sandbox(),
    ...who,
    plan_id: shop.plans.basic,
    ...body,
  })
  assert.equal(status, 201, text)
  return json
}
const textOf = async (body: object): Promise<string | null> => (await open(body)).waiver?.text ?? null
const refusal = ({ status, json }: Reply) => [status, json.error?.code, json.error?.details?.[0]?.field]

/** What the checkout of a token keeps of what its buyer agreed to. */
const keptOf = (email: string) =>
  app.ctx.db
    .selectFrom('checkouts')
    .select(['waiver', 'waived_at', 'is_marketing_allowed'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()

/** What the offices say of every id; null: they do not answer. */
function offices(answer: boolean | null): void {
  const isKnown = async () => {
    if (answer === null) throw new Error('The office does not answer.')
    return answer
  }
  Object.assign(app.ctx, { vatIds: vatIdRegister({ isKnown }) })
}

test('a consumer in each country of the EU is asked, and nobody elsewhere', async () => {
  for (const country_code of UNION) assert.equal(await textOf({ country_code }), ENGLISH, country_code)
  for (const country_code of ['us', 'gb', 'ch', 'no', 'is', 'li'])
    assert.equal(await textOf({ country_code }), null, country_code)
  assert.equal(await textOf({ country_code: '' }), null, 'nobody knows where')
})

test('a company is not asked, whose VAT id was found or could not be checked; one that nobody knows is no company', async () => {
  const vat_id = 'FR40303265045'
  for (const [answer, text] of [
    [true, null],
    [null, null],
    [false, ENGLISH],
  ] as const) {
    offices(answer)
    assert.equal(await textOf({ country_code: 'fr', vat_id }), text, String(answer))
  }
  assert.equal(await textOf({ country_code: 'fr', vat_id: '12.345/6' }), ENGLISH, 'malformed')
})

test('who is asked reads it in their language, and in English where there is none in it', async () => {
  for (const [language, text] of [
    ['de_AT', GERMAN],
    ['DE', GERMAN],
    ['fr', ENGLISH],
    ['auto', ENGLISH],
  ] as const)
    assert.equal(await textOf({ language }), text, language)
})

test('only what is paid for has it: no free trial, nothing that costs nothing, no other method of payment', async () => {
  const pro = { plan_id: shop.plans.pro }
  assert.equal(await textOf({ ...pro, trial: 'free' }), null)
  assert.equal(await textOf({ ...pro, trial: 'paid' }), ENGLISH)
  assert.equal(await textOf({ coupon: 'FREE', billing_cycle: 'lifetime' }), null)
  const { id, key } = await shop.buy()
  const asked = async (body: object) => (await shop.open({ license_key: key, ...body })).json
  assert.equal((await asked({ country_code: 'fr' })).waiver.text, ENGLISH, 'a renewal')
  const method = await shop.openFor(id, { is_payment_method_update: true, country_code: 'fr' })
  assert.deepEqual([method.status, method.json.waiver], [201, null])
})

test('it is paid only with the consent, which is kept with its text and its time, and shown', async () => {
  const email = newAddress()
  const { id } = await open({ user_email: email, language: 'de' })
  for (const is_waiver_accepted of [undefined, false]) {
    const refused = await shop.pay(id, 'test_succeeds', { is_waiver_accepted })
    assert.deepEqual(refusal(refused), [400, 'waiver_required', 'is_waiver_accepted'])
  }
  const declined = await shop.pay(id, 'test_declined', { is_waiver_accepted: true })
  assert.deepEqual(refusal(declined).slice(0, 2), [400, 'payment_declined'])
  const again = await shop.pay(id)
  assert.deepEqual(refusal(again)[1], 'waiver_required', 'each try is agreed to')
  const look = async () => (await shop.call('GET', `/${id}.json`)).json.waiver
  assert.deepEqual(await look(), { text: GERMAN, accepted_at: null })

  app.ctx.clock.advance(90_000)
  const { status, json, text } = await shop.pay(id, 'test_succeeds', { is_waiver_accepted: true })
  assert.deepEqual([status, json.state], [200, 'paid'], text)
  const { waiver, waived_at: at } = await keptOf(email)
  assert.equal(waiver, GERMAN)
  assert.equal(at, new Date(app.ctx.clock.real()).toISOString().slice(0, 19).replace('T', ' '))
  assert.deepEqual(await look(), { text: GERMAN, accepted_at: at })
  assert.equal((await shop.pay(id, null)).json.state, 'paid', 'who looks again agrees to nothing')
})

test('the seller reads it with what was paid: in the checkout, by a renewal, and after a trial', async () => {
  const list = async (query = '&extended=true') =>
    (await shop.get(`/payments.json?count=50${query}`)).payments as readonly {
      readonly subscription_id: string | null
      readonly waiver?: { readonly text: string; readonly accepted_at: string } | null
    }[]
  const agreed = async (body: object) => {
    const { id } = await open(body)
    const { json, text } = await shop.pay(id, 'test_succeeds', { is_waiver_accepted: true })
    assert.equal(json.state, 'paid', text)
    return (await shop.call('GET', `/${id}.json`)).json.waiver
  }
  const at = await agreed({ language: 'de' })
  assert.equal(at.text, GERMAN)
  await shop.buy()
  const [abroad, bought] = await list()
  assert.deepEqual([abroad?.waiver, bought?.waiver], [null, at])
  assert.equal((await list(''))[0]?.waiver, undefined, 'only with extended')

  app.ctx.clock.advance(1_000)
  const tried = await agreed({ plan_id: shop.plans.pro, trial: 'paid' })
  const { clock } = app.ctx
  await renewAt(app, toUtcTime(clock.of(app.seller.product.id, 1) + 366 * DAY))
  const told = await list()
  const renewed = told.filter(({ subscription_id: id }) => id === bought?.subscription_id)
  assert.deepEqual(
    renewed.map(({ waiver }) => waiver),
    [at, at],
  )
  assert.equal(told.filter(({ waiver }) => waiver?.accepted_at === tried.accepted_at).length, 1, 'the trial')
})

test('the consent of who need not give it is not kept', async () => {
  const email = newAddress()
  const { id } = await open({ user_email: email, country_code: 'us' })
  assert.equal((await shop.pay(id, 'test_succeeds', { is_waiver_accepted: true })).json.state, 'paid')
  assert.deepEqual(await keptOf(email), { waiver: null, waived_at: null, is_marketing_allowed: null })
  assert.equal((await shop.call('GET', `/${id}.json`)).json.waiver, null)
})

test('a buyer is asked for marketing where the law says so, everywhere, or nowhere, as the page says', async () => {
  const asked = async (gdpr: string | undefined, country_code: string) => {
    const { marketing } = await open({ country_code, ...(gdpr !== undefined && { gdpr }) })
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

/** What a user of a product is known to have said. */
const knownOf = async ({ id, token }: TestApp['seller']['product'], email: string) => {
  const path = `/products/${id}/users.json?email=${encodeURIComponent(email)}`
  const { json } = await app.call('GET', path, { token })
  return json.users[0]?.is_marketing_allowed
}

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
    const email = newAddress()
    await usersWho(email, null)
    const { id } = await open({ user_email: email })
    const { json } = await shop.pay(id, 'test_succeeds', { ...PAID, is_marketing_allowed: said })
    assert.equal(json.state, 'paid')
    await shop.pay(id, null, { is_marketing_allowed: !said })
    assert.equal(await knownOf(app.seller.product, email), known, String(said))
    assert.deepEqual(await eventsOf(email), events)
    assert.equal(await knownOf(app.seller.other, email), null, 'the other product')
    assert.equal(await knownOf(app.seller.product, `other.${email}`), null, 'somebody else')
    const { marketing } = (await shop.call('GET', `/${id}.json`)).json
    assert.equal(marketing?.is_allowed ?? null, said ?? null)
  }
})

test('of somebody new it is the same', async () => {
  const email = newAddress()
  const { id } = await open({ user_email: email })
  await shop.pay(id, 'test_succeeds', { ...PAID, is_marketing_allowed: true })
  assert.equal(await knownOf(app.seller.product, email), true)
  assert.equal(await knownOf(app.seller.other, email), undefined)
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
      const email = newAddress()
      await usersWho(email, before)
      const proof = way === 'proven' ? await proofOf(app, email) : { user_email: email }
      const country_code = gdpr === 'default' ? 'de' : 'us'
      const { id } = await open({ user_email: undefined, ...proof, gdpr, country_code })
      const { json } = await shop.pay(id, 'test_succeeds', { ...PAID, is_marketing_allowed: said })
      assert.equal(json.state, 'paid')
      const about = `${way}: ${JSON.stringify({ before, gdpr, said })}`
      assert.equal(await knownOf(app.seller.product, email), known[way], about)
      assert.equal(await knownOf(app.seller.other, email), before, about)
      assert.equal(await knownOf(app.seller.product, `other.${email}`), before, about)
    }
  }
})

test('where nobody is asked nothing is recorded', async () => {
  for (const [body, why] of [
    [{ gdpr: 'hidden' }, 'hidden'],
    [{ country_code: 'us' }, 'elsewhere'],
    [{ coupon: 'FREE', billing_cycle: 'lifetime' }, 'anybody could have typed the address'],
  ] as const) {
    const email = newAddress()
    await usersWho(email, null)
    const { id, marketing } = await open({ user_email: email, ...body })
    assert.equal(marketing, null, why)
    const { json } = await shop.pay(id, 'test_succeeds', { ...PAID, is_marketing_allowed: true })
    assert.equal(json.state, 'paid', why)
    assert.equal(await knownOf(app.seller.product, email), null, why)
  }
})

test('what is not paid changes nothing of its buyer', async () => {
  const email = newAddress()
  await usersWho(email, null)
  const { id } = await open({ user_email: email })
  await shop.pay(id, 'test_declined', { ...PAID, is_marketing_allowed: true })
  assert.equal(await knownOf(app.seller.product, email), null)
})
