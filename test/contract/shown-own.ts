import type { Shown } from './shown.ts'
import { SHOWN_OF_ACCOUNT } from './shown-account.ts'
import { each, SHOWN_OF_FIGURES } from './shown-figures.ts'
import { SHOWN_OF_LICENSING } from './shown-licensing.ts'
import { SHOWN_OF_PAGES } from './shown-pages.ts'

const settled = 'src/sales/checkouts/checkout.test.ts'
const tried = 'src/sales/pricing-table/tried-site.test.ts'
const addonPricing = 'src/catalogue/addons/addon-pricing.test.ts'
const bundles = 'src/catalogue/bundles/bundle.test.ts'
const created = 'src/catalogue/products/create.test.ts'
const webhooks = 'src/events/listeners/webhooks.test.ts'

const CHOICES = ['plan_id', 'pricing_id', 'licenses', 'billing_cycle', 'currency'].map(
  (name) => `body ${name}`,
)
const chosen = [
  'src/sales/checkouts/choices.test.ts',
  'each argument that chooses what is bought chooses it, when a checkout opens and later',
] as const
const CONTEXT = ['s_ctx_type', 's_ctx_id', 's_ctx_ts', 's_ctx_secure'].map((name) => `query ${name}`)
const RIGHTS = [
  'src/accounts/sessions/user-login.test.ts',
  'a wrong key is told as one, and nothing of developer, user and password with it',
] as const
const ON_REQUEST = [
  addonPricing,
  'plans of every add-on are listed with prices and features, unreleased ones on request',
] as const
const KEY = [
  'src/licensing/activation/verify.test.ts',
  'a seller names the key with the license: 402 without, 404 for another one',
] as const
const NOTICE = [
  'src/deployments/downloads/addon-updates.test.ts',
  'an update comes with its upgrade notice where that is asked for',
] as const
const BUILDS = [
  'src/deployments/downloads/updates.test.ts',
  'the premium build is for a license that allows updates: not expired, not cancelled',
] as const
const TWO_FACTOR = [
  'src/accounts/sessions/two-factor.test.ts',
  'set-up takes the password, shows the secret once, and is on by a first code',
] as const
const OF_USER = [
  'src/licensing/installs/user-installs.test.ts',
  'a user creates an install, several sites at once, and changes them by one list',
] as const
const KEPT = [webhooks, 'attempts and deliveries are kept by event and by state'] as const
const REPLACED = [
  bundles,
  'its members are replaced as a whole, and the version of its catalogue rises',
] as const
const IN_STORE = [bundles, 'a store makes a bundle of its products'] as const
const MEMBERS = [bundles, 'a bundle is created with its members, which are whole products'] as const

