import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { prefix } from '../ui/server.ts'
import { NotThere } from './NotThere.tsx'
import { Ask } from './pages/Ask.tsx'
import { sessionQuery } from './session.ts'
import { Shell } from './Shell.tsx'

const root = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotThere,
})

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context }) => {
    const [first] = (await context.queries.ensureQueryData(sessionQuery))?.products ?? []
    if (first) throw redirect({ to: '/$product', params: { product: first.id } })
  },
  component: Ask,
})

/** What is shown to who is in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ context }) => {
    if (!(await context.queries.ensureQueryData(sessionQuery))) throw redirect({ to: '/' })
  },
  component: Shell,
  notFoundComponent: NotThere,
})

const profile = createRoute({
  getParentRoute: () => inside,
  path: 'profile',
  component: lazyRouteComponent(() => import('./pages/Profile.tsx'), 'Profile'),
})

const erased = createRoute({
  getParentRoute: () => root,
  path: 'erased',
  component: lazyRouteComponent(() => import('./pages/Erased.tsx'), 'Erased'),
})

const product = createRoute({
  getParentRoute: () => inside,
  path: '$product',
  beforeLoad: async ({ context, params }) => {
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (!session?.products.some(({ id }) => id === params.product)) throw notFound()
  },
  component: Outlet,
})

const home = createRoute({
  getParentRoute: () => product,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/Home.tsx'), 'Home'),
})

const license = createRoute({
  getParentRoute: () => product,
  path: 'licenses/$id',
  component: lazyRouteComponent(() => import('./pages/License.tsx'), 'License'),
})

const subscription = createRoute({
  getParentRoute: () => product,
  path: 'subscriptions/$id',
  component: lazyRouteComponent(() => import('./pages/Subscription.tsx'), 'Subscription'),
})

const tree = root.addChildren([
  start,
  erased,
  inside.addChildren([profile, product.addChildren([home, license, subscription])]),
])

/** The pages of the portal, below `/portal` of the server. */
export const makeRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: tree,
    basepath: `${prefix}/portal`,
    context: { queries },
    defaultPreload: 'intent',
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
