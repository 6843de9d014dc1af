import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { createSeller } from '../../../test/factories.ts'
import { expectOk } from '../../../test/installs.ts'
import { sell } from '../../../test/sales.ts'
import { systemScope } from '../../access/scope.ts'
import { openDispute, settleDispute } from '../refunds/disputes.ts'

type Ending = 'open' | 'won' | 'lost'

let app: TestApp
let call: CallAs
const disputes: Record<string, { readonly id: string; readonly payment: string }> = {}

before(async () => {
  app = await startTestApp('disputes_list')
  call = await asDeveloper(app)
  disputes['open'] = await disputed(app, 'open')
  disputes['won'] = await disputed(app, 'won')
  disputes['lost'] = await disputed(app, 'lost')
  disputes['sandbox'] = await disputed(app, 'open', 1)
  const { other } = app.seller
  disputes['other'] = await disputed({ ...app, seller: { ...app.seller, product: other } } as TestApp, 'won')
  const seller = await app.write((tx) => createSeller(tx, 'another@example.com'))
  await disputed({ ...app, seller } as TestApp, 'open')
})
after(() => app.close())

/** A payment of 59.99 that is disputed, and how that ended. */
async function disputed(of: TestApp, ending: Ending, environment: 0 | 1 = 0) {
  const { developer, product } = of.seller
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  const { payment } = await sell(of, { product, payment: { environment } })
  const { id } = await app.write((tx) =>
    openDispute(tx, scope, { paymentId: payment.id, minor: 5999, fee: 1500 }),
  )
  if (ending !== 'open')
    await app.write((tx) => settleDispute(tx, scope, { paymentId: payment.id, isWon: ending === 'won' }))
  return { id: String(id), payment: String(payment.id) }
}

const own = (query: string) => `/products/${app.seller.product.id}/disputes.json${query}`
const listed = async (path: string): Promise<string[]> =>
  expectOk(await call('GET', path)).json.disputes.map(({ id }: { id: string }) => id)
const idsOf = (...names: string[]) => names.map((name) => disputes[name]?.id)

test('disputes are listed with how they ended, by state, environment and product', async () => {
  assert.deepEqual(await listed(own('')), idsOf('sandbox', 'lost', 'won', 'open'))
  assert.deepEqual(await listed(own('?environment=1')), idsOf('sandbox'))
  assert.deepEqual(await listed(own('?count=1&offset=1')), idsOf('lost'))
  for (const state of ['open', 'won', 'lost'])
    assert.deepEqual(await listed(own(`?environment=0&filter=${state}`)), idsOf(state), state)
  assert.deepEqual(await listed('/disputes.json'), idsOf('other', 'sandbox', 'lost', 'won', 'open'))
  assert.deepEqual(await listed('/disputes.json?filter=won'), idsOf('other', 'won'))
  assert.deepEqual(await listed('/disputes.json?environment=1'), idsOf('sandbox'))
  assert.deepEqual(await listed(`/disputes.json?product_ids=${app.seller.other.id}`), idsOf('other'))
  assert.equal((await call('GET', own('?filter=settled'))).status, 400)
})

test('disputes are narrowed to those of one user, of a product and of all, beside other filters', async () => {
  const userOf = async (name: string): Promise<string> =>
    (await call('GET', '/disputes.json')).json.disputes.find(
      ({ id }: { id: string }) => id === disputes[name]?.id,
    ).user_id
  const [won, other] = [await userOf('won'), await userOf('other')]
  assert.deepEqual(await listed(own(`?user_id=${won}`)), idsOf('won'))
  assert.deepEqual(await listed(own(`?user_id=${won}&environment=0&filter=won`)), idsOf('won'))
  assert.deepEqual(await listed(own(`?user_id=${won}&filter=open`)), [])
  assert.deepEqual(await listed(own(`?user_id=${other}`)), [])
  assert.deepEqual(await listed(`/disputes.json?user_id=${other}`), idsOf('other'))
  assert.deepEqual(await listed(own('?user_id=987654')), [])
})

test('a dispute says what is disputed, by whom, what it costs and when it ended', async () => {
  const [lost] = (await call('GET', own('?environment=0&filter=lost'))).json.disputes
  assert.deepEqual(
    [lost.payment_id, lost.amount, lost.missing, lost.fee, lost.currency, lost.state],
    [disputes['lost']?.payment, 59.99, 0, 15, 'usd', 'lost'],
  )
  assert.match(lost.email, /@/)
  assert.notEqual(lost.closed, null)
  const [open] = (await call('GET', own('?environment=0&filter=open'))).json.disputes
  assert.deepEqual([open.state, open.closed, open.amount], ['open', null, 59.99])
})