/** Tests of what the contract does not document: operations of our own, and arguments beside its own. */
export const SHOWN_OF_OURS: Readonly<Record<string, Shown>> = {
  ...SHOWN_OF_PAGES,
  ...SHOWN_OF_ACCOUNT,
  ...SHOWN_OF_LICENSING,
  ...each('keywright/open-checkout', [...CHOICES, 'body default_currency'], ...chosen),
  ...each('keywright/update-checkout', CHOICES, ...chosen),
  ...each(
    'keywright/open-checkout',
    ['body product_id', 'body redirect_url'],
    settled,
    'a wrong sandbox token, an address of a foreign host, and what is not sold are refused',
  ),
  'keywright/open-checkout body is_payment_method_update': [
    'src/sales/checkouts/payment-method.test.ts',
    'another method of payment charges nothing where nothing is owed, and pays the next renewal',
  ],
  ...each(
    'keywright/open-checkout',
    ['body s_ctx_type', 'body s_ctx_id', 'body s_ctx_secure'],
    'src/sales/checkouts/from-site.test.ts',
    'a wrong, foreign or old proof and one of another product bind a checkout to nothing, which is opened all the same',
  ),
  'keywright/open-checkout body s_ctx_ts': [
    'src/catalogue/sandbox/token.test.ts',
    "a token of the seller's own code is good for a day after its time, where it says one",
  ],
  'keywright/pay-checkout body gateway': [
    'src/sales/checkouts/prices-and-coupons.test.ts',
    'the gateway that is chosen is charged, and one that does not take the payment is refused',
  ],
  'keywright/pay-checkout body return_url': [
    'src/sales/checkouts/buyer.test.ts',
    'a buyer comes back from a confirmation to a host of the product or to this server, and nowhere else',
  ],
  ...each(
    'products/retrieve-pricing-table-data',
    CONTEXT,
    tried,
    'of an install that is not proven nothing is told, and the table is shown all the same',
  ),
  'products/retrieve-pricing-table-data query trial': [
    'src/sales/pricing-table/pricing-table.test.ts',
    'trial mode is on where a plan that is sold has a trial, unless the page says that it wants none',
  ],
  ...each(
    'keywright/retrieve-addon-pricing',
    [...CONTEXT, 'query trial'],
    tried,
    'the page of an add-on is told of trials of the add-on, and of none where it wants none',
  ),
  ...each('keywright/list-addon-pricing', ['query show_pending', 'query type'], ...ON_REQUEST),
  ...each('keywright/retrieve-addon-pricing', ['query show_pending', 'query type'], ...ON_REQUEST),
  'keywright/list-addons-of-install query show_pending': [
    'src/catalogue/addons/addons.test.ts',
    'an install lists the add-ons of its product, without what they earn, and no others',
  ],
  ...each(
    'keywright/activate-license',
    ['first_name', 'last_name', 'user_email'].map((name) => `body ${name}`),
    'src/licensing/licenses/claim.test.ts',
    'a person that nobody knew becomes its owner, and is asked to prove the address',
  ),
  'keywright/activate-license body is_marketing_allowed': [
    'src/licensing/licenses/activate.test.ts',
    'whether the owner wants mail: what is open is taken over, a no is not turned into a yes',
  ],
  'keywright/activate-license body allow_unreleased_plan_activation': [
    'src/licensing/licenses/refusals.test.ts',
    'a plan that is not released is license_error unless the client says that it tests',
  ],
  ...each(
    'keywright/deactivate-license',
    ['body uid', 'body install_id'],
    'src/licensing/activation/verify.test.ts',
    'a deactivation gives the place back, by key, uid and install together',
  ),
  'installations/retrieve-active-license-by-id query is_migration': KEY,
  'installations/activate-license query is_migration': KEY,
  'installations/activate-license body is_migration': KEY,
  'installations/deactivate-license query is_migration': KEY,
  'installations/retrieve-latest-update query include_upgrade_notice': NOTICE,
  'keywright/retrieve-product-update query include_upgrade_notice': NOTICE,
  'keywright/retrieve-addon-update query include_upgrade_notice': NOTICE,
  'keywright/retrieve-public-addon-update query include_upgrade_notice': NOTICE,
  'keywright/download-update query is_premium': BUILDS,
  'users/update body after_email_confirm_url': [
    'src/people/proof/confirm-email.test.ts',
    'after confirming, the person is led to a host on the list of the product, and nowhere else',
  ],
  'users/list-licenses query store_id': [
    'src/licensing/licenses/of-user.test.ts',
    'to the person itself, logged in, store_id opens its licenses of every product',
  ],
  'keywright/ask-for-owner body transfer_type': [
    'src/licensing/installs/ownership-choices.test.ts',
    'transfer_type merge or all gives every site of the owner away, asked for or agreed to',
  ],
  'keywright/ask-for-owner body install_ids': [
    'src/licensing/owners/ownership.test.ts',
    'installs of somebody else do not go along',
  ],
  'keywright/ask-for-owner body after_confirm_url': [
    'src/licensing/owners/ownership.test.ts',
    'both pages lead back to the site or a listed host, and nowhere else',
  ],
  'keywright/add-member body email': [
    'src/accounts/team/invitations.test.ts',
    'an unknown address gets an account of its own, and a link to join the team with a password it chooses',
  ],
  'keywright/update-member body role': [
    'src/accounts/team/members.test.ts',
    'a role is changed with an event when it differs, and the list shows it',
  ],
  ...each(
    'keywright/change-password',
    ['body current_password', 'body new_password'],
    'src/accounts/sessions/sessions.test.ts',
    'a change of the password needs the current one, and ends every other session and access token',
  ),
  ...each(
    'keywright/update-person',
    ['body email', 'body current_password'],
    'src/accounts/developers/person.test.ts',
    'another address needs the password, is confirmed there, and told to the old one',
  ),
  ...each(
    'keywright/log-in-user',
    ['email', 'password', 'developer_id', 'developer_secret_key'].map((name) => `body ${name}`),
    ...RIGHTS,
  ),
  'keywright/log-in-user body store_id': [
    'src/accounts/sessions/user-login.test.ts',
    'a store of somebody else is told to the site that has the key',
  ],
  'keywright/set-up-two-factor body current_password': TWO_FACTOR,
  'keywright/confirm-two-factor body code': TWO_FACTOR,
  ...each(
    'keywright/remove-two-factor',
    ['body code', 'body backup_code'],
    'src/accounts/sessions/two-factor.test.ts',
    'two-factor is removed by a code or a backup code, and by nothing less',
  ),
  ...SHOWN_OF_FIGURES,
  ...each(
    'keywright/migrate-license',
    ['body next_payment', 'body subscription_external_id'],
    'src/sales/subscriptions/migrated.test.ts',
    'one that renews is a subscription, which is not charged here',
  ),
  'keywright/list-parent-licenses query filter': [
    'src/licensing/licenses/parent.test.ts',
    'activatable are those with which one more install can be activated now',
  ],
  'keywright/list-parent-licenses query count': [
    'src/licensing/licenses/parent.test.ts',
    "a user's licenses of bundles with the product are listed newest first, page by page",
  ],
  'keywright/list-license-owners query count': [
    'src/licensing/licenses/family.test.ts',
    'the owners of licenses on installs are told page by page, over the family',
  ],
  'keywright/refund-payment body cancel_subscription': [
    'src/sales/payments/refunds.test.ts',
    'the caller says whether license and subscription are cancelled',
  ],
  'keywright/list-bundle-members query fields': MEMBERS,
  'keywright/create-product body is_bundle': MEMBERS,
  'keywright/create-product body members': MEMBERS,
  'keywright/update-bundle-members query fields': REPLACED,
  'keywright/update-bundle-members body members': REPLACED,
  'keywright/create-store-product body is_bundle': IN_STORE,
  'keywright/create-store-product body members': IN_STORE,
  'keywright/create-product body store_id': [created, 'a store lists its own products only'],
  'keywright/list-products query all': [
    created,
    'a developer lists its products, newest first, all at once on demand, and those of one store',
  ],
  'keywright/advance-sandbox-clock body target': [
    'src/catalogue/sandbox/sandbox.test.ts',
    'a clock is moved to a time or by a duration, forward only and two years at once at most',
  ],
  'keywright/list-sandbox-timeline query count': [
    'src/catalogue/sandbox/sandbox.test.ts',
    'what is due happens in its order at its time, on the way',
  ],
  'keywright/list-sandbox-due query count': [
    'src/sales/due/due.test.ts',
    'a renewal is told with its reminder before it, no more than are asked for',
  ],
  'keywright/list-stores query count': [
    'src/catalogue/stores/stores.test.ts',
    'stores are listed newest first, those of the developer only',
  ],
  'keywright/create-user-installs body sites': OF_USER,
  'keywright/create-user-installs body source': [
    'src/licensing/installs/user-installs.test.ts',
    'installs that a seller brings along say where they come from, and are told of no event; a user names no source',
  ],
  'keywright/delete-user-installs query ids': OF_USER,
  'keywright/list-webhook-deliveries query count': KEPT,
  ...each(
    'keywright/list-deliveries',
    ['webhook_id', 'type', 'environment', 'from', 'to', 'count', 'state'].map((name) => `query ${name}`),
    'src/events/listeners/deliveries.test.ts',
    'deliveries of all listeners are kept by listener, state, type and environment of the event, and time',
  ),
  'keywright/list-deliveries query event_id': [
    'src/events/listeners/deliveries.test.ts',
    'deliveries of one event, or of several, are told of each listener; those of another product are not',
  ],
  ...each(
    'keywright/list-webhook-figures',
    ['query from', 'query to'],
    'src/events/listeners/figures.test.ts',
    'figures are told of the days from one to another, at most 31',
  ),
  'keywright/order-plans body ids': [
    'src/catalogue/plans/plan-order.test.ts',
    'an order names each plan of the product once, else it says what is missing or unknown, and changes nothing',
  ],
  'keywright/order-plans query fields': [
    'src/catalogue/plans/plan-order.test.ts',
    'of the plans that were put in an order the fields are answered that are asked for',
  ],
  'keywright/list-webhook-attempts query count': KEPT,
  ...each(
    'keywright/resend-events',
    ['from', 'to', 'state', 'after_id'].map((name) => `body ${name}`),
    webhooks,
    'what ended is sent again: one event, or those of a time and a state',
  ),
}
