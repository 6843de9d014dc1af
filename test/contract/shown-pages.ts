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
const COMPANY = ['business_name', 'address_street', 'address_apt', 'address_city'].map(
  (name) => `body ${name}`,
)
const COMPANY_TOLD = [
  'src/sales/checkouts/company.test.ts',
  'company and address of a checkout are shown, changed and taken back, and a wrong one is 400',
] as const
const CONTACT = [
  'src/licensing/contact/contact.test.ts',
  'what is written reaches the support of the product, with who is answered and the install that proves itself',
] as const
const WRITTEN = ['product_id', 'public_key', 'email', 'name', 'topic', 'message', 'site_url']
const PROOF = ['s_ctx_type', 's_ctx_id', 's_ctx_ts', 's_ctx_secure']

const connects = 'src/sales/checkouts/connect-site.test.ts'
const OF_SITE = [
  'plugin_version',
  'sdk_version',
  'platform_version',
  'programming_language_version',
  'site_uid',
  'site_url',
  'site_name',
  'language',
  'is_premium',
  'is_active',
  'is_disconnected',
  'is_marketing_allowed',
  'is_extensions_tracking_allowed',
  'is_diagnostic_tracking_allowed',
]

/** Tests of arguments that pages of the checkout, of prices and of contact send. */
const SIGN_IN = [
  'src/accounts/sessions/person-session.test.ts',
  'a person signs in by address and password alone, and is told its accounts',
] as const
const TWO_FACTOR_SIGN_IN = [
  'src/accounts/sessions/person-session.test.ts',
  'a person with two-factor signs in by its code, or once by a backup code',
] as const

const PORTAL = 'src/people/portal/portal-session.test.ts'
const LINK_ASKED_FOR = [
  PORTAL,
  'nobody is told whether an address is known, and a known one is mailed once in ten minutes, however often it is asked',
] as const

export const SHOWN_OF_PAGES: Readonly<Record<string, Shown>> = {
  ...each('keywright/open-checkout', COMPANY, COMPANY_TOLD),
  ...each('keywright/update-checkout', COMPANY, COMPANY_TOLD),
  'keywright/ask-for-portal-link body email': LINK_ASKED_FOR,
  'keywright/ask-for-portal-link body product_id': LINK_ASKED_FOR,
  'keywright/ask-for-portal-link body store_id': LINK_ASKED_FOR,
  'keywright/ask-for-portal-link body language': [
    PORTAL,
    'the mail of a link is in the language that is asked for',
  ],
  'keywright/put-portal-language body language': [
    'src/people/portal/portal-language.test.ts',
    'what a user chooses is what pages and mails of every product are in, and no one else is written so',
  ],
  'keywright/leave-portal body everywhere': [
    PORTAL,
    'who leaves is out in this browser, and with everywhere in all of them',
  ],
  'keywright/send-password-link body email': [
    'src/accounts/sessions/forgotten-password.test.ts',
    'a mailed link gives another password, and ends every login so far',
  ],
  'keywright/export-user query after': [
    'src/sales/privacy/export.test.ts',
    'a person with many sites is read page by page, none twice and none left out',
  ],
  'keywright/erase-user body email': [
    'src/sales/privacy/erase-rules.test.ts',
    'nobody is erased by another address than their own, and an address in other letters is the same',
  ],
  'keywright/sign-in body email': SIGN_IN,
  'keywright/sign-in body password': SIGN_IN,
  'keywright/sign-in body recaptcha_token': [
    'src/accounts/sessions/recaptcha.test.ts',
    'where it is set a login needs a token, which is verified with the secret and the address',
  ],
  'keywright/sign-in body remember_me': [
    'src/accounts/sessions/person-session.test.ts',
    'a person stays signed in for 12 hours, with remember_me for 7 days',
  ],
  'keywright/sign-in body code': TWO_FACTOR_SIGN_IN,
  'keywright/sign-in body backup_code': TWO_FACTOR_SIGN_IN,
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
  ...each(
    'keywright/connect-site-of-checkout',
    OF_SITE.map((name) => `body ${name}`),
    [
      connects,
      'a site that was not connected gets keys of buyer and site with the license that was bought for it',
    ],
  ),
  ...each(
    'keywright/connect-site-of-checkout',
    ['body return_url', 'body forward_url'],
    [connects, 'nobody is led to another host than that of the site, and then nothing is connected'],
  ),
  'keywright/pay-checkout body is_waiver_accepted': [
    'src/sales/checkouts/waiver.test.ts',
    'it is paid only with the consent, which is kept with its text and its time, and shown',
  ],
  'keywright/pay-checkout body is_marketing_allowed': [
    'src/sales/checkouts/marketing.test.ts',
    'a first decision is the decision of the buyer in that product, and told once',
  ],
  'keywright/resend-key-of-checkout query token': [
    'src/sales/checkouts/result-user.test.ts',
    'resend_email_endpoint mails the key again for a day, also to who only typed the address, and no stranger too often',
  ],
  'keywright/download-receipt-of-checkout query token': [
    'src/sales/checkouts/receipt.test.ts',
    'receipt_url shows the invoice for a day to who has just paid, and names nobody but who was typed',
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
