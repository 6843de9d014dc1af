import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { Broken, NotThere } from './shell/NotThere.tsx'
import { readList, readPlace, type PlaceSearch } from './place.ts'
import { prefix } from './server.ts'
import { sessionQuery } from './session.ts'
import { Shell } from './shell/Shell.tsx'

const root = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotThere,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  validateSearch: ({ back }: Record<string, unknown>): { readonly back?: string | undefined } => ({
    // A path of the dashboard, and nothing that a browser takes for another place.
    back: typeof back === 'string' && /^\/(?![/\\])/.test(back) ? back : undefined,
  }),
  component: lazyRouteComponent(() => import('./pages/sign-in/SignIn.tsx'), 'SignIn'),
})

const forgotten = createRoute({
  getParentRoute: () => root,
  path: 'forgotten',
  component: lazyRouteComponent(() => import('./pages/sign-in/Forgotten.tsx'), 'Forgotten'),
})

/** The first account that has something to show, of who is signed in. */
const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context }) => {
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in' })
    const account = session.accounts.find(({ role }) => role !== 'admin') ?? session.accounts[0]
    throw redirect({ to: '/$account', params: { account: account?.developer_id ?? '' } })
  },
})

const account = createRoute({
  getParentRoute: () => root,
  path: '$account',
  validateSearch: readPlace,
  search: { middlewares: [retainSearchParams<PlaceSearch>(['mode'])] },
  beforeLoad: async ({ context, params, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in', search: { back: location.href } })
    if (!session.accounts.some(({ developer_id }) => developer_id === params.account)) throw notFound()
  },
  component: Shell,
  notFoundComponent: NotThere,
})

const home = createRoute({
  getParentRoute: () => account,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home/Home.tsx'), 'Home'),
})

const products = createRoute({
  getParentRoute: () => account,
  path: 'products',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./pages/products/Products.tsx'), 'Products'),
})

const product = createRoute({ getParentRoute: () => account, path: '$product', component: Outlet })

const ofProduct = { getParentRoute: () => product } as const

const plans = createRoute({
  ...ofProduct,
  path: 'plans',
  component: lazyRouteComponent(() => import('./pages/plans/Plans.tsx'), 'Plans'),
})

const customers = createRoute({
  ...ofProduct,
  path: 'customers',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./pages/customers/Customers.tsx'), 'Customers'),
})

const customer = createRoute({
  ...ofProduct,
  path: 'customers/$customer',
  component: lazyRouteComponent(() => import('./pages/customers/Customer.tsx'), 'Customer'),
})

const licenses = createRoute({
  ...ofProduct,
  path: 'licenses',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./pages/licenses/Licenses.tsx'), 'Licenses'),
})

const license = createRoute({
  ...ofProduct,
  path: 'licenses/$license',
  component: lazyRouteComponent(() => import('./pages/licenses/License.tsx'), 'License'),
})

const payments = createRoute({
  ...ofProduct,
  path: 'payments',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./pages/payments/Payments.tsx'), 'Payments'),
})

const payment = createRoute({
  ...ofProduct,
  path: 'payments/$payment',
  component: lazyRouteComponent(() => import('./pages/payments/Payment.tsx'), 'Payment'),
})

const subscriptions = createRoute({
  ...ofProduct,
  path: 'subscriptions',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./pages/subscriptions/Subscriptions.tsx'), 'Subscriptions'),
})

const subscription = createRoute({
  ...ofProduct,
  path: 'subscriptions/$subscription',
  component: lazyRouteComponent(() => import('./pages/subscriptions/Subscription.tsx'), 'Subscription'),
})

const installs = createRoute({
  ...ofProduct,
  path: 'installs',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./pages/installs/Installs.tsx'), 'Installs'),
})

const install = createRoute({
  ...ofProduct,
  path: 'installs/$install',
  component: lazyRouteComponent(() => import('./pages/installs/Install.tsx'), 'Install'),
})

const events = createRoute({
  ...ofProduct,
  path: 'events',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./pages/events/Events.tsx'), 'Events'),
})

const event = createRoute({
  ...ofProduct,
  path: 'events/$event',
  component: lazyRouteComponent(() => import('./pages/events/Event.tsx'), 'Event'),
})

const webhooks = createRoute({
  ...ofProduct,
  path: 'webhooks',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./pages/webhooks/Webhooks.tsx'), 'Webhooks'),
})

const webhook = createRoute({
  ...ofProduct,
  path: 'webhooks/$webhook',
  component: lazyRouteComponent(() => import('./pages/webhooks/Webhook.tsx'), 'Webhook'),
})

const coupons = createRoute({
  ...ofProduct,
  path: 'coupons',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./pages/coupons/Coupons.tsx'), 'Coupons'),
})

const coupon = createRoute({
  ...ofProduct,
  path: 'coupons/$coupon',
  component: lazyRouteComponent(() => import('./pages/coupons/Coupon.tsx'), 'Coupon'),
})

const carts = createRoute({
  ...ofProduct,
  path: 'carts',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./pages/carts/Carts.tsx'), 'Carts'),
})

const cart = createRoute({
  ...ofProduct,
  path: 'carts/$cart',
  component: lazyRouteComponent(() => import('./pages/carts/Cart.tsx'), 'Cart'),
})

const figures = createRoute({
  ...ofProduct,
  path: 'figures',
  validateSearch: readList,
  component: lazyRouteComponent(() => import('./pages/figures/Figures.tsx'), 'Figures'),
})

const sandbox = createRoute({
  ...ofProduct,
  path: 'sandbox',
  component: lazyRouteComponent(() => import('./pages/sandbox/Sandbox.tsx'), 'Sandbox'),
})

const tree = root.addChildren([
  signIn,
  forgotten,
  start,
  account.addChildren([
    home,
    products,
    product.addChildren([
      plans,
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
      coupons,
      coupon,
      carts,
      cart,
      events,
      event,
      sandbox,
      figures,
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
