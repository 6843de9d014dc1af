import { setTimeout as sleep } from 'node:timers/promises'
import { portion } from '../../lib/portions.ts'
import { SECOND } from '../../lib/time.ts'
import {
  GatewayUnreachable,
  type ChargeOutcome,
  type ChargeRequest,
  type ChargeState,
  type Declined,
  type DeclineReason,
  type Gateway,
  type GatewayEvent,
  type Pending,
  type RefundOutcome,
  type RefundRequest,
  type SetUpOutcome,
  type SetUpRequest,
  type StoredChargeRequest,
  type StoredMethod,
} from '../gateway.ts'
import { behaviourOf, isDecline, laterAnswer, messageOf, TEST_TOKENS, type Behaviour } from './behaviours.ts'
import { idOf, readId, type Named } from './ids.ts'
import { readTestWebhook } from './webhook.ts'

/** Minor units. */
const DISPUTE_FEE = 1_500

export interface TestGatewayOptions {
  /** Signs its webhooks. */
  readonly webhookSecret: string
  /** Milliseconds until `test_slow` answers. */
  readonly slowMs?: number
}

/**
 * The gateway of the sandbox (`docs/decisions.md` 5.11). What happens is chosen by token (`behaviours.ts`); all it
 * answers follows from what it is asked, so it keeps nothing and answers alike in any number of processes. It cannot
 * tell that a key is used for another request, how much of a charge was given back before, nor that it was cancelled.
 */
export const testGateway = ({ webhookSecret, slowMs = 3 * SECOND }: TestGatewayOptions): Gateway => ({
  code: 'test',
  environments: [1],
  form: { publishableKey: null, methods: ['card'], tokens: TEST_TOKENS },
  async charge(request) {
    await delay(behaviourOf(request.token), slowMs)
    return charge(request)
  },
  async setUp(request) {
    await delay(behaviourOf(request.token), slowMs)
    return setUp(request)
  },
  chargeStored: async (request) => chargeStored(request),
  refund: async (request) => refund(request),
  retrieveCharge: async (externalId) => chargeState(externalId),
  retrieveSetUp: async (externalId) => {
    const found = readId('setup', externalId)
    return found && setUpOutcome({ named: found, id: externalId }, { returnUrl: null })
  },
  cancel: async (externalId) => cancelled(externalId),
  readWebhook: async (webhook) => readTestWebhook(webhookSecret, webhook),
  reportsOf,
})

async function delay(behaviour: Behaviour | undefined, slowMs: number): Promise<void> {
  if (behaviour?.isSlow) await sleep(slowMs)
}

function charge({ key, token, amount, isKept, returnUrl }: ChargeRequest): ChargeOutcome {
  const behaviour = behaviourOf(token)
  if (!behaviour) return declined(null, 'invalid_method')
  const named: Named = { kind: 'charge', token, answer: reached(behaviour.first), ...amount, isKept }
  return chargeOutcome({ named, id: idOf(named, key) }, { returnUrl })
}

function chargeStored({ key, method, amount }: StoredChargeRequest): ChargeOutcome {
  const token = readId('method', method)?.token ?? ''
  const behaviour = behaviourOf(token)
  if (!behaviour) return declined(null, 'invalid_method')
  const answer = reached(laterAnswer(behaviour, key))
  const named: Named = { kind: 'charge', token, answer: ABSENT[answer] ?? answer, ...amount, isKept: false }
  return chargeOutcome({ named, id: idOf(named, key) }, { returnUrl: null })
}

/** Who is away confirms nothing. */
const ABSENT: Readonly<Record<string, DeclineReason>> = {
  confirmed: 'confirmation_needed',
  unconfirmed: 'confirmation_needed',
}

function setUp({ key, token, returnUrl }: SetUpRequest): SetUpOutcome {
  const behaviour = behaviourOf(token)
  if (!behaviour) return declined(null, 'invalid_method')
  const answer = reached(behaviour.first)
  const named: Named = { kind: 'setup', token, answer, minor: 0, currency: 'usd', isKept: true }
  return setUpOutcome({ named, id: idOf(named, key) }, { returnUrl })
}

interface Asked {
  readonly named: Named
  readonly id: string
}

/** Null: it is looked at later, when the buyer came back from confirming. */
interface Coming {
  readonly returnUrl: string | null
}

