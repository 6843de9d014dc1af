import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { TEST_TOKENS } from '../../gateways/test/behaviours.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('checkout_product')
  developer = await asDeveloper(app)
})
after(() => app.close())

const seller: CallAs = (method, path, body) =>
  developer(method, `/products/${app.seller.product.id}${path}`, body)
const page = (
  query = '',
  headers: Record<string, string> = {},
  id: number | string = app.seller.product.id,
) => app.call('GET', `/checkout/products/${id}.json${query}`, { token: null, headers })

async function write(type: number, data: object): Promise<void> {
  const { status, text } = await seller('PUT', '/settings.json', {
    setting_type: type,
    data: JSON.stringify(data),
  })
  assert.equal(status, 200, text)
}

test('anybody reads what the page of a checkout shows: plans that are shown, with prices and features', async () => {
  const plan = await seller('POST', '/plans.json', { name: 'pro', title: 'Pro' })
  const secret = await seller('POST', '/plans.json', { name: 'secret' })
  await seller('PUT', `/plans/${secret.json.id}.json`, { is_hidden: true })
  for (const price of [
    { licenses: 1, currency: 'usd', annual_price: 99.5, monthly_price: 9.99 },
    { licenses: 5, currency: 'eur', annual_price: 200 },
  ])
    await seller('POST', `/plans/${plan.json.id}/pricing.json`, price)
  const unlimited = { licenses: null, currency: 'usd', annual_price: 999 }
  const { pricing } = (await seller('POST', `/plans/${plan.json.id}/pricing.json`, unlimited)).json
  await seller('PUT', `/plans/${plan.json.id}/pricing/${pricing.id}.json`, { is_hidden: true })
  const feature = await seller('POST', '/features.json', { title: 'Exports' })
  await seller('PUT', `/plans/${plan.json.id}/features/${feature.json.id}.json`, { value: 'CSV' })
  const review = {
    rate: 100,
    name: 'Ada',
    text: 'It works.',
    title: 'Great',
    is_featured: true,
    is_active: true,
  }
  await seller('POST', '/reviews.json', { ...review, is_verified: true })
  const { status, json, text } = await page()
  assert.equal(status, 200, text)
  assert.deepEqual(
    json.plans.map(({ name, pricing, features }: (typeof json)['plans'][0]) => [
      name,
      pricing.map(({ licenses, currency, annual_price: annual }: typeof pricing) => [
        licenses,
        currency,
        annual,
      ]),
      features.map(({ title, value }: typeof features) => [title, value]),
    ]),
    [
      [
        'pro',
        [
          [1, 'usd', 99.5],
          [5, 'eur', 200],
        ],
        [['Exports', 'CSV']],
      ],
    ],
  )
  assert.deepEqual(
    json.reviews.map(({ name, user_id }: (typeof json)['reviews'][0]) => [name, user_id]),
    [['Ada', null]],
  )
  assert.deepEqual(
    [json.title, json.refund_policy, json.is_active, json.public_key, json.languages],
    ['First product', 'moderate', true, app.seller.product.publicKey, ['en', 'de']],
  )
  assert.deepEqual(
    json.waiver.map(({ language }: (typeof json)['waiver'][0]) => language),
    json.languages,
  )
  assert.equal((await page('', {}, 987654321)).status, 404)
})

test('a product has the settings of its page from its birth', async () => {
  const { settings } = (await seller('GET', '/settings.json')).json
  const of = settings.find(({ setting_type: type }: (typeof settings)[0]) => type === 7)
  assert.deepEqual(JSON.parse(of.data), {
    checkout_redirect_url: null,
    recovery_url: null,
    terms_url: null,
    privacy_url: null,
    embed_hosts: [],
    checkout_accent: null,
    checkout_logo_url: null,
    support_email: null,
    keywright_badge: true,
  })
})

test('it says what the seller says of the page, and its state is another one then', async () => {
  const tag = async (query = '') => (await page(query)).headers.get('etag') ?? ''
  const before = await tag()
  assert.equal((await page('', { 'if-none-match': before })).status, 304)
  assert.notEqual(await tag('?environment=1'), before)
  const said = {
    terms_url: 'https://shop.example/terms',
    privacy_url: 'https://shop.example/privacy',
    embed_hosts: ['shop.example'],
    checkout_accent: '#0A5fd1',
    checkout_logo_url: 'https://shop.example/logo.svg',
    support_email: 'help@shop.example',
    keywright_badge: false,
  }
  await write(7, said)
  assert.notEqual(await tag(), before)
  const { json } = await page()
  const { checkout_accent: accent, checkout_logo_url: logo, ...same } = said
  assert.deepEqual({ ...json, accent, logo, ...same }, json)
  await write(3, { selling_unit_singular: 'Seat', selling_unit_plural: 'Seats' })
  assert.deepEqual((await page()).json.selling_unit_label, { singular: 'Seat', plural: 'Seats' })
})

test('a buyer writes to support_email, or else to the support address of the product or its store', async () => {
  await write(7, { support_email: null })
  assert.equal((await page()).json.support_email, null)
  const path = `/products/${app.seller.product.id}/emails/addresses.json`
  const set = await developer('PUT', path, { support: 'care@shop.example' })
  assert.ok(set.status < 300, set.text)
  assert.equal((await page()).json.support_email, 'care@shop.example')
})

test('the sandbox is paid with the tokens that docs/gateways.md names, and nothing takes what is live', async () => {
  const { payment } = (await page('?environment=1')).json
  assert.deepEqual([payment.gateway, payment.tokens], ['test', TEST_TOKENS])
  assert.equal((await page()).json.payment, null)
  const document = readFileSync(new URL('../../../docs/gateways.md', import.meta.url), 'utf8')
  for (const { token, does } of TEST_TOKENS) assert.ok(document.includes(`| \`${token}\` | ${does}`), token)
})

test('of an archived product no plan is shown', async () => {
  await write(5, { is_active: false })
  const { json } = await page()
  assert.deepEqual([json.is_active, json.plans], [false, []])
  await write(5, { is_active: true })
})

test('what does not fit a page is refused with its field', async () => {
  for (const [field, value] of [
    ['checkout_redirect_url', 'http://shop.example/'],
    ['recovery_url', 'javascript:alert(1)'],
    ['terms_url', ''],
    ['checkout_accent', 'red'],
    ['embed_hosts.0', ['https://shop.example']],
    ['support_email', 'nobody'],
    ['keywright_badge', 'maybe'],
  ] as const) {
    const [name = ''] = field.split('.')
    const body = { setting_type: 7, data: JSON.stringify({ [name]: value }) }
    const { status, json } = await seller('PUT', '/settings.json', body)
    assert.deepEqual([status, json.error.details[0].field], [400, `data.${field}`])
  }
  await write(7, { checkout_redirect_url: 'http://localhost:3000/thanks' })
})
