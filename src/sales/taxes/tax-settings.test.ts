import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('tax_settings')
  developer = await asDeveloper(app)
})
after(() => app.close())

const PATH = '/tax_settings.json'
const put = (body: object) => developer('PUT', PATH, body)
const get = async () => (await developer('GET', PATH)).json

test('an account that said nothing has settings that tax nothing', async () => {
  assert.deepEqual(await get(), {
    country: null,
    registrations: '',
    is_format_enough: false,
    legal_name: '',
    address: '',
    vat_id: '',
    created: null,
    updated: null,
  })
})

test('what is written is kept, codes in one form, and what is left out stays', async () => {
  const first = await put({ country: 'de', registrations: ' de, eu,us-ca,DE', vat_id: 'de 136.695-976' })
  assert.equal(first.status, 200, first.text)
  app.ctx.clock.advance(1000)
  const second = await put({
    legal_name: 'Müller & Söhne GmbH',
    address: 'Hauptstr. 1\n10115 Berlin',
    is_format_enough: true,
  })
  assert.deepEqual(second.json, {
    country: 'DE',
    registrations: 'DE,EU,US-CA',
    is_format_enough: true,
    legal_name: 'Müller & Söhne GmbH',
    address: 'Hauptstr. 1\n10115 Berlin',
    vat_id: 'de 136.695-976',
    created: '2026-01-31 10:00:00',
    updated: '2026-01-31 10:00:01',
  })
  assert.deepEqual(await get(), second.json)
  assert.equal((await put({ country: null })).json.country, null)
  assert.equal((await put({ country: '' })).json.country, null)
})

test('a country or region without a known tax, and a VAT id of a wrong form, are named', async () => {
  const { status, json } = await put({ country: 'QQ', registrations: 'DE,US-QQ', vat_id: 'DE136695970' })
  assert.equal(status, 400)
  const fields = json.error.details.map(({ field }: { field: string }) => field)
  assert.deepEqual(fields.toSorted(), ['country', 'registrations', 'vat_id'])
  const untaxed = await put({ country: 'aq' })
  assert.deepEqual(
    [untaxed.status, untaxed.json.error.details[0].field],
    [400, 'country'],
    'there is no rate',
  )
  for (const registrations of ['EU-DE', 'DE,,__proto__', 'constructor', 'US-'])
    assert.equal((await put({ registrations })).status, 400, registrations)
})

test('a registration that is none is told by its number, not by what was sent', async () => {
  const { json } = await put({ registrations: 'DE,the statement of somebody' })
  const message = 'must be countries, regions such as US-CA, or EU; number 2 is none'
  assert.deepEqual(json.error.details, [{ field: 'registrations', message }])
})

test('two first writes at once leave settings with both', async () => {
  const app = await startTestApp('tax_settings_race')
  const call = await asDeveloper(app)
  await Promise.all([call('PUT', PATH, { legal_name: 'A' }), call('PUT', PATH, { address: 'B' })])
  const { json } = await call('GET', PATH)
  assert.deepEqual([json.legal_name, json.address], ['A', 'B'])
  await app.close()
})

test("another account's settings are its own", async () => {
  const reply = await app.call('GET', `/developers/${app.seller.developer.id}${PATH}`)
  assert.equal(reply.status, 401)
})
