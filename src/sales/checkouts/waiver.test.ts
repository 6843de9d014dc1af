import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { consumerShop, marketingOf, refusal, type ConsumerShop } from '../../../test/consents.ts'
import { holding } from '../../../test/installs.ts'
import { mailsTo } from '../../../test/mails.ts'
import { renewAt } from '../../../test/subscriptions.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import { vatIdRegister } from '../taxes/vat-ids.ts'
import { WAIVER } from './waiver.ts'

let app: TestApp
let shop: ConsumerShop
before(async () => {
  app = await startTestApp('waiver')
  shop = await consumerShop(app)
})
after(() => app.close())

const [ENGLISH, GERMAN] = WAIVER.map(({ text }) => text)
const UNION = 'at be bg hr cy cz dk ee fi fr de gr hu ie it lv lt lu mt nl pl pt ro sk si es se'.split(' ')

const textOf = async (body: object): Promise<string | null> => (await shop.begin(body)).waiver?.text ?? null
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
  const email = shop.newAddress()
  const { id } = await shop.begin({ user_email: email, language: 'de' })
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
  const { waiver, waived_at: at } = await shop.keptOf(email)
  assert.equal(waiver, GERMAN)
  assert.equal(at, new Date(app.ctx.clock.real()).toISOString().slice(0, 19).replace('T', ' '))
  assert.deepEqual(await look(), { text: GERMAN, accepted_at: at })
  assert.equal((await shop.pay(id, null)).json.state, 'paid', 'who looks again agrees to nothing')
})

test('the receipt confirms it in its words, as the law wants it, and says nothing where nobody agreed', async () => {
  const receiptOf = async (email: string, body: object) => {
    const { id } = await shop.begin({ user_email: email, ...body })
    await shop.pay(id, 'test_succeeds', { is_waiver_accepted: true })
    return (await mailsTo(app, email)).find(({ kind }) => kind === 'receipt')?.text ?? assert.fail(email)
  }
  const german = await receiptOf(shop.newAddress(), { language: 'de' })
  assert.ok(german.includes(`Dem haben Sie bei der Zahlung zugestimmt: „${GERMAN}“`), german)
  assert.doesNotMatch(await receiptOf(shop.newAddress(), { country_code: 'us' }), /agree/)

  const { id, email } = await shop.buy()
  const renewal = await shop.openFor(id, { country_code: 'fr' })
  await shop.pay(renewal.json.id, 'test_succeeds', { is_waiver_accepted: true })
  const mails = (await mailsTo(app, email)).filter(({ kind }) => kind === 'receipt')
  assert.deepEqual(
    mails.map(({ text }) => text.includes(`“${ENGLISH}”`)),
    [false, true],
  )
})

test('the seller reads it with what was paid: in the checkout, by a renewal, and after a trial', async () => {
  const list = async (query = '&extended=true') =>
    (await shop.get(`/payments.json?count=50${query}`)).payments as readonly {
      readonly subscription_id: string | null
      readonly waiver?: { readonly text: string; readonly accepted_at: string } | null
    }[]
  const agreed = async (body: object) => {
    const { id } = await shop.begin(body)
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

test('who holds the license key and no more reads nothing of it, and is not asked for marketing', async () => {
  const email = shop.newAddress()
  const { id } = await shop.begin({ user_email: email })
  const { json } = await shop.pay(id, 'test_succeeds', { is_waiver_accepted: true })
  const license = await shop.licenseOf(json.license_id)
  const active = await clientsOf(app).active(license)
  const { user } = holding(app, active.json)
  const { payments } = (await user('GET', '/payments.json?extended=true')).json
  assert.deepEqual([payments.length, payments[0].waiver], [1, null])

  const renewal = (await shop.open({ license_key: license.secret_key, country_code: 'fr', gdpr: 'opt_out' }))
    .json
  assert.equal(renewal.marketing, null)
  const said = { is_waiver_accepted: true, is_marketing_allowed: true }
  const paid = await shop.pay(renewal.id, 'test_succeeds', said)
  assert.equal(paid.json.state, 'paid', paid.text)
  assert.equal(await marketingOf(app, app.seller.product, email), null)
})

test('the consent of who need not give it is not kept', async () => {
  const email = shop.newAddress()
  const { id } = await shop.begin({ user_email: email, country_code: 'us' })
  assert.equal((await shop.pay(id, 'test_succeeds', { is_waiver_accepted: true })).json.state, 'paid')
  assert.deepEqual(await shop.keptOf(email), { waiver: null, waived_at: null, is_marketing_allowed: null })
  assert.equal((await shop.call('GET', `/${id}.json`)).json.waiver, null)
})
