import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  notFound,
  Outlet,
  redirect,
  retainSearchParams,
  type RouteComponent,
} from '@tanstack/react-router'
import { NotThere } from './shell/NotThere.tsx'
import { rememberProduct } from './products.ts'
import { readList, readPlace, type PlaceSearch } from './place.ts'
import { sessionQuery } from './session.ts'
import { Shell } from './shell/Shell.tsx'

export const root = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotThere,
})

/** Of the browser: the account that was opened last. */
const LAST = 'keywright-account'

/** The account that was opened last here, else the first that has something to show, of who is signed in. */
export const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context }) => {
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in' })
    const { accounts } = session
    const account =
      accounts.find(({ developer_id: id }) => id === localStorage.getItem(LAST)) ??
      accounts.find(({ role }) => role !== 'admin') ??
      accounts[0]
    throw redirect({ to: '/$account', params: { account: account?.developer_id ?? '' } })
  },
})

export const account = createRoute({
  getParentRoute: () => root,
  path: '$account',
  validateSearch: readPlace,
  search: { middlewares: [retainSearchParams<PlaceSearch>(['mode'])] },
  beforeLoad: async ({ context, params, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in', search: { back: location.href } })
    if (!session.accounts.some(({ developer_id }) => developer_id === params.account)) throw notFound()
    localStorage.setItem(LAST, params.account)
  },
  component: Shell,
  notFoundComponent: NotThere,
})

/** A page about the account, and one that is a list. */
export const ofAccount = <P extends string>(path: P, component: RouteComponent) =>
  createRoute({ getParentRoute: () => account, path, component })
export const listOfAccount = <P extends string>(path: P, component: RouteComponent) =>
  createRoute({ getParentRoute: () => account, path, validateSearch: readList, component })

export const product = createRoute({
  getParentRoute: () => account,
  path: '$product',
  beforeLoad: ({ params }) => rememberProduct(params.account, params.product),
  component: Outlet,
})

/** A page about a product. */
export const page = <P extends string>(path: P, component: RouteComponent) =>
  createRoute({ getParentRoute: () => product, path, component })

/** One that is a list, whose address says what of it is shown. */
export const list = <P extends string>(path: P, component: RouteComponent) =>
  createRoute({ getParentRoute: () => product, path, validateSearch: readList, component })
