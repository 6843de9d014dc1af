import { beforeMoney, type SetUpOutcome, type SetUpRequest, type StoredMethod } from '../gateway.ts'
import { linked, type PaymentToken, type SetupToken } from './api.ts'
import { experienceOf, isWallet, STORED } from './charges.ts'
import { found, PaypalRefusal, type Paypal } from './client.ts'
import { declinedFor } from './declines.ts'
import { tokenOfVault } from '../stored-tokens.ts'
import { methodOfCustomer } from './methods.ts'
import { named } from './names.ts'

const ID = /^setup-([\w-]{1,36})$/

/** Whether an id is of the making of a method. */
export const isSetUp = (externalId: string): boolean => ID.test(externalId)

const externalIdOf = ({ id }: SetupToken): string => `setup-${id}`

/** Has a buyer who is there approve at PayPal that a method is stored. */
export async function setUp(paypal: Paypal, { key, token, returnUrl }: SetUpRequest): Promise<SetUpOutcome> {
  if (!isWallet(token)) return declinedFor('invalid_method', null)
  const body = { payment_source: { paypal: { ...STORED, experience_context: experienceOf(returnUrl) } } }
  return outcomeOf(await beforeMoney(paypal.post<SetupToken>('/v3/vault/setup-tokens', body, named(key))))
}

async function readSetUp(paypal: Paypal, externalId: string): Promise<SetupToken | null> {
  const [, id] = ID.exec(externalId) ?? []
  return id === undefined ? null : found(paypal.get<SetupToken>(`/v3/vault/setup-tokens/${id}`))
}

/** How the making of a method stands; what its buyer has approved meanwhile is stored first. */
export async function retrieveSetUp(paypal: Paypal, externalId: string): Promise<SetUpOutcome | null> {
  const token = await readSetUp(paypal, externalId)
  return token && settled(paypal, token)
}

/** As `retrieveSetUp`; what waits is ended by nobody asking for it any more: PayPal stores it for us alone. */
export async function cancelSetUp(paypal: Paypal, externalId: string): Promise<SetUpOutcome | null> {
  const outcome = await retrieveSetUp(paypal, externalId)
  return outcome?.outcome === 'pending' ? declinedFor('confirmation_failed', externalId) : outcome
}

function outcomeOf(token: SetupToken): SetUpOutcome {
  const confirmationUrl = linked(token.links, 'approve', 'payer-action')
  return { outcome: 'pending', externalId: externalIdOf(token), confirmationUrl }
}

async function settled(paypal: Paypal, token: SetupToken): Promise<SetUpOutcome> {
  const { status = 'CREATED' } = token
  if (status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED') return outcomeOf(token)
  const made = status === 'APPROVED' ? await stored(paypal, token) : await storedBefore(paypal, token)
  return made
    ? { outcome: 'ready', externalId: externalIdOf(token), method: methodOf(made) }
    : declinedFor('declined', externalIdOf(token))
}

/** Null when PayPal refuses to store what was not stored before either. */
async function stored(paypal: Paypal, token: SetupToken): Promise<PaymentToken | null> {
  const body = { payment_source: { token: { id: token.id, type: 'SETUP_TOKEN' } } }
  try {
    return await paypal.post<PaymentToken>('/v3/vault/payment-tokens', body, `token.${token.id}`)
  } catch (error) {
    if (!(error instanceof PaypalRefusal) || error.status !== 422) throw error
    return storedBefore(paypal, token)
  }
}

const storedBefore = async (paypal: Paypal, { customer }: SetupToken): Promise<PaymentToken | null> =>
  customer?.id === undefined ? null : methodOfCustomer(paypal, customer.id)

const methodOf = ({ id }: PaymentToken): StoredMethod => ({
  token: tokenOfVault(id),
  kind: 'paypal',
  card: null,
})
