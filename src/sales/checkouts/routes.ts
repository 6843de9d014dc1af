import type { DeclineReason } from '../../gateways/gateway.ts'
import type { CouponRefusal } from '../coupons/evaluate.ts'
import { changeCheckout, getCheckout, productOfCheckout, scopeOfCheckout } from './checkout.ts'
import { checkVat } from './check-vat.ts'
import { leaveLease } from '../charges/left-lease.ts'
import { openCheckout } from './open-checkout.ts'
import { askForPurchase } from './pay-checkout.ts'
import { settlePurchase } from '../charges/settle-after-all.ts'
import { showCheckout } from './show-checkout.ts'
import { showResult } from './show-result.ts'
import { checkVatForm } from '../taxes/tax-settings.ts'
import type { Context, ReadContext } from '../../context.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import type { Scope } from '../../access/scope.ts'
import { invalid, Refused } from '../../lib/errors.ts'
import { LICENSE_ON } from '../../licensing/installs/emits.ts'
import { findOwnedCheckout, type OwnedCheckout } from './queries.ts'
import { Place, placeOf } from './place-schema.ts'
import { paidLinkOperations } from './paid-link-routes.ts'
import { CheckoutResult } from './result-schema.ts'
import { siteOperations } from './site-route.ts'
import { stateOf } from './state.ts'
import { Checkout, CheckoutChange, CheckoutId, CheckoutOpen, CheckoutPay } from './schema.ts'

const CARTS = ['cart.created', 'cart.updated'] as const

const shared = { scopes: ['root'], caller: 'open', access: 'everybody', isForPages: true } as const

const tokenOf = ({ params }: { readonly params: { readonly checkout_token: string } }) =>
  params.checkout_token

const PENDING = {
  state: 'pending',
  user: null,
  purchase: null,
  payment: null,
  trial: null,
  license_id: null,
  license_key: null,
  receipt_url: null,
  portal_url: null,
  redirect_url: null,
} as const

/**
 * The result of a checkout that is paid by now, also one that has expired meanwhile; 400 `checkout_in_progress` when somebody else's try was not, and what the
 * gateway has said of this one is kept.
 */
async function resultOf(ctx: ReadContext, from: Scope, row: OwnedCheckout) {
  if (row.state !== 'paid')
    return new Refused(invalid('checkout_in_progress', 'This payment was decided meanwhile; look again.'))
  return showResult(ctx, { row, scope: scopeOfCheckout(from, row) })
}

/** What is asked outside of transactions, and with whose forms a checkout is shown. */
const checked = async (ctx: Context, body: Parameters<typeof checkVat>[1]) => ({
  vat: await checkVat(ctx, body),
  gateways: ctx.gateways,
})

/** Whenever the price of what a checkout is for is worked out. */
const PRICED = [
  'license_cancelled',
  'license_error',
  'license_lifetime',
  'no_subscription',
  'price_not_sold',
  'trial_not_available',
] as const

/** Why a coupon takes nothing off. */
const COUPON: readonly CouponRefusal[] = [
  'coupon_already_used',
  'coupon_expired',
  'coupon_inactive',
  'coupon_not_applicable',
  'coupon_not_found',
  'coupon_not_started',
  'coupon_used_up',
]

/** What banks say. */
const DECLINED: readonly `payment_${DeclineReason}`[] = [
  'payment_confirmation_failed',
  'payment_confirmation_needed',
  'payment_declined',
  'payment_expired',
  'payment_insufficient_funds',
  'payment_invalid_method',
]

