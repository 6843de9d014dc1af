const carts = 'src/sales/carts/carts.test.ts'
const installs = 'src/licensing/installs/installs.test.ts'
const parts = 'src/licensing/installs/parts.test.ts'
const installList = 'src/licensing/installs/list.test.ts'
const ownership = 'src/licensing/owners/ownership.test.ts'
const choices = 'src/licensing/installs/ownership-choices.test.ts'
const addons = 'src/catalogue/addons/addons.test.ts'
const addresses = 'src/catalogue/stores/stores.test.ts'
const createLicense = 'src/licensing/licenses/create.test.ts'
const subscriptions = 'src/sales/subscriptions/subscriptions.test.ts'
const ofLicenses = 'src/sales/subscriptions/of-licenses.test.ts'
const settings = 'src/catalogue/products/settings.test.ts'
const plans = 'src/catalogue/plans/plans.test.ts'
const users = 'src/people/users/users.test.ts'
const order = 'src/catalogue/products/order.test.ts'
const activate = 'src/licensing/licenses/activate.test.ts'
const claim = 'src/licensing/licenses/claim.test.ts'
const refusals = 'src/licensing/licenses/refusals.test.ts'
const verify = 'src/licensing/activation/verify.test.ts'
const update = 'src/licensing/licenses/update.test.ts'
const table = 'src/sales/pricing-table/pricing-table.test.ts'

const OWN_ADDRESSES = [
  addresses,
  "a product's sender addresses are not found while it has its store's",
] as const
const OTHER_PRODUCTS = [
  'src/sales/payments/list.test.ts',
  'those of add-ons and bundles come when they are asked for',
] as const
const SIDES = [
  ownership,
  'a side agrees by salt, token and its address too; each wrong one is the same 404',
] as const
const ALL_SITES = 'transfer_type merge or all gives every site of the owner away, asked for or agreed to'
const BEFORE = [
  'src/catalogue/products/status.test.ts',
  'is_update: sites that used the product before begin up to a limit of installs',
] as const
const PLAN_NAME = [plans, 'of name and title one is enough, and the name is a folded slug'] as const
const PLAN_UPDATE = [plans, 'an update by PUT or POST writes what was given'] as const
const BUILDS = [
  'src/deployments/downloads/download.test.ts',
  'without a wish the free build is downloaded, which is another file',
] as const
const REASONS = [
  subscriptions,
  'cancelled, nothing is charged any more, the license keeps its end, and it is told once with the reasons',
] as const
const SKIPPED = [parts, 'sites are noted as skipped, one or several, once each'] as const

const PERSON = [
  'src/accounts/sessions/login.test.ts',
  'unknown address, wrong password, no password, another account: all look the same',
] as const

/** The test that shows what an argument does, by file and title. */
export type Shown = readonly [file: string, title: string]

