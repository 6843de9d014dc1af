import type { Shown } from './shown.ts'

const pageArguments = 'src/sales/checkouts/page-arguments.test.ts'

const each = (operation: string, names: readonly string[], [file, title]: readonly [string, string]) =>
  Object.fromEntries(names.map((name) => [`${operation} ${name}`, [file, title] as const]))

const READING = [
  pageArguments,
  'locale is another name of language and counts, a change of it is kept, and auto is none',
] as const
const OF_CART = [
  pageArguments,
  'mails about a cart lead to recovery_url, as the overlay client reads it, and a checkout takes what that brings',
] as const
const CONTACT = [
  'src/licensing/contact/contact.test.ts',
  'what is written reaches the support of the product, with who is answered and the install that proves itself',
] as const
const WRITTEN = ['product_id', 'public_key', 'email', 'name', 'topic', 'message', 'site_url']
const PROOF = ['s_ctx_type', 's_ctx_id', 's_ctx_ts', 's_ctx_secure']

/** Tests of arguments that pages of the checkout, of prices and of contact send. */
export const SHOWN_OF_PAGES: Readonly<Record<string, Shown>> = {
  ...each(
    'keywright/open-checkout',
    ['body __fs_authorization', 'body __fs_auth_date', 'body __fs_expires_in'],
    OF_CART,
  ),
  ...each('keywright/open-checkout', ['body language', 'body locale'], READING),
  ...each('keywright/update-checkout', ['body language', 'body locale'], READING),
  'keywright/open-checkout body is_trial': [
    pageArguments,
    'a trial and the change of a license are mailed in that language too',
  ],
  'keywright/resend-key-of-checkout query token': [
    'src/sales/checkouts/result-user.test.ts',
    'resend_email_endpoint mails the key again for a day, also to who only typed the address, and no stranger too often',
  ],
  'products/retrieve-pricing-table-data query public_key': [
    'src/http/pages-of-any-origin.test.ts',
    'the pricing table is read with public_key alone, and a wrong one is refused',
  ],
  ...each(
    'keywright/contact-support',
    [...WRITTEN, ...PROOF].map((name) => `body ${name}`),
    CONTACT,
  ),
}
