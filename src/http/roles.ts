import { unauthorized } from '../lib/errors.ts'
import { RIGHTS, type Group, type Role } from '../access/roles.ts'
import type { AnyOperation } from './operation.ts'
import type { Scope } from '../access/scope.ts'

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
  'keywright/create-sandbox-token': 'catalogue',
  'keywright/create-store': 'catalogue',
  'keywright/create-store-product': 'catalogue',
  'keywright/create-webhook': 'events',
  'keywright/delete-store': 'catalogue',
  'keywright/deactivate-license': 'licenses',
  'keywright/delete-deployment': 'deployments',
  'keywright/delete-user-installs': 'licenses',
  'keywright/delete-webhook': 'events',
  'keywright/developer-token': 'own',
  'keywright/download-addon-update': 'deployments',
  'keywright/download-product-update': 'deployments',
  'keywright/download-public-addon-update': 'deployments',
  'keywright/download-update': 'deployments',
  'keywright/list-account-events': 'events',
  'keywright/list-addon-pricing': 'catalogue',
  'keywright/list-addons-of-install': 'catalogue',
  'keywright/list-api-tokens': 'tokens',
  'keywright/list-bank-accounts': 'bank account',
  'keywright/list-bundle-members': 'catalogue',
  'keywright/list-cards': 'sales',
  'keywright/list-earnings': 'sales',
  'keywright/list-license-keys': 'licenses',
  'keywright/list-license-owners': 'licenses',
  'keywright/list-license-sites': 'licenses',
  'keywright/list-members': 'members',
  'keywright/list-mrr': 'sales',
  'keywright/list-parent-licenses': 'licenses',
  'keywright/list-products': 'catalogue',
  'keywright/list-sandbox-timeline': 'catalogue',
  'keywright/list-settings': 'catalogue',
  'keywright/list-store-products': 'catalogue',
  'keywright/list-stores': 'catalogue',
  'keywright/list-webhook': 'events',
  'keywright/log-in-user': 'open',
  'keywright/log-out': 'own',
  'keywright/locate-buyer': 'open',
  'keywright/create-note-of-license': 'notes',
  'keywright/create-note-of-payment': 'sales',
  'keywright/create-note-of-subscription': 'sales',
  'keywright/create-note-of-user': 'notes',
  'keywright/delete-note-of-license': 'notes',
  'keywright/delete-note-of-payment': 'sales',
  'keywright/delete-note-of-subscription': 'sales',
  'keywright/delete-note-of-user': 'notes',
  'keywright/retrieve-note-of-license': 'notes',
  'keywright/retrieve-note-of-payment': 'sales',
  'keywright/retrieve-note-of-subscription': 'sales',
  'keywright/retrieve-note-of-user': 'notes',
  'keywright/update-note-of-license': 'notes',
  'keywright/update-note-of-payment': 'sales',
  'keywright/update-note-of-subscription': 'sales',
  'keywright/update-note-of-user': 'notes',
  'keywright/open-checkout': 'open',
  'keywright/pay-checkout': 'open',
  'keywright/ping': 'open',
  'keywright/retrieve-affiliation': 'catalogue',
  'keywright/retrieve-addon-update': 'deployments',
  'keywright/retrieve-product-update': 'deployments',
  'keywright/retrieve-public-addon-update': 'deployments',
  'keywright/retrieve-build-report': 'deployments',
  'keywright/retrieve-card': 'sales',
  'keywright/retrieve-checkout': 'open',
  'keywright/update-checkout': 'open',
  'keywright/record-install-event': 'licenses',
  'keywright/renew-': 'tokens',
  'keywright/report-bounce': 'customers',
  'keywright/migrate-license': 'licenses',
  'keywright/refund-payment': 'refunds',
  'keywright/remove-feature-value': 'catalogue',
  'keywright/remove-license-site': 'licenses',
  'keywright/remove-member': 'members',
  'keywright/remove-two-factor': 'own',
  'keywright/resend-events': 'events',
  'keywright/retrieve-account-event': 'events',
  'keywright/retrieve-addon-pricing': 'catalogue',
  'keywright/retrieve-sandbox-clock': 'catalogue',
  'keywright/retrieve-session': 'own',
  'keywright/retrieve-store': 'catalogue',
  'keywright/retrieve-tax-settings': 'sales',
  'keywright/retrieve-webhook': 'events',
  'keywright/revoke-api-token': 'tokens',
  'keywright/rotate-license-keys': 'tokens',
  'keywright/rotate-webhook-secret': 'events',
  'keywright/set-feature-value': 'catalogue',
  'keywright/set-up-two-factor': 'own',
  'keywright/switch-cart-recovery': 'customers',
  'keywright/test-webhook': 'events',
  'keywright/update-bank-account': 'bank account',
  'keywright/update-bundle-members': 'catalogue',
  'keywright/update-info': 'catalogue',
  'keywright/update-member': 'members',
  'keywright/update-person': 'own',
  'keywright/update-store': 'catalogue',
  'keywright/update-tax-settings': 'sales',
  'keywright/update-user-installs': 'licenses',
  'keywright/update-user-permissions': 'licenses',
  'keywright/update-webhook': 'events',
  'licenses/': 'licenses',
  'licenses/cancel-current-subscription': 'sales',
  'licenses/generate-upgrade-link': 'tokens',
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
  'users/create-checkout-token': 'tokens',
  'users/download-invoice': 'sales',
  'users/list-events': 'events',
  'users/list-licenses': 'licenses',
  'users/list-installs': 'licenses',
  'users/list-payments': 'sales',
  'users/list-subscriptions': 'sales',
}

