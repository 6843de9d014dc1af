import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { codeOf, trialShop, type TrialShop } from '../../../test/trials.ts'
import { vatIdRegister } from '../taxes/vat-ids.ts'

let app: TestApp
let shop: TrialShop
before(async () => {
  app = await startTestApp('checkout_vat_id')
  shop = await trialShop(app)
  const settings = { country: 'DE', registrations: 'DE,EU', legal_name: 'Seller', address: 'Street 1' }
  const saved = await (await asDeveloper(app))('PUT', '/tax_settings.json', settings)
  assert.ok(saved.status < 300, saved.text)
})
after(() => app.close())

const WELL_FORMED = 'FR40303265045'
const open = (body: object) =>
  shop.open({ ...shop.someone(), country_code: 'fr', plan_id: shop.free.planId, ...body })
const change = (id: string, body: object) =>
  app.call('PUT', `/checkout/sessions/${id}.json`, { token: null, body })

/** What the offices say of every id; null: they do not answer. */
function offices(answer: boolean | null): void {
  const isKnown = async () => {
    if (answer === null) throw new Error('The office does not answer.')
    return answer
  }
  Object.assign(app.ctx, { vatIds: vatIdRegister({ isKnown }) })
}

test('a VAT id that has not the form of its country is refused by its name, and changes nothing', async () => {
  offices(null)
  for (const vat_id of ['FR123', 'de 136 695 970', 'GB12', 'EL1']) {
    const refused = await open({ vat_id })
    assert.deepEqual(codeOf(refused), [400, 'invalid_argument'], vat_id)
    assert.deepEqual(
      refused.json.error.details.map(({ field }: { field: string }) => field),
      ['vat_id'],
    )
  }
  const { json } = await open({ vat_id: WELL_FORMED })
  const both = await change(json.id, { vat_id: 'FR123', region: 'X'.repeat(300) })
  assert.equal(both.status, 400, both.text)
  const kept = await change(json.id, { user_firstname: 'Ada' })
  assert.deepEqual([kept.status, kept.json.buyer.vat_id], [200, WELL_FORMED])
  assert.equal((await change(json.id, { vat_id: '' })).json.buyer.vat_check, null)
})

test('the reply tells what a VAT id is worth, and whether its tax is given back once it is found', async () => {
  const told = async (vat_id: string, country_code = 'fr') => {
    const { status, json, text } = await open({ vat_id, country_code })
    assert.equal(status, 201, text)
    assert.deepEqual(
      (await app.call('GET', `/checkout/sessions/${json.id}.json`, { token: null })).json,
      json,
    )
    return [json.buyer.vat_check, json.quote.tax > 0, json.quote.is_tax_provisional]
  }
  offices(null)
  assert.deepEqual(await told(WELL_FORMED), ['unchecked', true, true])
  assert.deepEqual(await told(WELL_FORMED, 'it'), ['unchecked', true, false])
  offices(false)
  assert.deepEqual(await told(WELL_FORMED), ['invalid', true, false])
  offices(true)
  assert.deepEqual(await told(WELL_FORMED), ['valid', false, false])
  assert.deepEqual(await told('12.345/6'), ['malformed', true, false])
  assert.deepEqual(await told(''), [null, true, false])
})
