// Runs beside others.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { asked, startAsking } from '../../../test/paypal/asking.ts'
import { refused } from '../../../test/paypal/books.ts'
import { decide } from '../../../test/paypal/orders.ts'
import type { Fault } from '../../../test/paypal/server.ts'
import { GatewayUnreachable } from '../gateway.ts'
import { paypalGateway } from './gateway.ts'

const asking = await startAsking()
const { paypal, books, bare, gateway, paid, stored, later, times } = asking
after(() => paypal.close())
beforeEach(() => asking.reset())

const bodyOf = (index: number) => JSON.parse(paypal.asked.at(index)?.raw ?? '')

test('without an answer in time, with too many calls or a fault at PayPal: unreachable', async () => {
  const hasty = paypalGateway(paypal.config, { timeoutMs: 400, retries: 1, pauseMs: 1 })
  for (const fault of ['silent', 'reset', 429, 409, 500, 503] as const) {
    times(2, fault)
    const call = (fault === 'silent' ? hasty : gateway).charge(asked('paypal'))
    await assert.rejects(call, GatewayUnreachable, String(fault))
    paypal.faults.length = 0
  }
})

test('a key that is still in work is not known yet, and asked for again', async () => {
  const inWork = refused('refund', 'PREVIOUS_REQUEST_IN_PROGRESS')
  const before = books.captures.size
  times(2, inWork)
  await assert.rejects(gateway.charge(asked('wallet_paid')), GatewayUnreachable)
  times(1, inWork)
  await paid()
  assert.equal(books.captures.size, before + 1)
})

test('one lost answer is made up for, and it is charged once', async () => {
  const before = books.captures.size
  for (let n = 0; n < 4; n++) {
    paypal.faults.push(...Array<Fault>(n).fill('none'), 'lost')
    await paid()
  }
  assert.equal(books.captures.size, before + 4)
})

test('a charge whose answers were all lost is the same charge when it is asked for again', async () => {
  const before = books.orders.size
  const request = asked('wallet_paid')
  times(2, 'lost')
  await assert.rejects(gateway.charge(request), GatewayUnreachable)
  const [made] = [...books.orders.keys()].slice(before)
  assert.equal((await gateway.charge(request)).externalId, made)
  assert.equal(books.orders.size, before + 1)
})

test('one token is asked for by any number of calls, kept, and renewed before its end or when it is refused', async () => {
  const fresh = paypalGateway(paypal.config, { timeoutMs: 10_000, retries: 0, pauseMs: 1 })
  const given = () => paypal.tokens.given
  const before = given()
  await Promise.all(Array.from({ length: 5 }, () => fresh.retrieveCharge('NONE')))
  assert.equal(given(), before + 1)
  paypal.tokens.revoke()
  assert.equal(await fresh.retrieveCharge('NONE'), null)
  assert.equal(given(), before + 2)
  paypal.tokens.revoke()
  paypal.tokens.lasts = 60
  for (let n = 3; n < 6; n++) {
    assert.equal(await fresh.retrieveCharge('NONE'), null)
    assert.equal(given(), before + n)
  }
  paypal.tokens.lasts = 32_400
})

test('wrong credentials are neither an answer nor unreachable, and nothing is asked for with them', async () => {
  const wrong = paypalGateway({ ...paypal.config, clientSecret: 'another-secret' })
  await assert.rejects(wrong.charge(asked('paypal')), { name: 'GatewayRefused', isForGood: false })
  assert.deepEqual(paypal.asked, [])
})

test('a right that is missing is a fault of the settings; what PayPal finds malformed was never made', async () => {
  times(1, 403)
  await assert.rejects(gateway.charge(asked('wallet_paid')), { name: 'GatewayRefused', isForGood: false })
  const more = { returnUrl: 'https://shop.example/', amount: { minor: 1, currency: 'usd' } as const }
  times(1, 422)
  await assert.rejects(gateway.charge(asked('wallet_paid', more)), {
    name: 'GatewayRefused',
    isForGood: true,
  })
})

test('an order is exact to the cent, named by its key, and leads back to where its buyer came from', async () => {
  for (const [minor, value] of [
    [1, '0.01'],
    [10, '0.10'],
    [100, '1.00'],
    [1_005, '10.05'],
    [11_880, '118.80'],
    [1_000_000_000, '10000000.00'],
  ] as const) {
    const request = asked('wallet_confirmed', { amount: { minor, currency: 'gbp' } })
    const pending = await gateway.charge(request)
    const { intent, purchase_units: units, payment_source: source } = bodyOf(-1)
    const name = request.key.replace(':', ',')
    assert.deepEqual(units, [
      {
        reference_id: 'keywright',
        custom_id: name,
        invoice_id: name,
        description: 'Example Pro',
        soft_descriptor: 'Example Pro',
        amount: { currency_code: 'GBP', value },
      },
    ])
    assert.deepEqual([intent, paypal.asked.at(-1)?.key], ['CAPTURE', name])
    const { return_url: back, user_action: action } = source.paypal.experience_context
    assert.deepEqual([back, action, source.paypal.attributes], [request.returnUrl, 'PAY_NOW', undefined])
    assert.match((pending.outcome === 'pending' && pending.confirmationUrl) || '', /checkoutnow\?token=/)
  }
})

