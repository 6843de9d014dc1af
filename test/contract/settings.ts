import { by, inAddons, inPricing, kept, type Effect } from './effect.ts'
import { OTHERS } from './settings-others.ts'

const nested = by(
  'src/sales/pricing-table/pricing-table.test.ts',
  'plans nest prices and features in the order of the seller; a free plan has no key `pricing`',
)
const enriched = by(
  'src/sales/pricing-table/pricing-table.test.ts',
  '`is_enriched` adds what an in-product page needs',
)
const visible = by(
  'src/sales/pricing-table/pricing-table.test.ts',
  '`type=visible` leaves out hidden plans, hidden prices, and plans with hidden prices only',
)
const refunds = by(
  'src/sales/coupons/special-offers.test.ts',
  'a checkout tells the terms of refunds of its product',
)
const loyal = by(
  'src/sales/coupons/special-offers.test.ts',
  'the coupon for loyalty is off every renewal and not off the first payment, unless the product takes more off',
)
const hidden = by(
  'src/sales/coupons/special-offers.test.ts',
  'a product that does not expose license keys shows none after a purchase, and mails none',
)
const portal = by(
  'src/licensing/licenses/mail-links.test.ts',
  'the mail of a purchase leads to the download and into the portal, once there is one and as the product wants it',
)
const wallets = by(
  'src/sales/checkouts/prices-and-coupons.test.ts',
  'a product that takes wallets only is not paid by card, and nothing is kept of the attempt',
)
const inOrder = by(
  'src/catalogue/products/order.test.ts',
  'an order of plans or features holds ids of the product, and is completed by those it leaves out',
)
const rules = by(
  'src/licensing/licenses/create.test.ts',
  'a license has the quota of its price, and the rules of its plan for its cycle',
)
const bought = by(
  'src/sales/checkouts/checkout.test.ts',
  'a checkout shows each line of what is charged, and what renews at what price and when',
)
const evaluated = (title: string) => by('src/sales/coupons/evaluate.test.ts', title)
const paged = (name: string) =>
  by(
    'src/sales/pricing-table/checkout-product.test.ts',
    'it says what the seller says of the page, and its state is another one then',
  )(name)
const worded = by(
  'src/people/portal/portal-looks.test.ts',
  'the portal greets, helps and looks as its product says, and that of a store as all of its products say alike',
)
const inList = evaluated('plans, quotas and cycles are in their list; 0 is unlimited and lifetime')
const between = evaluated('a coupon is valid from its start and until the second before its end')
const amounts = evaluated('a percentage and a fixed amount in three currencies')
const sender = by(
  'src/catalogue/stores/stores.test.ts',
  'an update writes what was given; a changed address is an event',
)
const taxed = (title: string) => by('src/sales/taxes/tax-of-sale.test.ts', title)
const invoiced = by('src/sales/invoices/invoices.test.ts', 'the seller is named as its tax settings say')

