import { toUtcTime } from '../lib/time.ts'
import type { MailedKey, Template, Templates } from './templates.ts'

const plan = 'Professional'
const amount = { minor: 5950, currency: 'eur' }
const ends = { time: toUtcTime(Date.UTC(2027, 0, 31, 10)) }
const link = 'https://shop.example.com/a-link'
const key: MailedKey = { key: 'sk_Example … Example', plan, ends, isCancelled: false }
const cart = { link, trialDays: 14, discount: { percent: 15 } }
const failed = { plan, amount, link, reason: 'The card was declined.', again: ends }
const paid = {
  plan,
  amount,
  invoice: 'INV-000042',
  date: { time: toUtcTime(Date.UTC(2026, 0, 31, 10)) },
  licenses: '5',
  net: { minor: 5000, currency: 'eur' },
  tax: { minor: 950, currency: 'eur' },
  method: 'visa •••• 4242',
}

/** What each mail is filled with in a preview. */
export const SAMPLES: { readonly [T in Template]: Templates[T] } = {
  'cart_recovery.1': cart,
  'cart_recovery.2': cart,
  'cart_recovery.3': cart,
  confirm_email: { link },
  confirm_email_change: { link, to: 'ada@example.org' },
  confirm_own_email: { server: 'keys.example.com', link },
  contact: {
    from: 'Ada (ada@example.org)',
    topic: 'Billing',
    site: 'https://site.example.org',
    install: '42',
    message: 'Where do I find my invoice?',
  },
  email_changed: { to: 'ada@example.org' },
  license: { keys: [key], downloads: [{ link, product: '' }], portal: link },
  license_cancelled: { plan },
  license_expired: { plan, ends, link },
  license_expiring: { plan, ends, link },
  license_keys: {
    keys: [key, { ...key, ends: null }, { ...key, isCancelled: true }],
    downloads: [
      { link, product: 'Clock' },
      { link, product: 'Calendar' },
    ],
    portal: link,
  },
  member_invitation: {
    account: 'Grace Hopper',
    accountId: '42',
    store: 'Compilers',
    server: 'https://keys.example.com',
    link,
  },
  new_sign_in: { at: ends, address: '192.0.2.7' },
  own_email_changed: { server: 'keys.example.com', to: 'grace@example.org' },
  'ownership_change.candidate': { link },
  'ownership_change.owner': { link },
  pending_activation: { link },
  portal_link: { link, minutes: 5 },
  invoice: { number: '2026-00042', isCreditNote: false },
  receipt: { ...paid, waiver: 'I agree that I am given access at once.' },
  renewal_cancelled: { plan, amount, reason: failed.reason },
  'renewal_failed.1': failed,
  'renewal_failed.2': failed,
  'renewal_failed.3': failed,
  renewal_reminder: { plan, amount, on: ends, isTaxed: true, portal: link },
  renewed: { ...paid, until: ends },
  sign_in_link: { link },
  forgotten_password: { link },
  subscription_cancelled: { plan, until: ends },
  subscription_resumed: { plan, on: ends },
  trial_converted: { ...paid, until: ends },
  trial_expiring: { plan, ends, amount, link, portal: link },
  webhook_off: { url: 'https://hooks.example.com/here', isGone: false },
}