/** A hosted checkout as JSON, for anybody's own page (`docs/checkout.md`). */
export const checkoutOperations: readonly AnyOperation[] = [
  writeOperation({
    ...shared,
    id: 'keywright/open-checkout',
    summary: 'Open a checkout of a product',
    method: 'POST',
    path: '/checkout/sessions.json',
    body: CheckoutOpen,
    keyOf: ({ body }) => body.license_key ?? null,
    isCheckout: true,
    productOf: ({ body }) => body.product_id,
    isAnybodys: true,
    refusesCards: true,
    status: 201,
    response: Checkout,
    emits: CARTS,
    refuses: [
      ...PRICED,
      'cart_changed',
      'cart_completed',
      'cart_email_taken',
      'invalid_authorization',
      'invalid_cart_token',
      'invalid_license_key',
      'invalid_sandbox_token',
      'invalid_user_token',
      'no_user',
      'plan_not_sold',
      'product_not_sold',
    ],
    check: (_, { body }, problems) => checkVatForm(body, problems),
    prepare: (ctx, { body }) => checked(ctx, body),
    handle: async (ctx, { scope, body }, { vat, gateways }) =>
      showCheckout(ctx, await openCheckout(ctx, scope, body, vat), gateways),
  }),
  readOperation({
    ...shared,
    id: 'keywright/locate-buyer',
    summary: 'Tell where a caller is, and what is paid there',
    method: 'GET',
    path: '/checkout/geo.json',
    status: 200,
    response: Place,
    handle: async (_ctx, { scope }) => placeOf(scope.country ?? null),
  }),
  readOperation({
    ...shared,
    id: 'keywright/retrieve-checkout',
    summary: 'Retrieve a checkout with what it comes to now',
    method: 'GET',
    path: '/checkout/sessions/{checkout_token}.json',
    params: CheckoutId,
    keyOf: tokenOf,
    status: 200,
    response: Checkout,
    refuses: PRICED,
    async handle(ctx, { scope, params }) {
      const row = await getCheckout(ctx, params.checkout_token)
      const state = await stateOf(ctx, scopeOfCheckout(scope, row), row)
      return showCheckout(ctx, { token: params.checkout_token, ...state }, ctx.gateways)
    },
  }),
  writeOperation({
    ...shared,
    id: 'keywright/update-checkout',
    summary: 'Change what a checkout buys, and for whom',
    method: 'PUT',
    path: '/checkout/sessions/{checkout_token}.json',
    params: CheckoutId,
    body: CheckoutChange,
    keyOf: tokenOf,
    isCheckout: true,
    productOf: ({ params }, ctx) => productOfCheckout(ctx, params.checkout_token),
    isAnybodys: true,
    refusesCards: true,
    status: 200,
    response: Checkout,
    emits: CARTS,
    refuses: [...PRICED, 'cart_changed', 'cart_email_taken', 'checkout_closed'],
    check: (_, { body }, problems) => checkVatForm(body, problems),
    prepare: (ctx, { body }) => checked(ctx, body),
    async handle(ctx, { scope, params, body }, { vat, gateways }) {
      const changed = await changeCheckout(ctx, scope, { token: params.checkout_token, input: body, vat })
      return showCheckout(ctx, changed, gateways)
    },
  }),
  writeOperation({
    ...shared,
    id: 'keywright/pay-checkout',
    summary: 'Pay a checkout, or learn how its payment stands',
    method: 'POST',
    path: '/checkout/sessions/{checkout_token}/pay.json',
    params: CheckoutId,
    body: CheckoutPay,
    keyOf: tokenOf,
    isCheckout: true,
    productOf: ({ params }, ctx) => productOfCheckout(ctx, params.checkout_token),
    refusesCards: true,
    status: 200,
    response: CheckoutResult,
    emits: [
      ...LICENSE_ON,
      'license.created',
      'subscription.created',
      'card.created',
      'card.updated',
      'payment.created',
      'plan.lifetime.purchase',
      'license.extended',
      'license.shortened',
      'license.updated',
      'license.plan.changed',
      'license.quota.changed',
      'user.trial.started',
      'cart.completed',
      'cart.recovered',
      'user.marketing.opted_in',
      'user.marketing.opted_out',
    ],
    refuses: [
      ...PRICED,
      ...COUPON,
      ...DECLINED,
      'already_purchased',
      'checkout_in_progress',
      'checkout_repriced',
      'gateway_not_configured',
      'gateway_refused',
      'gateway_unreachable',
      'invalid_user_token',
      'license_change_in_progress',
      'owner_required',
      'product_not_sold',
      'renewal_in_progress',
      'waiver_required',
    ],
    prepare: (ctx, { scope, params, body }, limits) =>
      askForPurchase(ctx, scope, params.checkout_token, { ...body, limits }),
    async handle(ctx, { scope, params }, asked) {
      const settled = asked && (await settlePurchase(ctx, asked))
      if (settled instanceof Refused) return settled
      if (settled && 'confirmationUrl' in settled) {
        return { ...PENDING, confirmation_url: settled.confirmationUrl }
      }
      if (settled) {
        const { checkout: row } = settled
        return showResult(ctx, { row, scope: scopeOfCheckout(scope, row) }, settled)
      }
      const id = asked?.checkout.id
      const row = id === undefined ? undefined : await findOwnedCheckout(ctx.db, id)
      return resultOf(ctx, scope, row ?? (await getCheckout(ctx, params.checkout_token)))
    },
    letGo(ctx, asked) {
      if (asked) leaveLease(ctx, asked)
    },
  }),
  ...siteOperations,
  ...paidLinkOperations,
]