/** The group of an operation; undefined when the table has none for it, and then only an admin may call it. */
export function groupOf(id: string): Group | undefined {
  const fitting = Object.keys(GROUP_OF).filter((beginning) => id.startsWith(beginning))
  const [longest] = fitting.toSorted((a, b) => b.length - a.length)
  return longest === undefined ? undefined : GROUP_OF[longest]
}

/** Reads whose answer lets its holder write: for who may. */
const HANDS_OUT: ReadonlySet<string> = new Set(['licenses/get-review-url'])

/** What an operation writes beside what its group is about: a role needs the right to both. */
const ALSO_WRITES: Readonly<Record<string, Group>> = { 'keywright/migrate-license': 'sales' }

/** Whether a person of this role may call an operation; `canRefund`: it was given the right to refund. */
export function isAllowed(
  role: Role,
  { id, kind }: Pick<AnyOperation, 'id' | 'kind'>,
  canRefund = false,
): boolean {
  if (role === 'admin') return true
  const group = groupOf(id)
  if (group === undefined) return false
  const also = ALSO_WRITES[id]
  if (also !== undefined && RIGHTS[role][also] !== 'write') return false
  const right = RIGHTS[role][group]
  if (right === 'given') return canRefund
  return right === 'write' || (right === 'read' && kind === 'read' && !HANDS_OUT.has(id))
}

/** 401 `role_not_allowed` for a person of the account whose role the operation is not for. */
export function requireRole({ actor: { role, canRefund } }: Scope, op: AnyOperation): void {
  if (role === undefined || isAllowed(role, op, canRefund)) return
  const groups = [groupOf(op.id) ?? 'what is for admins', ALSO_WRITES[op.id] ?? []].flat()
  throw lacking(role, `${op.kind} ${groups.join(' and ')}`)
}

/**
 * 401 `role_not_allowed` for a person of the account who asks, by an argument of an operation that its role may call,
 * for a change of what its role may not write.
 */
export function requireWrite({ actor: { role } }: Scope, group: Group): void {
  if (role !== undefined && RIGHTS[role][group] !== 'write') throw lacking(role, `write ${group}`)
}

/** 401 `role_not_allowed` for a person of the account who asks by an argument for what its role may not read. */
export function requireRead({ actor: { role } }: Scope, group: Group): void {
  if (role === undefined || ['read', 'write'].includes(RIGHTS[role][group] ?? '')) return
  throw lacking(role, `read ${group}`)
}

const lacking = (role: Role, right: string) =>
  unauthorized('role_not_allowed', `The role ${role} lacks the right to ${right}.`)
