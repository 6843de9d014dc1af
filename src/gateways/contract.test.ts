import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startCandidates } from '../../test/gateway-candidates.ts'
import { CURRENCIES } from '../lib/money.ts'
import { MINUTE, SECOND } from '../lib/time.ts'
import {
  GatewayUnreachable,
  type ChargeOutcome,
  type ChargeRequest,
  type GatewayEvent,
  type SetUpOutcome,
} from './gateway.ts'

const { candidates, close } = await startCandidates()
after(close)

const returnUrl = 'https://shop.example/checkout/back?session=1'
const asked = (more: Partial<ChargeRequest> & Pick<ChargeRequest, 'token'>): ChargeRequest => ({
  key: `purchase:${crypto.randomUUID()}`,
  amount: { minor: 11_880, currency: 'eur' },
  email: 'buyer@example.com',
  description: 'Example Pro',
  returnUrl,
  isKept: false,
  ...more,
})

type Answer = ChargeOutcome | SetUpOutcome

/** The answer, which must be this one. */
async function having<T extends Answer, O extends T['outcome']>(outcome: O, answer: Promise<T | null>) {
  const found = await answer
  assert.equal(found?.outcome, outcome)
  return found as Extract<T, { outcome: O }>
}

for (const { name, gateway, tokens, report } of candidates) {
  const rule = (text: string, proof: () => Promise<void>) => test(`${name}: ${text}`, proof)
  const pay = (more: Partial<ChargeRequest> = {}) =>
    having('paid', gateway.charge(asked({ token: tokens.paid, ...more })))
  const stored = async (token: string) => {
    const { method } = await pay({ token, isKept: true })
    assert.ok(method)
    return method.token
  }
  const later = (method: string, key = `renewal:${crypto.randomUUID()}:1:1`) =>
    gateway.chargeStored({ key, method, amount: { minor: 900, currency: 'usd' }, description: 'Example' })

  rule('it has a code and takes the payments of an environment', async () => {
    assert.match(gateway.code, /^[a-z_]+$/)
    assert.ok(gateway.environments.length > 0)
  })

  rule('a charge that is paid has an id, and its fee is within it, in every currency', async () => {
    for (const currency of CURRENCIES) {
      for (const minor of [1, 30, 11_880, 1_000_000_000]) {
        const paid = await pay({ amount: { minor, currency } })
        assert.ok(paid.externalId.length > 0)
        assert.ok(Number.isSafeInteger(paid.fee) && paid.fee >= 0 && paid.fee <= minor)
      }
    }
  })

  rule('a method is stored only when it was asked for, and can then be charged', async () => {
    assert.equal((await pay()).method, null)
    const { method } = await pay({ isKept: true })
    assert.equal(/^\d{4}$/.test(method?.card?.last4 ?? ''), method?.kind === 'card')
    const paid = await having('paid', later(method?.token ?? ''))
    assert.equal(paid.method, null)
  })

  rule('a charge that is declined is an answer, with a reason and words for the buyer', async () => {
    const declined = await having('declined', gateway.charge(asked({ token: tokens.declined })))
    assert.equal(declined.reason, 'declined')
    assert.ok(declined.message.length > 0)
  })

  rule('a stored method may be declined later', async () => {
    await having('declined', later(await stored(tokens.declinedLater)))
  })

  rule('a method that does not exist is declined', async () => {
    for (const token of ['no_such_token', '']) {
      const declined = await having('declined', gateway.charge(asked({ token })))
      assert.equal(declined.reason, 'invalid_method')
    }
    assert.equal((await having('declined', later('no_such_method'))).reason, 'invalid_method')
    assert.equal(
      (await having('declined', gateway.setUp(asked({ token: 'no_such_token' })))).reason,
      'invalid_method',
    )
  })

  rule('a charge to be confirmed is pending, and told when the buyer is back', async () => {
    const pending = await having('pending', gateway.charge(asked({ token: tokens.confirmed, isKept: true })))
    assert.ok(pending.confirmationUrl !== null && URL.canParse(pending.confirmationUrl))
    const state = await gateway.retrieveCharge(pending.externalId)
    const paid = await having('paid', Promise.resolve(state?.charge ?? null))
    assert.equal(paid.externalId, pending.externalId)
    await having('paid', later(paid.method?.token ?? ''))
  })

  rule('a charge that was not confirmed is declined when the buyer is back', async () => {
    const pending = await having('pending', gateway.charge(asked({ token: tokens.unconfirmed })))
    const state = await gateway.retrieveCharge(pending.externalId)
    const declined = await having('declined', Promise.resolve(state?.charge ?? null))
    assert.equal(declined.reason, 'confirmation_failed')
  })

  rule('what waits for its buyer can be ended, and what was decided stays as it is', async () => {
    const waiting = await having('pending', gateway.charge(asked({ token: tokens.confirmed })))
    const declined = await having('declined', gateway.cancel(waiting.externalId))
    assert.equal(declined.externalId, waiting.externalId)
    const making = await having('pending', gateway.setUp(asked({ token: tokens.confirmed })))
    await having('declined', gateway.cancel(making.externalId))
    const paid = await pay()
    assert.deepEqual(await gateway.cancel(paid.externalId), paid)
    const ready = await having('ready', gateway.setUp(asked({ token: tokens.paid })))
    assert.deepEqual(await gateway.cancel(ready.externalId), ready)
    assert.equal(await gateway.cancel('no_such_charge'), null)
  })

  rule('a gateway that does not answer is an exception', async () => {
    await assert.rejects(gateway.charge(asked({ token: tokens.unreachable })), GatewayUnreachable)
    await assert.rejects(gateway.setUp(asked({ token: tokens.unreachable })), GatewayUnreachable)
  })

  rule('the same key answers the same, twenty times at once too; another key is another charge', async () => {
    const request = asked({ token: tokens.paid, isKept: true })
    const first = await gateway.charge(request)
    const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.charge(request)))
    for (const answer of answers) assert.deepEqual(answer, first)
    const other = await pay({ isKept: true })
    assert.notEqual(other.externalId, first.externalId)

    const method = await stored(tokens.paid)
    const renewed = await having('paid', later(method, 'renewal:1:1:1'))
    assert.deepEqual(await later(method, 'renewal:1:1:1'), renewed)
    assert.notEqual((await having('paid', later(method, 'renewal:1:2:1'))).externalId, renewed.externalId)
  })

  rule('a declined charge answers the same to the same key', async () => {
    const request = asked({ token: tokens.declined })
    assert.deepEqual(await gateway.charge(request), await gateway.charge(request))
  })

  rule('a method is set up without a charge, declined, or confirmed first', async () => {
    const request = asked({ token: tokens.paid })
    const ready = await having('ready', gateway.setUp(request))
    assert.deepEqual(await gateway.setUp(request), ready)
    assert.deepEqual(await gateway.retrieveSetUp(ready.externalId), ready)
    await having('paid', later(ready.method.token))
    await having('declined', gateway.setUp(asked({ token: tokens.declined })))
    const pending = await having('pending', gateway.setUp(asked({ token: tokens.confirmed })))
    await having('ready', gateway.retrieveSetUp(pending.externalId))
  })

  rule('a charge is given back in whole or in part, once a key', async () => {
    const { externalId: chargeId } = await pay()
    const part = { key: 'refund:1', chargeId, amount: { minor: 880, currency: 'eur' } as const }
    const refunded = await gateway.refund(part)
    assert.equal(refunded.outcome, 'refunded')
    assert.deepEqual(await gateway.refund(part), refunded)
    const rest = await gateway.refund({
      ...part,
      key: 'refund:2',
      amount: { minor: 11_000, currency: 'eur' },
    })
    assert.equal(rest.outcome, 'refunded')
    assert.notDeepEqual(rest, refunded)
  })

  rule(
    'no more than the charge, nothing of another currency or of a charge not paid is given back',
    async () => {
      const { externalId: chargeId } = await pay()
      const reasonOf = async (more: object) => {
        const amount = { minor: 11_880, currency: 'eur' } as const
        const answer = await gateway.refund({ key: crypto.randomUUID(), chargeId, amount, ...more })
        return answer.outcome === 'refused' ? answer.reason : null
      }
      assert.equal(await reasonOf({ amount: { minor: 11_881, currency: 'eur' } }), 'exceeds_charge')
      assert.equal(await reasonOf({ amount: { minor: 1, currency: 'usd' } }), 'exceeds_charge')
      assert.equal(await reasonOf({ chargeId: 'no_such_charge' }), 'not_paid')
      const declined = await having('declined', gateway.charge(asked({ token: tokens.declined })))
      assert.equal(await reasonOf({ chargeId: declined.externalId ?? '' }), 'not_paid')
      assert.equal(await reasonOf({}), null)
    },
  )

  rule('a charge tells how it stands, with its dispute; what does not exist is null', async () => {
    const paid = await pay()
    assert.deepEqual(await gateway.retrieveCharge(paid.externalId), { charge: paid, dispute: null })
    const disputed = await pay({ token: tokens.disputed })
    assert.equal((await gateway.retrieveCharge(disputed.externalId))?.dispute, 'open')
    assert.equal(await gateway.retrieveCharge('no_such_charge'), null)
    assert.equal(await gateway.retrieveSetUp(paid.externalId), null)
  })

  rule('it moves whole minor units, at least 1', async () => {
    for (const minor of [0, -1, 0.5, Number.NaN, 2 ** 53]) {
      await assert.rejects(pay({ amount: { minor, currency: 'usd' } }), RangeError, String(minor))
    }
    const { externalId: chargeId } = await pay()
    const nothing = { key: 'refund:3', chargeId, amount: { minor: 0, currency: 'eur' } as const }
    await assert.rejects(gateway.refund(nothing), RangeError)
  })

  rule('a card number is refused', async () => {
    const refusal = { status: 400, code: 'card_number_refused' }
    for (const token of ['4242424242424242', '4242 4242 4242 4242', 'card 3782-822463-10005'])
      await assert.rejects(gateway.charge(asked({ token })), refusal)
    await assert.rejects(gateway.setUp(asked({ token: '4242424242424242' })), refusal)
  })

  rule('what it reports is read when it signed it, within five minutes, and unchanged', async () => {
    const key = `purchase:${crypto.randomUUID()}`
    const paid = await pay({ key })
    const now = Date.UTC(2026, 0, 31, 10)
    const event: GatewayEvent = {
      id: 'event_1',
      at: now,
      chargeId: paid.externalId,
      type: 'charge',
      charge: paid,
      key,
    }
    const webhook = report(event, { now })
    assert.deepEqual(await gateway.readWebhook(webhook), [event])
    for (const late of [-5 * MINUTE - SECOND, 5 * MINUTE + SECOND])
      assert.equal(await gateway.readWebhook({ ...webhook, now: now + late }), null)
    for (const changed of [
      report(event, { now, isForged: true }),
      { ...webhook, headers: {} },
      { ...webhook, body: Buffer.concat([webhook.body, Buffer.from(' ')]) },
      { ...webhook, body: Buffer.alloc(0) },
    ])
      assert.equal(await gateway.readWebhook(changed), null)
  })
}
