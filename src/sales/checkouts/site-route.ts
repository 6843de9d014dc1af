import { writeOperation } from '../../http/operation.ts'
import { SITE_CONNECTED } from '../../licensing/installs/emits.ts'
import { connectSite, countSite } from './connect-site.ts'
import { CheckoutId } from './schema.ts'
import { CheckoutSite, SiteOfCheckout } from './site-schema.ts'

export const siteOperations = [
  writeOperation({
    id: 'keywright/connect-site-of-checkout',
    summary: 'Connect the site that a paid checkout was opened from',
    method: 'POST',
    path: '/checkout/sessions/{checkout_token}/site.json',
    scopes: ['root'],
    caller: 'open',
    access: 'everybody',
    isForPages: true,
    isAnybodys: true,
    params: CheckoutId,
    body: CheckoutSite,
    keyOf: ({ params }) => params.checkout_token,
    status: 200,
    response: SiteOfCheckout,
    credentials: ['secret_key'],
    emits: SITE_CONNECTED,
    refuses: [
      'checkout_not_paid',
      'install_uid_taken',
      'invalid_uid',
      'license_activated',
      'license_cancelled',
      'license_error',
      'license_expired',
      'license_utilized',
    ],
    prepare: (ctx, { scope, params, body }, limits) =>
      countSite(ctx, scope, { token: params.checkout_token, site: body, limits }),
    handle: (ctx, { scope, params, body }) =>
      connectSite(ctx, scope, { token: params.checkout_token, site: body }),
  }),
]
