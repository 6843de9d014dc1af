/** What a member of a developer's team is there for (contract, Member.role). */
export const ROLES = ['admin', 'developer', 'support', 'accountant'] as const
export type Role = (typeof ROLES)[number]

/** What operations are about, as far as roles tell them apart, with what each group is for. */
export const GROUPS = {
  own: "One's own login: session, password, two-factor, access token",
  catalogue: 'Stores, products, plans, prices, features, add-ons, bundles, coupons, reviews',
  deployments: 'Versions: upload, release, download',
  customers: 'Users, their billing addresses, carts, portal links',
  licenses: 'Licenses, installs, trials',
  notes: 'Notes on an entity',
  sales: 'Payments, invoices, subscriptions',
  refunds: 'Give a payment back',
  events: 'The event log and who is told of it',
  tokens:
    'API tokens of a product, the keys that sign its license files; keys of developer, store and product; tokens and links that open a checkout as a customer',
  members: 'The team and its roles',
  'bank account': 'Where the account is paid out to',
} as const
export type Group = keyof typeof GROUPS

/** What an operation asks of a role: the right to read, or to write, what its group is about. */
export type WriteAccess = `${Group}.write`
export type Access = `${Group}.read` | WriteAccess

/** `write` includes reading; `given`: writing, for a member who was given it (`can_refund`). */
export type Right = 'none' | 'read' | 'write' | 'given'

/** What each role may do with each group of operations; docs/roles.md shows it. */
export const RIGHTS: Readonly<Record<Role, Readonly<Record<Group, Right>>>> = {
  admin: {
    own: 'write',
    catalogue: 'write',
    deployments: 'write',
    customers: 'write',
    licenses: 'write',
    notes: 'write',
    sales: 'write',
    refunds: 'write',
    events: 'write',
    tokens: 'write',
    members: 'write',
    'bank account': 'write',
  },
  developer: {
    own: 'write',
    catalogue: 'write',
    deployments: 'write',
    customers: 'read',
    licenses: 'read',
    notes: 'write',
    sales: 'none',
    refunds: 'none',
    events: 'write',
    tokens: 'read',
    members: 'none',
    'bank account': 'none',
  },
  support: {
    own: 'write',
    catalogue: 'read',
    deployments: 'read',
    customers: 'write',
    licenses: 'write',
    notes: 'write',
    sales: 'read',
    refunds: 'given',
    events: 'read',
    tokens: 'none',
    members: 'none',
    'bank account': 'none',
  },
  accountant: {
    own: 'write',
    catalogue: 'read',
    deployments: 'read',
    customers: 'read',
    licenses: 'read',
    notes: 'read',
    sales: 'write',
    refunds: 'write',
    events: 'read',
    tokens: 'none',
    members: 'none',
    'bank account': 'write',
  },
}

/** Whether a role has what an operation asks of it; `canRefund`: its member was given the right to refund. */
export function hasAccess(role: Role, access: Access, canRefund = false): boolean {
  const [group, way] = partsOf(access)
  const right = RIGHTS[role][group]
  if (right === 'given') return canRefund
  return right === 'write' || right === way
}

/** The group of an access, and whether it is to read or to write. */
export const partsOf = (access: Access) => access.split('.') as [group: Group, way: 'read' | 'write']
