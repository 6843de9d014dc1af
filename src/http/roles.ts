import { unauthorized } from '../lib/errors.ts'
import type { Role } from '../lib/roles.ts'
import type { AnyOperation } from './operation.ts'
import type { Scope } from './scope.ts'

/** What operations are about, as far as roles tell them apart, with what each group is for. */
export const GROUPS = {
  open: 'What nobody need be logged in for',
  own: "One's own login: session, password, two-factor, access token",
  catalogue: 'Stores, products, plans, prices, features, add-ons, bundles, coupons, reviews',
  deployments: 'Versions: upload, release, download',
  customers: 'Users, their billing addresses, carts, portal links',
  licenses: 'Licenses, installs, trials',
  notes: 'Notes on an entity',
  sales: 'Payments, invoices, subscriptions',
  events: 'The event log',
  tokens: 'API tokens of a product, the keys that sign its license files',
  members: 'The team and its roles',
  'bank account': 'Where the account is paid out to',
} as const
export type Group = keyof typeof GROUPS

/** The group of an operation by the beginning of its id; the longest that fits counts. */
const GROUP_OF: Readonly<Record<string, Group>> = {
  'addons/': 'catalogue',
  'carts/': 'customers',
  'coupons/': 'catalogue',
  'coupons/create-note': 'notes',
  'coupons/delete-note': 'notes',
  'coupons/retrieve-note': 'notes',
  'coupons/update-note': 'notes',
  'deployments/': 'deployments',
  'developers/add-team-member': 'members',
  'developers/log-in': 'open',
  'developers/retrieve-bank-account': 'bank account',
  'events/': 'events',
  'installations/': 'licenses',
  'installations/list-payments': 'sales',
  'installations/list-updates': 'deployments',
  'installations/retrieve-latest-update': 'deployments',
  'keywright/add-member': 'members',
  'keywright/advance-sandbox-clock': 'catalogue',
  'keywright/change-password': 'own',
  'keywright/activate-license': 'licenses',
  'keywright/add-license-site': 'licenses',
  'keywright/ask-for-owner': 'licenses',
  'keywright/confirm-two-factor': 'own',
  'keywright/coupons-of-': 'catalogue',
  'keywright/create-api-token': 'tokens',
  'keywright/create-addon-install': 'licenses',
  'keywright/create-user-installs': 'licenses',
  'keywright/create-bank-account': 'bank account',
  'keywright/create-feature': 'catalogue',
  'keywright/create-license-file': 'licenses',
  'keywright/create-product': 'catalogue',
  'keywright/white-label-license': 'licenses',
  'keywright/write-setting': 'catalogue',
  'keywright/create-store-product': 'catalogue',
  'keywright/delete-store': 'catalogue',
  'keywright/deactivate-license': 'licenses',
  'keywright/delete-user-installs': 'licenses',
  'keywright/developer-token': 'own',
  'keywright/list-addon-pricing': 'catalogue',
  'keywright/list-api-tokens': 'tokens',
  'keywright/list-bank-accounts': 'bank account',
  'keywright/list-bundle-members': 'catalogue',
  'keywright/list-license-keys': 'licenses',
  'keywright/list-license-owners': 'licenses',
  'keywright/list-license-sites': 'licenses',
  'keywright/list-members': 'members',
  'keywright/list-parent-licenses': 'licenses',
  'keywright/list-products': 'catalogue',
  'keywright/list-sandbox-timeline': 'catalogue',
  'keywright/list-settings': 'catalogue',
  'keywright/list-store-products': 'catalogue',
  'keywright/list-stores': 'catalogue',
  'keywright/log-in-user': 'open',
  'keywright/log-out': 'own',
  'keywright/open-checkout': 'open',
  'keywright/pay-checkout': 'open',
  'keywright/ping': 'open',
  'keywright/retrieve-checkout': 'open',
  'keywright/update-checkout': 'open',
  'keywright/record-install-event': 'licenses',
  'keywright/migrate-license': 'licenses',
  'keywright/refund-payment': 'sales',
  'keywright/remove-feature-value': 'catalogue',
  'keywright/remove-license-site': 'licenses',
  'keywright/remove-member': 'members',
  'keywright/remove-two-factor': 'own',
  'keywright/retrieve-addon-pricing': 'catalogue',
  'keywright/retrieve-sandbox-clock': 'catalogue',
  'keywright/retrieve-session': 'own',
  'keywright/retrieve-store': 'catalogue',
  'keywright/retrieve-tax-settings': 'sales',
  'keywright/revoke-api-token': 'tokens',
  'keywright/rotate-license-keys': 'tokens',
  'keywright/set-feature-value': 'catalogue',
  'keywright/set-up-two-factor': 'own',
  'keywright/switch-cart-recovery': 'customers',
  'keywright/update-bank-account': 'bank account',
  'keywright/update-bundle-members': 'catalogue',
  'keywright/update-info': 'catalogue',
  'keywright/update-member': 'members',
  'keywright/update-store': 'catalogue',
  'keywright/update-tax-settings': 'sales',
  'keywright/update-user-installs': 'licenses',
  'keywright/update-user-permissions': 'licenses',
  'licenses/': 'licenses',
  'licenses/cancel-current-subscription': 'sales',
  'licenses/list-subscriptions': 'sales',
  'licenses/retrieve-latest-subscription': 'sales',
  'payments/': 'sales',
  'plans/': 'catalogue',
  'plans/create-license': 'licenses',
  'products/': 'catalogue',
  'products/skip-account-connection': 'licenses',
  'products/generate-portal-login-link': 'customers',
  'reviews/': 'catalogue',
  'subscriptions/': 'sales',
  'trials/': 'licenses',
  'users/': 'customers',
  'users/download-invoice': 'sales',
  'users/list-events': 'events',
  'users/list-licenses': 'licenses',
  'users/list-installs': 'licenses',
  'users/list-payments': 'sales',
  'users/list-subscriptions': 'sales',
}

