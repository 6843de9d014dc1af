import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { visit } from '../../../test/carts.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('update_cart')
})
after(() => app.close())

const put = (id: number, body: object) =>
  app.call('PUT', `/products/${app.seller.product.id}/carts/${id}.json`, { body })

test('a VAT id that has not the form of its country is refused by its name, beside what else is wrong', async () => {
  const cart = await visit(app, { email: 'vat@example.com' })
  for (const vat_id of ['FR123', 'de 136 695 970', 'EL1']) {
    const { status, json } = await put(cart.id, { vat_id, country_code: 'zz' })
    const fields = json.error.details.map(({ field }: { field: string }) => field)
    assert.deepEqual([status, fields.toSorted()], [400, ['country_code', 'vat_id']], vat_id)
  }
  for (const vat_id of ['FR40303265045', '12.345/6', null])
    assert.equal((await put(cart.id, { vat_id })).json.vat_id, vat_id)
})

test('a VAT id that stands in a cart already may be sent back', async () => {
  const cart = await visit(app, { email: 'kept@example.com' })
  await app.write(({ db }) =>
    db.updateTable('carts').set({ vat_id: 'FR123' }).where('id', '=', Number(cart.id)).execute(),
  )
  const { status, json } = await put(cart.id, { vat_id: 'FR123', first: 'Kim' })
  assert.deepEqual([status, json.vat_id], [200, 'FR123'])
})
