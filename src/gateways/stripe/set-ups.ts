import type { Stripe } from 'stripe'
import { SECOND } from '../../lib/time.ts'
import type { SetUpOutcome, SetUpRequest } from '../gateway.ts'
import { confirmationUrl, customerFor, methodBy } from './charges.ts'
import { answered, found } from './client.ts'
import { declinedBy, declinedOrThrow, noSuchMethod } from './declines.ts'
import { storedMethod } from './methods.ts'

const EXPAND = ['payment_method', 'latest_attempt']

/** Makes a method ready for later charges. */
export async function setUp(stripe: Stripe, request: SetUpRequest): Promise<SetUpOutcome> {
  const { key, token, returnUrl } = request
  if (token === '') return noSuchMethod
  const customer = await customerFor(stripe, request)
  try {
    return outcomeOf(
      await answered(
        stripe.setupIntents.create(
          {
            customer,
            ...methodBy(token),
            confirm: true,
            usage: 'off_session',
            automatic_payment_methods: { enabled: true },
            return_url: returnUrl,
            metadata: { key },
            expand: EXPAND,
          },
          { idempotencyKey: key },
        ),
      ),
    )
  } catch (error) {
    return declinedOrThrow(error)
  }
}

/** How the making of a method stands; null when there is none, or this is no id of one. */
export async function retrieveSetUp(stripe: Stripe, externalId: string): Promise<SetUpOutcome | null> {
  if (!/^seti_\w+$/.test(externalId)) return null
  const intent = await found(stripe.setupIntents.retrieve(externalId, { expand: EXPAND }))
  return intent && outcomeOf(intent)
}

/** Clocks may differ by that, seconds. */
const MARGIN = 600

/** What was made ready with a key: Stripe cannot search for it, and lists what was begun since then. */
export async function findSetUp(stripe: Stripe, key: string, begun: number): Promise<SetUpOutcome | null> {
  const since = Math.floor(begun / SECOND) - MARGIN
  const expand = EXPAND.map((name) => `data.${name}`)
  for (let after: string | undefined; ;) {
    const query = { created: { gte: since }, limit: 100, expand, ...(after && { starting_after: after }) }
    const listed: Stripe.ApiList<Stripe.SetupIntent> = await answered(stripe.setupIntents.list(query))
    const made = listed.data.find(({ metadata }) => metadata?.['key'] === key)
    if (made) return outcomeOf(made)
    after = listed.data.at(-1)?.id
    if (!listed.has_more || after === undefined) return null
  }
}

function outcomeOf(intent: Stripe.SetupIntent): SetUpOutcome {
  const { id: externalId, status } = intent
  switch (status) {
    case 'succeeded': {
      const attempt = typeof intent.latest_attempt === 'string' ? null : intent.latest_attempt
      const method = storedMethod(intent, attempt?.payment_method_details ?? null)
      return method ? { outcome: 'ready', externalId, method } : { ...noSuchMethod, externalId }
    }
    case 'requires_payment_method':
    case 'canceled':
      return declinedBy(intent.last_setup_error, externalId)
    case 'requires_action':
      return { outcome: 'pending', externalId, confirmationUrl: confirmationUrl(intent) }
    default:
      return { outcome: 'pending', externalId, confirmationUrl: null }
  }
}
