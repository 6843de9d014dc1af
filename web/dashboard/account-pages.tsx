import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readAudit } from './place.ts'
import { account, listOfAccount, ofAccount, root } from './routes.tsx'

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

const home = ofAccount(
  '/',
  lazyRouteComponent(() => import('./pages/home/Home.tsx'), 'Home'),
)

const products = listOfAccount(
  'products',
  lazyRouteComponent(() => import('./pages/products/Products.tsx'), 'Products'),
)

const tokens = listOfAccount(
  'tokens',
  lazyRouteComponent(() => import('./pages/tokens/Tokens.tsx'), 'Tokens'),
)
const team = listOfAccount(
  'team',
  lazyRouteComponent(() => import('./pages/team/Team.tsx'), 'Team'),
)
const profile = ofAccount(
  'profile',
  lazyRouteComponent(() => import('./pages/profile/Profile.tsx'), 'Profile'),
)
const audit = createRoute({
  getParentRoute: () => account,
  path: 'audit',
  validateSearch: readAudit,
  component: lazyRouteComponent(() => import('./pages/audit/Audit.tsx'), 'Audit'),
})
const server = ofAccount(
  'server',
  lazyRouteComponent(() => import('./pages/server/Server.tsx'), 'Server'),
)
const exports = listOfAccount(
  'exports',
  lazyRouteComponent(() => import('./pages/exports/Exports.tsx'), 'Exports'),
)
const wholeAccount = ofAccount(
  'exports/account',
  lazyRouteComponent(() => import('./pages/exports/WholeAccount.tsx'), 'WholeAccount'),
)
const imports = listOfAccount(
  'imports',
  lazyRouteComponent(() => import('./pages/imports/Imports.tsx'), 'Imports'),
)
const newImport = ofAccount(
  'imports/new',
  lazyRouteComponent(() => import('./pages/imports/NewImport.tsx'), 'NewImport'),
)
const oneImport = ofAccount(
  'imports/$import',
  lazyRouteComponent(() => import('./pages/imports/Import.tsx'), 'Import'),
)
const allTrials = listOfAccount(
  'trials',
  lazyRouteComponent(() => import('./pages/trials/Trials.tsx'), 'Trials'),
)
const allDisputes = listOfAccount(
  'disputes',
  lazyRouteComponent(() => import('./pages/disputes/Disputes.tsx'), 'Disputes'),
)
const taxes = ofAccount(
  'taxes',
  lazyRouteComponent(() => import('./pages/taxes/Taxes.tsx'), 'Taxes'),
)
const bankAccounts = ofAccount(
  'bank-accounts',
  lazyRouteComponent(() => import('./pages/bank/BankAccounts.tsx'), 'BankAccounts'),
)
const stores = listOfAccount(
  'stores',
  lazyRouteComponent(() => import('./pages/stores/Stores.tsx'), 'Stores'),
)
const store = ofAccount(
  'stores/$store',
  lazyRouteComponent(() => import('./pages/stores/Store.tsx'), 'Store'),
)

/** Pages for whoever is not signed in. */
export const signedOutPages = [signIn, forgotten] as const

/** Pages about an account, over all of its products. */
export const accountPages = [
  home,
  products,
  tokens,
  team,
  profile,
  audit,
  server,
  exports,
  wholeAccount,
  imports,
  newImport,
  oneImport,
  allTrials,
  allDisputes,
  taxes,
  bankAccounts,
  stores,
  store,
] as const