/** Every setting of a seller, by its entity and field: one without an effect is a fault. */
export const EFFECTS: Readonly<Record<string, Effect>> = {
  ...OTHERS,
  'product slug': inPricing('plugin.slug', 'names the product in its pricing table and downloads'),
  'product title': inPricing('plugin.title', 'is shown in the pricing table'),
  'product type': inPricing('plugin.type', 'is told to pricing pages and clients'),
  'product plans': inOrder('is the order in which plans are listed'),
  'product features': inOrder('is the order in which features are listed'),
  'product money_back_period': refunds('is told to who buys'),
  'product refund_policy': refunds('is told to who buys'),
  'product annual_renewals_discount': loyal('is off the renewals of a year'),
  'product renewals_discount_type': loyal('says what the discount is counted in'),
  'product lifetime_license_proration_days': by(
    'src/sales/checkouts/changes.test.ts',
    'a lifetime counts towards another one within the days of the product, and always where they are over 30',
  )('bounds how long a lifetime license is credited'),
  'product is_pricing_visible': inAddons(
    'addons.0.is_pricing_visible',
    'tells markets of add-ons whether to show a price',
  ),
  'product default_plan_id': nested('is the plan that stands first and that free installs are on'),
  'product accepted_payments': wallets('says which gateways a checkout charges'),
  'product expose_license_key': hidden('says whether who buys is shown the key'),
  'product enable_after_purchase_email_login_link': portal('says whether mails lead into the portal'),
  'setting can_create_users': by(
    'src/catalogue/products/settings.test.ts',
    'a setting acts: without can_create_users no user is created',
  )('says whether users are created over the interface'),
  'setting confirms_opt_in': by(
    'src/licensing/installs/confirmed-opt-in.test.ts',
    'a product asks for confirmation from its birth; one that does not connects an unknown address at once',
  )('says whether who opts in confirms the address'),
  'setting redirect_hosts': by(
    'src/catalogue/products/settings.test.ts',
    'a setting acts: links lead only to hosts on the list',
  )('says where links lead'),
  'setting selling_unit_singular': inPricing(
    'plugin.selling_unit_label.singular',
    'is what a license is counted in on pricing pages',
  ),
  'setting selling_unit_plural': inPricing('plugin.selling_unit_label.plural', 'is the same for several'),
  'setting accepted_payments': wallets('is that of the product'),
  'setting expose_license_key': hidden('is that of the product'),
  'setting enable_after_purchase_email_login_link': portal('is that of the product'),
  'setting is_consumptive_usage': refunds('is told to who buys, with the terms of refunds'),
  'setting enable_cart_recovery': by(
    'src/sales/carts/carts-not-mailed.test.ts',
    'a product that wants no mails about left carts has them given up and nobody mailed',
  )('says whether who leaves a cart is mailed'),
  'setting is_active': by(
    'src/catalogue/products/archived-product.test.ts',
    'an archived product sells nothing: no checkout is opened or paid, no trial begun, no upgrade made',
  )('says whether the product is sold'),
  'setting is_released': by(
    'src/catalogue/addons/addons.test.ts',
    'add-ons are listed under both keys, the oldest first, unreleased ones on request',
  )('lists an add-on'),
  'setting is_sdk_required': by(
    'src/deployments/downloads/free-build.test.ts',
    'an uninstall.php is refused beside the SDK, and where a free build is cut, which it would clear up after',
  )('says whether a version must contain the SDK'),
  'setting is_wp_org_compliant': enriched('tells in-product pages where the free build stands'),
  'setting is_static': inAddons('addons.0.is_static', 'tells clients that the product is not installed'),
  'setting type_alias': inAddons('addons.0.type_alias', 'names the kind of the product to clients'),
  'setting sandbox_gets_released': by(
    'src/deployments/downloads/updates-sandbox.test.ts',
    'a setting of the product gives the sandbox what live licenses get',
  )('gives the sandbox live builds'),
  'setting accepts_client_sandbox_tokens': by(
    'src/catalogue/sandbox/token.test.ts',
    'a product may take issued tokens only',
  )('says which tokens open the sandbox'),
  'setting updated_sites_limit': by(
    'src/catalogue/products/status.test.ts',
    'is_update: sites that used the product before begin up to a limit of installs',
  )('says how many sites begin that used the product before'),
  'setting checkout_redirect_url': by(
    'src/sales/checkouts/page-arguments.test.ts',
    'checkout_redirect_url is where a buyer is led whose checkout names no page, and lists its host',
  )('is where a buyer is led whose checkout names no page'),
  'setting recovery_url': by(
    'src/sales/checkouts/page-arguments.test.ts',
    'mails about a cart lead to recovery_url, as the overlay client reads it, and a checkout takes what that brings',
  )('is where mails about carts and failed renewals lead'),
  'setting terms_url': paged('is linked to by pages of the checkout'),
  'setting privacy_url': paged('is linked to by pages of the checkout'),
  'setting embed_hosts': paged('says whose pages may hold the checkout'),
  'setting checkout_accent': paged('is the colour of the page'),
  'setting checkout_logo_url': paged('is the picture on the page'),
  'setting support_email': paged('is whom a buyer writes to'),
  'setting keywright_badge': paged('says whether the page says what made it'),
  'setting portal_off': by(
    'src/people/portal/switched-off.test.ts',
    'only names of the list are taken, each once',
  )('is what customers cannot do in the portal'),
  'setting portal_embed_hosts': by(
    'src/people/portal/portal-frame.test.ts',
    'nobody holds the portal in a frame but whom the product names, and a page of the store whoever one of its products does',
  )('says whose pages may hold the portal'),
  'setting portal_greeting_en': worded('is what the portal greets with in English'),
  'setting portal_greeting_de': worded('is what the portal greets with in German'),
  'setting portal_help_en': worded('is where the portal says help is, in English'),
  'setting portal_help_de': worded('is where the portal says help is, in German'),
  'setting renewal_grace_hours': by(
    'src/catalogue/products/settings.test.ts',
    'how long a license outlives what is paid is a setting, of a month at most',
  )('is how long a license outlives its due renewal'),
  'setting charge_arrears': by(
    'src/sales/renewals/late-renewals.test.ts',
    'with charge_arrears every period that was missed is charged, one a day',
  )('charges periods that were missed'),
  'plan name': inPricing('plans.0.name', 'is how clients know the plan'),
  'plan title': inPricing('plans.0.title', 'is shown in the pricing table'),
  'plan description': inPricing('plans.0.description', 'is shown in the pricing table'),
  'plan trial_period': by(
    'src/licensing/trials/trials.test.ts',
    "a trial runs for the plan's period, with a license for its install that blocks features",
  )('is how long a trial runs'),
  'plan is_require_subscription': by(
    'src/sales/checkouts/trial.test.ts',
    'which trial a plan has is its own: none, a free one, or one with a method of payment',
  )('makes a trial take a method of payment'),
  'plan support_kb': inPricing('plans.0.support_kb', 'is told to pricing pages'),
  'plan support_forum': inPricing('plans.0.support_forum', 'is told to pricing pages'),
  'plan support_email': inPricing('plans.0.support_email', 'is told to pricing pages'),
  'plan support_phone': inPricing('plans.0.support_phone', 'is told to pricing pages'),
  'plan is_success_manager': inPricing('plans.0.is_success_manager', 'is told to pricing pages'),
  'plan is_featured': inPricing('plans.0.is_featured', 'is told to pricing pages'),
  'plan is_free_localhost': by(
    'src/licensing/licenses/counting.test.ts',
    'local hosts take places where they are not free',
  )('says whether local hosts take places'),
  'plan is_block_features': rules('says whether features end with a license'),
  'plan is_block_features_monthly': rules('is the same for licenses of a month'),
  'plan license_type': by(
    'src/licensing/licenses/counting.test.ts',
    'by subdomain every host is counted',
  )('says what takes a place'),
  'plan is_hidden': visible('takes the plan off pricing pages'),
  'price monthly_price': nested('is what a month costs'),
  'price annual_price': bought('is what a year costs'),
  'price lifetime_price': by(
    'src/sales/checkouts/changes.test.ts',
    'a lifetime in the place of a lifetime: all of 300 is off 500',
  )('is what a lifetime costs'),
  'price licenses': rules('is the quota of a license'),
  'price currency': by(
    'src/catalogue/plans/pricing.test.ts',
    'the currencies are those in which the product has prices',
  )('is what it is paid in'),
  'price plan_id': by(
    'src/catalogue/plans/pricing.test.ts',
    'a price moves to another plan of its product only',
  )('moves the price'),
  'price is_whitelabeled': by(
    'src/catalogue/plans/pricing.test.ts',
    'an update writes what was given, null takes a cycle off, and the event tells both states',
  )('is told of the price, and licenses that are bought at it take it'),
  'price is_hidden': visible('takes the price off pricing pages'),
  'coupon code': by(
    'src/sales/coupons/discounts.test.ts',
    'a code takes off what its coupon says, whatever the case it is typed in',
  )('is what a buyer types'),
  'coupon discount': amounts('is how much is off'),
  'coupon discount_type': amounts('says what the discount is counted in'),
  'coupon user_type': evaluated('every kind of user is who the interface says')('says for whom it is'),
  'coupon plans': inList('says for which plans it is'),
  'coupon licenses': inList('says for which quotas it is'),
  'coupon billing_cycles': inList('says for which cycles it is'),
  'coupon start_date': between('says from when on it is valid'),
  'coupon end_date': between('says until when it is valid'),
  'coupon redemptions_limit': by(
    'src/sales/coupons/redemptions.test.ts',
    'ten checkouts race for three redemptions: exactly three are paid',
  )('says how often it is redeemed'),
  'coupon discounts': by(
    'src/sales/coupons/discounts.test.ts',
    'a fixed amount is whole dollars, in other currencies as many unless they have their own',
  )('is what is off in other currencies'),
  'coupon has_renewals_discount': by(
    'src/sales/subscriptions/renewal-coupon.test.ts',
    'the coupon is off the renewals, after the discount of the subscription, and is shown in the lists',
  )('is off renewals too'),
  'coupon has_addons_discount': evaluated(
    "an add-on is discounted by its own coupon, and by its parent's or store's only where that says so",
  )('is off add-ons too'),
  'coupon is_one_per_user': by(
    'src/sales/coupons/redemptions.test.ts',
    'both limits at once are exact: the count is the number of rows, of different users',
  )('is redeemed once by each user'),
  'coupon is_active': evaluated('every check refuses with its reason, in the order of the checks')(
    'switches it off for now',
  ),
  'special coupon affiliate': kept(
    'marks a coupon for programmes of affiliates; nothing here takes it by itself',
  ),
  'special coupon renewals_discount': loyal('is off every renewal'),
  'special coupon manual_renewals_discount': by(
    'src/sales/coupons/special-offers.test.ts',
    'the coupon for manual renewals is in the link that renews by hand, and takes its share off',
  )('is in the link that renews by hand'),
  'special coupon subscription_cancellation': by(
    'src/sales/subscriptions/renewal-coupon.test.ts',
    'the coupon is off the renewals, after the discount of the subscription, and is shown in the lists',
  )('is off the renewals of who stays'),
  'special coupon cart_recovery': by(
    'src/sales/carts/recover-carts-job.test.ts',
    'the third mail brings the coupon for recovered carts, hidden in its link',
  )('is in the third mail about a cart'),
  'special coupon exit_intent': by(
    'src/sales/coupons/special-offers.test.ts',
    'who leaves before typing an address is offered the coupon for that, which the checkout takes',
  )('is offered to who leaves the checkout'),
  'store title': by(
    'src/mail/sender.test.ts',
    'without a name it is that of the store',
  )('is the name of who mails come from where their address has none'),
  'store url': sender('is told to listeners when it changes'),
  'store dashboard_url': sender('is told to listeners when it changes'),
  'taxes country': taxed('until the seller says where it is, nothing is taxed')(
    'is where sales are taxed from',
  ),
  'taxes registrations': taxed('states are off until they are listed')('says where tax is taken'),
  'taxes is_format_enough': taxed(
    'while a VAT id is not checked the tax is provisional, unless its form is enough for the seller',
  )('says whether the form of a VAT id is enough'),
  'taxes legal_name': invoiced('is the seller on invoices'),
  'taxes address': invoiced('is the address of the seller on invoices'),
  'taxes vat_id': invoiced('is the VAT id of the seller on invoices'),
}