function chargeOutcome({ named, id }: Asked, coming: Coming): ChargeOutcome {
  const undecided = undecidedOutcome({ named, id }, coming)
  if (undecided) return undecided
  const fee = Math.min(named.minor, portion(named.minor, 29, 1_000) + 30)
  return { outcome: 'paid', externalId: id, fee, method: named.isKept ? methodOf({ named, id }) : null }
}

function setUpOutcome({ named, id }: Asked, coming: Coming): SetUpOutcome {
  const undecided = undecidedOutcome({ named, id }, coming)
  return undecided ?? { outcome: 'ready', externalId: id, method: methodOf({ named, id }) }
}

/** Null when the answer is yes. */
function undecidedOutcome({ named, id }: Asked, { returnUrl }: Coming): Declined | Pending | null {
  switch (named.answer) {
    case 'paid':
      return null
    case 'pending':
      return { outcome: 'pending', externalId: id, confirmationUrl: null }
    case 'confirmed':
      return returnUrl === null ? null : { outcome: 'pending', externalId: id, confirmationUrl: returnUrl }
    case 'unconfirmed':
      if (returnUrl === null) return declined(id, 'confirmation_failed')
      return { outcome: 'pending', externalId: id, confirmationUrl: returnUrl }
    default:
      return declined(id, isDecline(named.answer) ? named.answer : 'declined')
  }
}

function methodOf({ named, id }: Asked): StoredMethod {
  const token = idOf({ ...named, kind: 'method', answer: 'stored', minor: 0, currency: 'usd' }, id)
  const card = { brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2099 }
  return { token, kind: 'card', card }
}

function chargeState(externalId: string): ChargeState | null {
  const named = readId('charge', externalId)
  if (!named) return null
  const charge = chargeOutcome({ named, id: externalId }, { returnUrl: null })
  const dispute = behaviourOf(named.token)?.dispute ?? null
  return { charge, dispute: charge.outcome === 'paid' ? dispute : null }
}

/** What the bank has in work is not ended. */
function cancelled(id: string): ChargeOutcome | SetUpOutcome | null {
  const named = readId('charge', id) ?? readId('setup', id)
  if (!named) return null
  if (named.answer === 'confirmed' || named.answer === 'unconfirmed')
    return declined(id, 'confirmation_failed')
  return (named.kind === 'charge' ? chargeOutcome : setUpOutcome)({ named, id }, { returnUrl: null })
}

/** The dispute that the token of a charge stands for, once as it is at its end. */
function reportsOf(externalId: string, at: number): readonly GatewayEvent[] {
  const state = chargeState(externalId)?.dispute ?? null
  const minor = readId('charge', externalId)?.minor ?? 0
  if (state === null) return []
  const fee = Math.min(minor, DISPUTE_FEE)
  return [{ type: 'dispute', id: `${externalId}:${state}`, at, chargeId: externalId, state, minor, fee }]
}

function refund({ key, chargeId, amount }: RefundRequest): RefundOutcome {
  const of = readId('charge', chargeId)
  const state = chargeState(chargeId)
  if (!of || !state || state.charge.outcome === 'declined') return refused('not_paid')
  if (amount.currency !== of.currency || amount.minor > of.minor) return refused('exceeds_charge')
  const outcome = behaviourOf(of.token)?.refund ?? 'refused'
  if (outcome === 'refused') return refused('refused')
  const named: Named = { ...of, kind: 'refund', answer: outcome, ...amount, isKept: false }
  return { outcome, externalId: idOf(named, `${chargeId} ${key}`) }
}

const REFUSALS = {
  not_paid: 'There is no such charge, or it was not paid.',
  exceeds_charge: 'The charge was of less, or of another currency.',
  refused: 'The gateway refuses this refund.',
}

const refused = (reason: keyof typeof REFUSALS): RefundOutcome => ({
  outcome: 'refused',
  reason,
  message: REFUSALS[reason],
})

const declined = (externalId: string | null, reason: DeclineReason): Declined => ({
  outcome: 'declined',
  externalId,
  reason,
  message: messageOf(reason),
})

function reached<A extends string>(answer: A | 'unreachable'): A {
  if (answer === 'unreachable') throw new GatewayUnreachable('The test gateway does not answer.')
  return answer
}
