import type { Stripe } from 'stripe'
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