test('a text of any length and letters is cut to what PayPal takes', async () => {
  await gateway.charge(asked('wallet_confirmed', { description: `Übersicht 🔑 ${'x'.repeat(200)}` }))
  const [unit] = bodyOf(-1).purchase_units
  assert.equal([...unit.description].length, 127)
  assert.equal(unit.soft_descriptor, 'Ubersicht  xxxxxxxxxxx')
  await gateway.charge(asked('wallet_confirmed', { description: '🔑' }))
  assert.equal(bodyOf(-1).purchase_units[0].soft_descriptor, undefined)
})

test('a key that is too long for PayPal, or has other letters, is told by its hash', async () => {
  for (const key of ['k'.repeat(255), 'it costs 5 €', 'a,b']) {
    const request = asked('wallet_paid', { key: `${key}${crypto.randomUUID()}`.slice(-255) })
    const first = await gateway.charge(request)
    assert.equal(first.outcome, 'paid')
    assert.deepEqual(await gateway.charge(request), first)
    assert.match(
      books.orders.get(first.externalId ?? '').purchase_units[0].custom_id,
      /^sha256\.[0-9a-f]{64}$/,
    )
  }
})

test('a wallet that is kept is stored when it pays, and charged by its own id', async () => {
  const method = await stored('wallet_paid')
  const create = paypal.asked.find(({ path }) => path === '/v2/checkout/orders')
  assert.deepEqual(JSON.parse(create?.raw ?? '').payment_source.paypal.attributes.vault, {
    store_in_vault: 'ON_SUCCESS',
    usage_type: 'MERCHANT',
    permit_multiple_payment_tokens: true,
  })
  assert.match(method, /^vault \S+$/)
  assert.equal((await later(method)).outcome, 'paid')
  const [wallet] = paypal.asked.filter(({ raw }) => raw.includes('vault_id'))
  assert.deepEqual(JSON.parse(wallet?.raw ?? '').payment_source, {
    paypal: { vault_id: method.replace('vault ', '') },
  })
})

test('a wallet that PayPal stores only after it was paid by is found by its customer', async () => {
  const method = await stored('wallet_stored_late')
  assert.match(method, /^customer \S+$/)
  assert.equal((await later(method)).outcome, 'paid')
  assert.equal((await later('customer nobody')).outcome, 'declined')
})

test('a renewal that PayPal declines, cannot capture, or whose wallet is gone is declined for that reason', async () => {
  for (const [token, reason] of [
    ['wallet_declined_later', 'declined'],
    ['wallet_failed_later', 'declined'],
    ['wallet_confirm_later', 'confirmation_needed'],
    ['wallet_gone_later', 'invalid_method'],
  ] as const) {
    const answer = await later(await stored(token))
    assert.equal(answer.outcome === 'declined' && answer.reason, reason, token)
    const order = books.orders.get(answer.externalId ?? '')
    assert.ok(reason !== 'confirmation_needed' || order.intent === 'AUTHORIZE', 'nobody pays it later')
  }
})

test('what PayPal has in work is pending, with nothing to do but wait, and told when it is decided', async () => {
  for (const [status, outcome] of [
    ['COMPLETED', 'paid'],
    ['DECLINED', 'declined'],
  ] as const) {
    const answer = await gateway.charge(asked('wallet_pending'))
    assert.ok(answer.outcome === 'pending' && answer.confirmationUrl === null)
    assert.equal((await gateway.cancel(answer.externalId))?.outcome, 'pending')
    decide(books, answer.externalId, status)
    assert.equal((await gateway.retrieveCharge(answer.externalId))?.charge.outcome, outcome)
  }
})

test('an order that is ended is captured for nobody, also when its buyer approves it after that', async () => {
  const before = books.captures.size
  const waiting = await gateway.charge(asked('wallet_confirmed'))
  const ended = await gateway.cancel(waiting.externalId ?? '')
  assert.equal(ended?.outcome === 'declined' && ended.reason, 'confirmation_failed')
  books.orders.get(waiting.externalId ?? '').status = 'APPROVED'
  assert.deepEqual((await gateway.retrieveCharge(waiting.externalId ?? ''))?.charge, ended)
  assert.equal(books.captures.size, before)
})

test('an order is ended and captured at once: either it is paid and stays so, or nothing is taken', async () => {
  for (let n = 0; n < 20; n++) {
    const waiting = await bare.charge(asked('paypal'))
    const id = waiting.externalId ?? ''
    books.orders.get(id).status = 'APPROVED'
    const both = [bare.retrieveCharge(id), bare.cancel(id)] as const
    const [seen, ended] = await Promise.all(n % 2 === 0 ? both : [...both].toReversed())
    const isPaid = books.orders.get(id).purchase_units[0].payments !== undefined
    const now = (await bare.retrieveCharge(id))?.charge
    assert.equal(now?.outcome, isPaid ? 'paid' : 'declined', JSON.stringify([seen, ended]))
  }
})

test('the fee is what PayPal keeps of the capture, in the currency of the charge', async () => {
  assert.equal((await paid()).fee, 375)
  assert.equal((await paid('wallet_paid_out_in_dollars')).fee, 375)
  assert.equal((await paid('wallet_paid', { amount: { minor: 10, currency: 'usd' } })).fee, 10)
})
