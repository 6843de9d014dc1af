import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { accountPages, signedOutPages } from './account-pages.tsx'
import { readExplain, readFigures, readText } from './place.ts'
import { account, list, page, product, root, start } from './routes.tsx'
import { prefix } from '../ui/server.ts'
import { Broken } from './shell/NotThere.tsx'

const plans = page(
  'plans',
  lazyRouteComponent(() => import('./pages/plans/Plans.tsx'), 'Plans'),
)
const settings = page(
  'settings',
  lazyRouteComponent(() => import('./pages/products/ProductSettings.tsx'), 'ProductSettings'),
)
const customers = list(
  'customers',
  lazyRouteComponent(() => import('./pages/customers/Customers.tsx'), 'Customers'),
)
const customer = page(
  'customers/$customer',
  lazyRouteComponent(() => import('./pages/customers/Customer.tsx'), 'Customer'),
)
const licenses = list(
  'licenses',
  lazyRouteComponent(() => import('./pages/licenses/Licenses.tsx'), 'Licenses'),
)
const license = page(
  'licenses/$license',
  lazyRouteComponent(() => import('./pages/licenses/License.tsx'), 'License'),
)
const payments = list(
  'payments',
  lazyRouteComponent(() => import('./pages/payments/Payments.tsx'), 'Payments'),
)
const payment = page(
  'payments/$payment',
  lazyRouteComponent(() => import('./pages/payments/Payment.tsx'), 'Payment'),
)
const subscriptions = list(
  'subscriptions',
  lazyRouteComponent(() => import('./pages/subscriptions/Subscriptions.tsx'), 'Subscriptions'),
)
const subscription = page(
  'subscriptions/$subscription',
  lazyRouteComponent(() => import('./pages/subscriptions/Subscription.tsx'), 'Subscription'),
)
const installs = list(
  'installs',
  lazyRouteComponent(() => import('./pages/installs/Installs.tsx'), 'Installs'),
)
const install = page(
  'installs/$install',
  lazyRouteComponent(() => import('./pages/installs/Install.tsx'), 'Install'),
)
const events = list(
  'events',
  lazyRouteComponent(() => import('./pages/events/Events.tsx'), 'Events'),
)
const event = page(
  'events/$event',
  lazyRouteComponent(() => import('./pages/events/Event.tsx'), 'Event'),
)
const webhooks = list(
  'webhooks',
  lazyRouteComponent(() => import('./pages/webhooks/Webhooks.tsx'), 'Webhooks'),
)
const webhook = page(
  'webhooks/$webhook',
  lazyRouteComponent(() => import('./pages/webhooks/Webhook.tsx'), 'Webhook'),
)
const deliveries = list(
  'webhooks/deliveries',
  lazyRouteComponent(() => import('./pages/webhooks/Deliveries.tsx'), 'Deliveries'),
)
const mails = list(
  'mails',
  lazyRouteComponent(() => import('./pages/mails/Mails.tsx'), 'Mails'),
)
const mail = page(
  'mails/$mail',
  lazyRouteComponent(() => import('./pages/mails/Mail.tsx'), 'Mail'),
)
const mailTexts = page(
  'mail-texts',
  lazyRouteComponent(() => import('./pages/mails/MailTexts.tsx'), 'MailTexts'),
)
const mailText = createRoute({
  getParentRoute: () => product,
  path: 'mail-texts/$template',
  validateSearch: readText,
  component: lazyRouteComponent(() => import('./pages/mails/MailText.tsx'), 'MailText'),
})
const coupons = list(
  'coupons',
  lazyRouteComponent(() => import('./pages/coupons/Coupons.tsx'), 'Coupons'),
)
const coupon = page(
  'coupons/$coupon',
  lazyRouteComponent(() => import('./pages/coupons/Coupon.tsx'), 'Coupon'),
)
const carts = list(
  'carts',
  lazyRouteComponent(() => import('./pages/carts/Carts.tsx'), 'Carts'),
)
const cart = page(
  'carts/$cart',
  lazyRouteComponent(() => import('./pages/carts/Cart.tsx'), 'Cart'),
)
const trials = list(
  'trials',
  lazyRouteComponent(() => import('./pages/trials/Trials.tsx'), 'Trials'),
)
const trial = page(
  'trials/$trial',
  lazyRouteComponent(() => import('./pages/trials/Trial.tsx'), 'Trial'),
)
const disputes = list(
  'disputes',
  lazyRouteComponent(() => import('./pages/disputes/Disputes.tsx'), 'Disputes'),
)
const reviews = list(
  'reviews',
  lazyRouteComponent(() => import('./pages/reviews/Reviews.tsx'), 'Reviews'),
)
const review = page(
  'reviews/$review',
  lazyRouteComponent(() => import('./pages/reviews/Review.tsx'), 'Review'),
)

const versions = list(
  'versions',
  lazyRouteComponent(() => import('./pages/versions/Versions.tsx'), 'Versions'),
)
const version = page(
  'versions/$version',
  lazyRouteComponent(() => import('./pages/versions/Version.tsx'), 'Version'),
)
const explain = createRoute({
  getParentRoute: () => product,
  path: 'explain',
  validateSearch: readExplain,
  component: lazyRouteComponent(() => import('./pages/explain/Explain.tsx'), 'Explain'),
})

const bulk = list(
  'bulk',
  lazyRouteComponent(() => import('./pages/bulk/Bulks.tsx'), 'Bulks'),
)

const figures = createRoute({
  getParentRoute: () => product,
  path: 'figures',
  validateSearch: readFigures,
  component: lazyRouteComponent(() => import('./pages/figures/Figures.tsx'), 'Figures'),
})
const sandbox = page(
  'sandbox',
  lazyRouteComponent(() => import('./pages/sandbox/Sandbox.tsx'), 'Sandbox'),
)

const tree = root.addChildren([
  ...signedOutPages,
  start,
  account.addChildren([
    ...accountPages,
    product.addChildren([
      plans,
      settings,
      customers,
      customer,
      licenses,
      license,
      installs,
      install,
      payments,
      payment,
      subscriptions,
      subscription,
      webhooks,
      webhook,
      deliveries,
      mails,
      mail,
      mailTexts,
      mailText,
      coupons,
      coupon,
      carts,
      cart,
      trials,
      trial,
      disputes,
      reviews,
      review,
      versions,
      version,
      explain,
      events,
      event,
      sandbox,
      figures,
      bulk,
    ]),
  ]),
])

/** The pages by their addresses, all below `/dashboard`. */
export const makeRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: tree,
    basepath: `${prefix}/dashboard`,
    context: { queries },
    defaultPreload: 'intent',
    defaultErrorComponent: Broken,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
