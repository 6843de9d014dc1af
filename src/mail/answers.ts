import type { MailAddress } from './message.ts'
import type { Template } from './templates.ts'

/** Who of a seller reads what customers write, as its sender addresses name them. */
export const HELPERS = ['personal', 'personal_technical', 'personal_setup', 'support'] as const
export type Helper = (typeof HELPERS)[number]

/** Each address with its name; null where neither the product nor its store says one. */
export type Helpers = Readonly<Record<Helper, MailAddress | null>>

/** Whom an answer to a mail is for; null: the mail is for the seller's own people. */
const HELPER_OF: { readonly [T in Template]: Helper | null } = {
  'cart_recovery.1': 'personal',
  'cart_recovery.2': 'personal',
  'cart_recovery.3': 'personal',
  confirm_email: 'personal_technical',
  confirm_email_change: 'support',
  confirm_own_email: null,
  // Who wrote is answered.
  contact: null,
  email_changed: 'support',
  license: 'personal_setup',
  license_cancelled: 'personal',
  license_expired: 'personal',
  license_expiring: 'personal',
  license_keys: 'personal_technical',
  forgotten_password: null,
  member_invitation: null,
  new_sign_in: null,
  own_email_changed: null,
  'ownership_change.candidate': 'personal_technical',
  'ownership_change.owner': 'personal_technical',
  pending_activation: 'personal_technical',
  portal_link: 'support',
  invoice: 'support',
  receipt: 'support',
  renewal_cancelled: 'support',
  'renewal_failed.1': 'support',
  'renewal_failed.2': 'support',
  'renewal_failed.3': 'support',
  renewal_reminder: 'support',
  renewed: 'support',
  sign_in_link: null,
  subscription_cancelled: 'personal',
  subscription_resumed: 'personal',
  trial_converted: 'personal_setup',
  trial_expiring: 'personal',
  webhook_off: null,
}

/** Where answers to a mail go: to whom it is for, else to `support`; null: to whom it is from. */
export function answersTo(helpers: Helpers, template: Template): MailAddress | null {
  const helper = HELPER_OF[template]
  return helper === null ? null : (helpers[helper] ?? helpers.support)
}

/** Whether a mail is for customers, not for the seller's own people or who wrote. */
export const isForCustomers = (template: Template): boolean => HELPER_OF[template] !== null