/** Arguments whose effect takes more than one call, or another world. */
export const SHOWN: Readonly<Record<string, Shown>> = {
  'developers/log-in body email': PERSON,
  'developers/log-in body password': PERSON,
  'developers/log-in body recaptcha_token': [
    'src/accounts/sessions/recaptcha.test.ts',
    'where it is set a login needs a token, which is verified with the secret and the address',
  ],
  'developers/log-in body remember_me': [
    'src/accounts/sessions/sessions.test.ts',
    'a session ends after exactly 12 hours, with remember_me after exactly 7 days',
  ],
  'developers/log-in body code': [
    'src/accounts/sessions/two-factor.test.ts',
    'a login without a code is told that one is required, a wrong one that it is wrong',
  ],
  'developers/log-in body backup_code': [
    'src/accounts/sessions/two-factor.test.ts',
    'a backup code logs in once, however it is typed, and switches two-factor off',
  ],
  'products/list-addons query show_pending': [addons, 'add-ons are listed under both keys'],
  'addons/list-plans query show_pending': [addons, 'plans of an add-on are read through its parent'],
  'addons/list-plans query type': [addons, 'plans of an add-on are read through its parent'],
  'carts/retrieve-events query count': [carts, 'the events of a cart come page by page, the newest first'],
  'carts/update body plan_id': [carts, 'a plan, a price and a cycle are those that the product sells'],
  'carts/update body billing_cycle': [carts, 'a plan, a price and a cycle are those that the product sells'],
  'carts/update body coupon_id': [carts, 'a coupon is changed by its id and its code together'],
  'carts/update body email': [carts, 'an address about which another open cart was mailed is refused'],
  'products/update-email-addressses body store_id': [
    'src/mail/sender.test.ts',
    'a product inherits from the store that its addresses name with store_id',
  ],
  'products/update-email-addressses body general': OWN_ADDRESSES,
  'products/update-email-addressses body dont_reply': OWN_ADDRESSES,
  'products/update-email-addressses body personal': OWN_ADDRESSES,
  'products/update-email-addressses body personal_technical': OWN_ADDRESSES,
  'products/update-email-addressses body personal_setup': OWN_ADDRESSES,
  'products/update-email-addressses body support': OWN_ADDRESSES,
  'installations/resolve-clone body new_install_id': [
    parts,
    'a clone is one while it is open, and is resolved',
  ],
  'installations/downgrade-default-plan body reason_ids': [
    installs,
    'a downgrade takes an install back to the free plan',
  ],
  'installations/downgrade-default-plan body reason': [
    installs,
    'a downgrade takes an install back to the free plan',
  ],
  'installations/list-installs query all': [installList, 'with all every one'],
  'installations/activate-license query license_key': [
    'src/licensing/licenses/orphans.test.ts',
    'an install puts a license of nobody on itself by its key, and not by its id alone',
  ],
  'installations/deactivate-license query license_key': [
    'src/licensing/activation/verify.test.ts',
    'a seller names the key with the license: 402 without, 404 for another one',
  ],
  'licenses/list-subscriptions query count': [
    subscriptions,
    'the subscriptions of the license on an install',
  ],
  'installations/list-plans query show_pending': [parts, 'plans of an install are those of its product'],
  'installations/create-new-license body period': [createLicense, 'a license for a year ends on the day'],
  'plans/create-license body period': [createLicense, 'a license for a year ends on the day'],
  'plans/create-license body license_key': [
    createLicense,
    'of two licenses with one imposed key one is created',
  ],
  'plans/create-license body existing_install_id': [
    'src/licensing/licenses/bundle.test.ts',
    "a bundle's license on an install",
  ],
  'installations/start-trial body trial_timestamp': [
    'src/licensing/trials/trials.test.ts',
    'a proof of sandbox mode makes a sandbox trial; a wrong or old one is refused',
  ],
  'installations/retrieve-latest-update query is_premium': [
    'src/deployments/downloads/updates.test.ts',
    'the premium build is for a license that allows updates',
  ],
  'installations/change-ownership body token_salt': SIDES,
  'installations/change-ownership body email': SIDES,
  'installations/change-ownership body owner_token': SIDES,
  'installations/change-ownership body candidate_token': SIDES,
  'installations/change-ownership body transfer_type': [choices, ALL_SITES],
  'installations/change-ownership body after_confirm_url': [
    choices,
    'who agrees is led to after_confirm_url: the site or a listed host, and nowhere else',
  ],
  'installations/change-ownership body install_ids': [
    choices,
    'the owner names with install_ids which sites go along, until the next owner has agreed',
  ],
  'installations/send-verification-email body after_email_confirm_url': [
    'src/people/proof/confirm-email.test.ts',
    'after confirming, the person is led to a host on the list of the product, and nowhere else',
  ],
  'users/create body after_email_confirm_url': [
    'src/people/proof/confirm-email.test.ts',
    'after confirming, the person is led to a host on the list of the product, and nowhere else',
  ],
  'products/check-status query is_update': BEFORE,
  'products/gdpr-compliance-check query is_update': BEFORE,
  'products/gdpr-compliance-check query uid': [
    settings,
    'ping answers with a uid of 32 characters or without one',
  ],
  'products/gdpr-compliance-check query is_gdpr_test': [settings, 'ping asks for consent in Europe'],
  'licenses/update body cancel_subscription': [ofLicenses, 'a cancelled license, one that never ends'],
  'licenses/update body extend_bundle': [
    'src/licensing/licenses/bundle.test.ts',
    'extend_bundle gives the bundle',
  ],
  'licenses/update body update_subscription_renewal_date': [ofLicenses, 'the renewal moves with the end'],
  'licenses/cancel query include_bundle': [
    'src/licensing/licenses/bundle.test.ts',
    "the cancellation of a bundle's license is one of what it opened, the other way round on request",
  ],
  'licenses/assign body email': [
    'src/licensing/licenses/update.test.ts',
    'a license of nobody is given to a person once, however many try at once',
  ],
  'licenses/cancel-current-subscription query reason_ids': REASONS,
  'licenses/cancel-current-subscription query reason': REASONS,
  'subscriptions/cancel query reason_ids': REASONS,
  'subscriptions/cancel query reason': REASONS,
  'subscriptions/create-new-migrated-payment body is_extend_license': [
    'src/sales/subscriptions/migrated.test.ts',
    'the license ends a cycle later when it is asked for',
  ],
  'plans/create body name': PLAN_NAME,
  'installations/retrieve-uninstall-details query fields': [
    parts,
    'an uninstalled install says why; the last reason counts, and one that is recovered has none',
  ],
  'plans/update body name': PLAN_UPDATE,
  'plans/update-by-post body name': PLAN_UPDATE,
  'plans/create body support_email': [plans, 'a created plan is read back by id and in the list'],
  'plans/update body support_email': PLAN_UPDATE,
  'plans/update-by-post body support_email': PLAN_UPDATE,
  'plans/create-pricing query currency': [
    'src/catalogue/plans/pricing.test.ts',
    'the currency is taken from the body, otherwise from the query',
  ],
  'products/retrieve-pricing-table-data query show_pending': [table, 'shown with `show_pending` only'],
  'products/retrieve-pricing-table-data query type': [table, '`type=visible` leaves out hidden plans'],
  'products/retrieve-pricing-table-data query bundle_product_public_key': [
    table,
    'a member shows the table of its bundle when that is asked for',
  ],
  'reviews/retrieve-summary query type': [
    'src/catalogue/reviews/reviews.test.ts',
    'the summary counts shown reviews by score',
  ],
  'products/skip-account-connection body uid': SKIPPED,
  'products/skip-account-connection body uids': SKIPPED,
  'deployments/download query is_premium': BUILDS,
  'deployments/get-latest query is_premium': BUILDS,
  'deployments/download-latest query is_premium': BUILDS,
  'users/update body name': [users, 'an update writes what differs, records it, and keeps the rest'],
  'users/create body name': [users, 'first and last stand in for a name'],
  'users/create body email': [users, 'a created user can be read back with its keys, every field present'],
  'users/create body password': [
    'src/accounts/sessions/user-login.test.ts',
    'unknown address and wrong password: the same 401',
  ],
  'users/list-installs query install_ids': [
    installList,
    'a user lists its own installs alone, by id and by host too',
  ],
  'users/list-payments query include_addons': OTHER_PRODUCTS,
  'users/list-payments query include_bundles': OTHER_PRODUCTS,
  'payments/list-in-user-scope query include_addons': OTHER_PRODUCTS,
  'payments/list-in-user-scope query include_bundles': OTHER_PRODUCTS,
  'carts/update body pricing_id': [carts, 'a plan, a price and a cycle are those that the product sells'],
  'products/update body plans': [order, 'an order of plans or features holds ids of the product'],
  'products/update body features': [order, 'an order of plans or features holds ids of the product'],
  'products/update body default_plan_id': [plans, 'the list shows the default plan first'],
  'installations/update-install body is_active': [
    installs,
    'each field that changes is told by its own event and not by install.updated',
  ],
  'installations/update-install body is_uninstalled': [
    parts,
    'an uninstalled install says why; the last reason counts',
  ],
  'installations/update-install body reason_id': [
    parts,
    'an uninstalled install says why; the last reason counts',
  ],
  'installations/update-install body reason_info': [
    parts,
    'an uninstalled install says why; the last reason counts',
  ],
  'installations/update-install body is_sdk_required': [
    'src/deployments/downloads/updates-sdk.test.ts',
    'with is_sdk_required a site is offered only versions with the SDK, until it takes that back',
  ],
  'installations/update-install body install_ids': [
    ownership,
    'a license goes along when it is active on nothing that stays',
  ],
  'licenses/activate body is_marketing_allowed': [
    activate,
    'whether the owner wants mail: what is open is taken over, a no is not turned into a yes',
  ],
  'licenses/activate body first_name': [
    claim,
    'a person that nobody knew becomes its owner, and is asked to prove the address',
  ],
  'licenses/activate body last_name': [
    claim,
    'a person that nobody knew becomes its owner, and is asked to prove the address',
  ],
  'licenses/activate body user_email': [
    claim,
    'a person that nobody knew becomes its owner, and is asked to prove the address',
  ],
  'licenses/activate body allow_unreleased_plan_activation': [
    refusals,
    'a plan that is not released is license_error unless the client says that it tests',
  ],
  'licenses/deactivate body uid': [
    verify,
    'a deactivation gives the place back, by key, uid and install together',
  ],
  'licenses/deactivate body install_id': [
    verify,
    'a deactivation gives the place back, by key, uid and install together',
  ],
  'licenses/update body new_user_id': [
    update,
    'the owner changes to a user of the product or to nobody, and to nobody else',
  ],
  'products/update-setting body data': [
    settings,
    'keys that are left out stay, and a write of nothing new is no update',
  ],
}
