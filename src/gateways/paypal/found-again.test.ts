// Runs beside others.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { asked, startAsking } from '../../../test/paypal/asking.ts'
import { approve, captureOrder, openDispute, patchOrder } from '../../../test/paypal/orders.ts'
import { GatewayUnreachable } from '../gateway.ts'

const asking = await startAsking()
const { paypal, books, bare, gateway, paid, stored, later } = asking
after(() => paypal.close())
beforeEach(() => asking.reset())

test('what was asked for is found by its key after PayPal has forgotten it, among all it has reported since', async () => {
  const key = `renewal:${crypto.randomUUID()}`
  const begun = books.now()
  const method = await stored('wallet_paid')
  const made = await later(method, key)
  for (let n = 0; n < 105; n++) await later(method)
  paypal.forgetKeys()
  assert.deepEqual((await gateway.byKey?.charge(key, begun))?.charge, made)
  assert.equal(await gateway.byKey?.charge('renewal:unknown', begun), null)
  assert.equal(await gateway.byKey?.charge(key, begun + 60 * 60_000), null)
})

test('nothing is concluded from reports that the webhook is not set to make', async () => {
  books.reports = ['CUSTOMER.DISPUTE.CREATED']
  await assert.rejects(async () => gateway.byKey?.charge('renewal:1', 0), GatewayUnreachable)
})

test('a key that PayPal has forgotten does not charge an invoice again', async () => {
  const key = `renewal:${crypto.randomUUID()}`
  const method = await stored('wallet_paid')
  await later(method, key)
  const before = books.captures.size
  paypal.forgetKeys()
  await assert.rejects(later(method, key), GatewayUnreachable)
  assert.equal(books.captures.size, before)
})

test('a refund is found by its key, and one of what is disputed or too much is refused', async () => {
  const { externalId: chargeId } = await paid()
  const part = {
    key: `refund:${crypto.randomUUID()}`,
    chargeId,
    amount: { minor: 880, currency: 'eur' } as const,
  }
  assert.equal(await gateway.byKey?.refund(part), null)
  assert.deepEqual(await gateway.refund(part), await gateway.byKey?.refund(part))
  assert.equal(await gateway.byKey?.refund({ ...part, key: 'refund:another' }), null)
  paypal.forgetKeys()
  const rest = { ...part, key: 'refund:rest', amount: { minor: 11_001, currency: 'eur' } as const }
  const tooMuch = await gateway.refund(rest)
  assert.equal(tooMuch.outcome === 'refused' && tooMuch.reason, 'exceeds_charge')
  const [capture] = books.orders.get(chargeId).purchase_units[0].payments.captures
  openDispute(books, capture)
  const disputed = await gateway.refund({ ...rest, amount: { minor: 1, currency: 'eur' } })
  assert.equal(disputed.outcome === 'refused' && disputed.reason, 'refused')
})

test('the right to ask for disputes can be missing without a purchase failing', async () => {
  paypal.faults.push('none', 'none', 'none', 'none', 403)
  await paid()
  assert.match(paypal.asked.at(-1)?.path ?? '', /disputes/)
})

test('an order that is captured or ended elsewhere just before we capture it is told as it stands then', async () => {
  const ended = [{ op: 'replace', path: '/intent', value: 'AUTHORIZE' }]
  for (const [change, outcome] of [
    [(id: string) => captureOrder(books, id, {}), 'paid'],
    [(id: string) => patchOrder(books, id, ended), 'declined'],
  ] as const) {
    const id = (await bare.charge(asked('paypal'))).externalId ?? ''
    approve(books, id)
    paypal.faults.push('none', () => void change(id))
    assert.equal((await bare.retrieveCharge(id))?.charge.outcome, outcome)
    assert.equal(paypal.faults.length, 0)
  }
})

test('a wallet whose storing was not answered, or refused as it is stored, is the one that is stored', async () => {
  const { key, email, returnUrl } = asked('')
  const id = (await bare.setUp({ key, email, returnUrl, token: 'paypal' })).externalId ?? ''
  const token = books.setUps.get(id.replace('setup-', ''))
  token.status = 'APPROVED'
  const before = books.stored.size
  paypal.faults.push('none', 'lost', 'lost')
  await assert.rejects(bare.retrieveSetUp(id), GatewayUnreachable)
  paypal.forgetKeys()
  const ready = await bare.retrieveSetUp(id)
  assert.equal(ready?.outcome, 'ready')
  token.status = 'APPROVED'
  paypal.faults.push('none', 422)
  assert.deepEqual(await bare.retrieveSetUp(id), ready)
  assert.equal(books.stored.size, before + 1)
})
