import type { AnyOperation } from '../../src/http/operation.ts'
import { requiredOf } from '../../src/http/openapi-schema.ts'
import { exampleOf } from './values.ts'
import type { Ids } from './world.ts'

type Values = Readonly<Record<string, unknown>>

/** What an argument must be to fit what is there; undefined: it is left out. */
interface Example {
  readonly query?: (ids: Ids) => Values
  readonly body?: (ids: Ids) => Values
}

const byKey: Example = { query: ({ license_key }) => ({ license_key }) }

const activation: Example = {
  body: ({ uid, license_key, install_id }) => ({ uid, license_key, install_id }),
}

/** What the price of a checkout is sold as. */
const OFFERED = {
  region: 'BE',
  licenses: undefined,
  billing_cycle: 'annual',
  currency: 'usd',
  coupon: undefined,
}

/** Amounts by currency go with one type of discount alone. */
const coupon: Example = { body: () => ({ discounts: undefined }) }

/** A plan with a price of it. */
const planOf = ({ plan_id, pricing_id }: Ids) => ({ plan_id, pricing_id })

/** The arguments whose value no schema and no name tells. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  'licenses/activate': activation,
  'keywright/activate-license': activation,
  'licenses/deactivate': activation,
  'keywright/deactivate-license': activation,
  'installations/retrieve-active-license-by-uid': {
    query: ({ uid, license_key }) => ({ uid, license_key }),
  },
  'installations/retrieve-active-license-by-id': byKey,
  'installations/deactivate-license': byKey,
  'installations/activate-license': { body: ({ license_key }) => ({ license_key }) },
  'installations/update-install': {
    // An owner and a subscription are tried one by one.
    body: ({ uid, license_key, licensed_plan_id, tried_plan_id }) => ({
      uid,
      license_key,
      plan_id: licensed_plan_id,
      trial_plan_id: tried_plan_id,
      user_id: undefined,
      user_email: undefined,
      subscription_id: undefined,
    }),
  },
  // A user asks for five addresses in an hour.
  'users/update': { body: () => ({ email: undefined }) },
  // Another address needs the right password, which no example has.
  'keywright/update-person': { body: () => ({ email: undefined, current_password: undefined }) },
  // It is said by either of two names.
  'installations/uninstall-from-anonymous-site': { body: () => ({ reason: undefined }) },
  'coupons/create': coupon,
  'coupons/update': coupon,
  'keywright/coupons-of-store-create': coupon,
  'keywright/coupons-of-store-update': coupon,
  'keywright/coupons-of-own-store-create': coupon,
  'keywright/coupons-of-own-store-update': coupon,
  'installations/resolve-clone': { body: ({ install_id }) => ({ new_install_id: install_id }) },
  'installations/start-trial': {
    body: () => ({ trial_token: undefined, trial_timestamp: undefined }),
  },
  'keywright/log-in-user': { body: ({ developer_key }) => ({ developer_secret_key: developer_key }) },
  'installations/change-ownership': {
    body: ({ token_salt, owner_token, candidate_token, next_owner }) => ({
      token_salt,
      owner_token,
      candidate_token,
      email: next_owner,
      after_confirm_url: undefined,
    }),
  },
  'installations/update-permissions': { body: () => ({ is_enabled: false }) },
  'keywright/update-user-permissions': {
    body: ({ install_id }) => ({ is_enabled: false, install_ids: install_id }),
  },
  'keywright/create-addon-install': { body: ({ uid }) => ({ uid }) },
  'keywright/create-user-installs': {
    body: ({ uid, license_id }) => ({
      uid,
      license_id,
      license_key: undefined,
      sites: undefined,
      trial_plan_id: undefined,
    }),
  },
  'keywright/update-user-installs': {
    body: ({ install_id }) => ({ installs: [{ id: install_id, version: '1.1' }] }),
  },
  'keywright/delete-user-installs': { query: ({ install_id }) => ({ ids: install_id }) },
  'keywright/create-developer-token': { body: ({ product_id }) => ({ product_ids: product_id }) },
  'keywright/preview-license-plan': { query: planOf },
  // What is sold already stays so: a plan that a license has is not deleted.
  'keywright/change-license-plan': {
    body: ({ licensed_plan_id, licensed_pricing_id }) => ({
      plan_id: licensed_plan_id,
      pricing_id: licensed_pricing_id,
    }),
  },
  'keywright/explain-license': { body: ({ license_id }) => ({ license_id }) },
  'keywright/create-export': { body: () => ({ kind: 'users', columns: 'id', filter: {} }) },
  'keywright/create-import': { body: () => ({ source: 'files', url: undefined, shop: undefined }) },
  'keywright/order-plans': { body: ({ plan_id, plan_ids = plan_id }) => ({ ids: plan_ids }) },
  'keywright/create-bulk': { body: ({ license_id }) => ({ ids: license_id, filter: undefined }) },
  'keywright/search': { query: ({ license_id }) => ({ q: license_id }) },
  'keywright/contact-support': { body: ({ product_id, public_key }) => ({ product_id, public_key }) },
  'keywright/resend-key-of-checkout': { query: ({ resend_token }) => ({ token: resend_token }) },
  'keywright/download-receipt-of-checkout': { query: ({ receipt_token }) => ({ token: receipt_token }) },
  'keywright/connect-site-of-checkout': {
    // Addresses lead to the host of the site, which is one site however often it is told.
    body: ({ uid }) => ({
      site_uid: uid,
      site_url: undefined,
      return_url: undefined,
      forward_url: undefined,
    }),
  },
  'keywright/open-checkout': {
    // Of an address one cart is open.
    body: ({ product_id, plan_id, pricing_id, email }) => ({
      product_id,
      user_email: email,
      visitor: undefined,
      plan_id,
      pricing_id,
      ...OFFERED,
      user_token: undefined,
      sandbox: undefined,
      redirect_url: undefined,
      license_key: undefined,
      license_id: undefined,
      authorization: undefined,
      is_payment_method_update: undefined,
      cart_token: undefined,
      __fs_authorization: undefined,
    }),
  },
  'keywright/update-checkout': {
    body: ({ plan_id, pricing_id }) => ({ plan_id, pricing_id, ...OFFERED }),
  },
  'keywright/pay-checkout': {
    body: () => ({
      payment_token: 'test_succeeds',
      gateway: 'test',
      return_url: undefined,
      total: undefined,
    }),
  },
  'carts/update': {
    body: ({ plan_id, pricing_id, coupon_id }) => ({
      plan_id,
      pricing_id,
      coupon_id,
      coupon_code: 'HALF',
      billing_cycle: 12,
      // Of an address one cart is open.
      email: undefined,
    }),
  },
  'licenses/generate-upgrade-link': {
    body: ({ plan_id }) => ({ plan_id, quota: 1, billing_cycle: 'annual', currency: 'usd' }),
  },
  'keywright/report-bounce': { body: ({ email }) => ({ email, status: 'bounce' }) },
  'products/generate-portal-login-link': { body: ({ email }) => ({ id: undefined, email }) },
  'keywright/advance-sandbox-clock': { body: () => ({ target: undefined, duration: 'P1D' }) },
  'subscriptions/update': { body: ({ coupon_id }) => ({ coupon_id }) },
  'subscriptions/create-new-migrated-payment': {
    body: () => ({ processed_at: '2026-01-01', payment_external_id: undefined }),
  },
  'keywright/resend-events': {
    body: ({ event_id }) => ({
      event_id,
      from: undefined,
      to: undefined,
      state: undefined,
      after_id: undefined,
    }),
  },
  'keywright/refund-payment': { body: () => ({ amount: 1 }) },
  'keywright/create-license-file': { body: ({ uid }) => ({ uid }) },
  'plans/update-pricing': { body: ({ plan_id }) => ({ plan_id }) },
  'plans/create-license': {
    body: ({ email }) => ({ email, existing_install_id: undefined }),
  },
  'licenses/update': { body: ({ user_id }) => ({ new_user_id: user_id }) },
  'licenses/assign': { body: ({ license_key }) => ({ license_key }) },
  'deployments/update': { body: () => ({ release_mode: 'released', percentage_limit: undefined }) },
  'installations/list-updates': { query: () => ({ version: '0.1' }) },
  'developers/add-team-member': { body: ({ member_id }) => ({ member_id, email: undefined }) },
  // The right to refund is for support alone.
  'keywright/add-member': { body: () => ({ role: 'support', can_refund: undefined }) },
  'keywright/update-member': { body: () => ({ role: 'support', can_refund: true }) },
  'licenses/resend-keys': { body: ({ email }) => ({ email }) },
}

/** A body that an operation does, with these ids. */
export const bodyOf = ({ id, body }: AnyOperation, ids: Ids): Record<string, unknown> =>
  body ? { ...exampleOf(body), ...EXAMPLES[id]?.body?.(ids) } : {}

/** What a query must have, as text. */
export function queryOf({ id, query }: AnyOperation, ids: Ids): [name: string, value: string][] {
  if (!query) return []
  const values = { ...exampleOf(query, requiredOf(query)), ...EXAMPLES[id]?.query?.(ids) }
  return Object.entries(values).map(([name, value]) => [name, String(value)])
}