/** `write` includes reading. */
export type Right = 'none' | 'read' | 'write'

/** What each role may do with each group of operations; docs/roles.md shows it. */
export const RIGHTS: Readonly<Record<Role, Readonly<Record<Group, Right>>>> = {
  admin: {
    open: 'write',
    own: 'write',
    catalogue: 'write',
    deployments: 'write',
    customers: 'write',
    licenses: 'write',
    notes: 'write',
    sales: 'write',
    events: 'write',
    tokens: 'write',
    members: 'write',
    'bank account': 'write',
  },
  developer: {
    open: 'write',
    own: 'write',
    catalogue: 'write',
    deployments: 'write',
    customers: 'read',
    licenses: 'read',
    notes: 'write',
    sales: 'none',
    events: 'write',
    tokens: 'read',
    members: 'none',
    'bank account': 'none',
  },
  support: {
    open: 'write',
    own: 'write',
    catalogue: 'read',
    deployments: 'read',
    customers: 'write',
    licenses: 'write',
    notes: 'write',
    sales: 'read',
    events: 'read',
    tokens: 'none',
    members: 'none',
    'bank account': 'none',
  },
  accountant: {
    open: 'write',
    own: 'write',
    catalogue: 'read',
    deployments: 'read',
    customers: 'read',
    licenses: 'read',
    notes: 'read',
    sales: 'write',
    events: 'read',
    tokens: 'none',
    members: 'none',
    'bank account': 'write',
  },
}

/** The group of an operation; undefined when the table has none for it, and then only an admin may call it. */
export function groupOf(id: string): Group | undefined {
  const fitting = Object.keys(GROUP_OF).filter((beginning) => id.startsWith(beginning))
  const [longest] = fitting.toSorted((a, b) => b.length - a.length)
  return longest === undefined ? undefined : GROUP_OF[longest]
}

/** Whether a person of this role may call an operation. */
export function isAllowed(role: Role, { id, kind }: Pick<AnyOperation, 'id' | 'kind'>): boolean {
  if (role === 'admin') return true
  const group = groupOf(id)
  if (group === undefined) return false
  const right = RIGHTS[role][group]
  return right === 'write' || (right === 'read' && kind === 'read')
}

/** 401 `role_not_allowed` for a person of the account whose role the operation is not for. */
export function requireRole({ actor: { role } }: Scope, op: AnyOperation): void {
  if (role === undefined || isAllowed(role, op)) return
  throw unauthorized('role_not_allowed', `The role ${role} may not do this.`)
}
