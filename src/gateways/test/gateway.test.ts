import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gatewayFor } from '../choose.ts'
import { GatewayUnreachable } from '../gateway.ts'
import { testGateway } from './gateway.ts'
import { testWebhook } from '../../../test/test-webhook.ts'

const gateway = testGateway({ webhookSecret: 'secret', slowMs: 30 })
const amount = { minor: 1_000, currency: 'usd' } as const
const charge = (token: string) =>
  gateway.charge({
    key: `purchase:${token}`,
    amount,
    token,
    email: 'buyer@example.com',
    description: 'Example',
    returnUrl: 'https://shop.example/back',
    isKept: true,
  })

/** What the bank says: the outcome, and the reason of a no. */
const said = (answer: Awaited<ReturnType<typeof charge>>) =>
  answer.outcome === 'declined' ? answer.reason : answer.outcome

async function renewal(token: string, attempt = 1): Promise<string> {
  const first = await charge(token)
  assert.ok(first.outcome === 'paid' && first.method, token)
  const key = `renewal:7:1:${attempt}`
  return said(await gateway.chargeStored({ key, method: first.method.token, amount, description: 'Example' }))
}

test('the outcome of a charge is chosen by its token', async () => {
  const outcomes = {
    test_succeeds: 'paid',
    test_declined: 'declined',
    test_insufficient_funds: 'insufficient_funds',
    test_expired: 'expired',
    test_needs_confirmation: 'pending',
    test_confirmation_failed: 'pending',
    test_pending: 'pending',
    test_slow: 'paid',
    test_disputed: 'paid',
    test_dispute_won: 'paid',
    test_dispute_lost: 'paid',
    test_refund_pending: 'paid',
    test_refund_refused: 'paid',
    test_renewal_declined: 'paid',
    test_unknown: 'invalid_method',
  }
  for (const [token, outcome] of Object.entries(outcomes))
    assert.equal(said(await charge(token)), outcome, token)
  await assert.rejects(charge('test_unreachable'), GatewayUnreachable)
})

test('the outcome of a renewal is chosen by the token with which its method was stored', async () => {
  assert.equal(await renewal('test_succeeds'), 'paid')
  assert.equal(await renewal('test_renewal_declined'), 'declined')
  assert.equal(await renewal('test_renewal_insufficient_funds'), 'insufficient_funds')
  assert.equal(await renewal('test_renewal_expired'), 'expired')
  assert.equal(await renewal('test_renewal_needs_confirmation'), 'confirmation_needed')
  assert.equal(await renewal('test_renewal_pending'), 'pending')
  await assert.rejects(renewal('test_renewal_unreachable'), GatewayUnreachable)
})

test('a renewal may go through at a later attempt', async () => {
  for (const [token, first] of [
    ['test_renewal_attempt_2', 2],
    ['test_renewal_attempt_3', 3],
    ['test_renewal_attempt_4', 4],
  ] as const)
    for (const attempt of [1, 2, 3, 4])
      assert.equal(
        await renewal(token, attempt),
        attempt < first ? 'declined' : 'paid',
        `${token} ${attempt}`,
      )
})

test('disputes and refunds end as the token says', async () => {
  const state = async (token: string) => {
    const paid = await charge(token)
    return (await gateway.retrieveCharge(paid.externalId ?? ''))?.dispute
  }
  assert.deepEqual(await Promise.all(['test_disputed', 'test_dispute_won', 'test_dispute_lost'].map(state)), [
    'open',
    'won',
    'lost',
  ])
  const refund = async (token: string) => {
    const { externalId } = await charge(token)
    return (await gateway.refund({ key: 'refund:1', chargeId: externalId ?? '', amount })).outcome
  }
  assert.deepEqual(await Promise.all(['test_refund_pending', 'test_refund_refused'].map(refund)), [
    'pending',
    'refused',
  ])
})

test('the slow one answers late', async () => {
  const started = performance.now()
  await charge('test_slow')
  assert.ok(performance.now() - started >= 25)
})

test('two processes answer alike', async () => {
  const other = testGateway({ webhookSecret: 'secret' })
  const paid = await charge('test_succeeds')
  assert.deepEqual((await other.retrieveCharge(paid.externalId ?? ''))?.charge, paid)
})

test('the test gateway takes payments of the sandbox only', () => {
  assert.equal(gatewayFor([gateway], { environment: 1 }), gateway)
  assert.equal(gatewayFor([gateway], { gateway: 'test', environment: 1 }), gateway)
  const refusal = { status: 400, code: 'gateway_not_configured' }
  assert.throws(() => gatewayFor([gateway], { environment: 0 }), refusal)
  assert.throws(() => gatewayFor([gateway], { gateway: 'stripe', environment: 1 }), refusal)
})

test('the time of a report is signed with it', async () => {
  const now = Date.UTC(2026, 0, 31, 10)
  const webhook = testWebhook('secret', {
    event: { id: 'e1', at: now, chargeId: 'c1', type: 'dispute', state: 'open', minor: 1_000, fee: 1_500 },
    now,
  })
  assert.equal((await gateway.readWebhook(webhook))?.length, 1)
  const later = Object.entries(webhook.headers).map(([name, value]) => [
    name,
    value?.replace(`t=${now / 1_000}`, `t=${now / 1_000 + 3_600}`),
  ])
  const again = { ...webhook, headers: Object.fromEntries(later), now: now + 3_600_000 }
  assert.equal(await gateway.readWebhook(again), null)
})
