import type { Declined, DeclineReason } from '../gateway.ts'
import type { PaypalRefusal } from './client.ts'

/** Refusals of PayPal that are about the buyer's account or what pays it, not about how we ask. */
const REASONS: ReadonlyMap<string, DeclineReason> = new Map([
  ['INSTRUMENT_DECLINED', 'declined'],
  ['PAYER_CANNOT_PAY', 'declined'],
  ['PAYER_ACCOUNT_RESTRICTED', 'declined'],
  ['PAYER_ACCOUNT_LOCKED_OR_CLOSED', 'declined'],
  ['TRANSACTION_REFUSED', 'declined'],
  ['TRANSACTION_BLOCKED_BY_PAYEE', 'declined'],
  ['PAYEE_BLOCKED_TRANSACTION', 'declined'],
  ['TRANSACTION_LIMIT_EXCEEDED', 'declined'],
  ['COMPLIANCE_VIOLATION', 'declined'],
  ['DOMESTIC_TRANSACTION_REQUIRED', 'declined'],
  ['MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED', 'declined'],
  ['REDIRECT_PAYER_FOR_ALTERNATE_FUNDING', 'declined'],
  ['PAYMENT_SOURCE_DECLINED_BY_PROCESSOR', 'declined'],
  ['PAYMENT_SOURCE_CANNOT_BE_USED', 'declined'],
  ['PAYER_ACTION_REQUIRED', 'confirmation_needed'],
  ['AGREEMENT_ALREADY_CANCELLED', 'invalid_method'],
  ['BILLING_AGREEMENT_NOT_FOUND', 'invalid_method'],
  ['MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE', 'invalid_method'],
  ['TOKEN_ID_NOT_FOUND', 'invalid_method'],
  ['TOKEN_EXPIRED', 'invalid_method'],
])

const MESSAGES: Readonly<Record<DeclineReason, string>> = {
  declined: 'PayPal declined the payment. Please use another method of payment.',
  insufficient_funds: 'There is not enough money on the account.',
  expired: 'The method of payment has expired.',
  confirmation_failed: 'The payment was not confirmed at PayPal.',
  confirmation_needed: 'PayPal wants you to confirm the payment.',
  invalid_method: 'There is no such method of payment.',
}

/** The answer that a buyer gets; `externalId` as the gateway's. */
export const declinedFor = (reason: DeclineReason, externalId: string | null): Declined => ({
  outcome: 'declined',
  externalId,
  reason,
  message: MESSAGES[reason],
})

/** The issue of a refusal that is an answer to the buyer; undefined: it is a fault of ours or of the settings. */
export const declineIn = ({ issues }: PaypalRefusal): string | undefined =>
  issues.find((issue) => REASONS.has(issue))

/** What such an issue says. */
export const reasonOf = (issue: string): DeclineReason => REASONS.get(issue) ?? 'declined'
