import { unauthorized } from '../lib/errors.ts'
import { hasAccess, partsOf, type Access, type Role } from '../access/roles.ts'
import type { AnyOperation } from './operation.ts'
import type { Scope } from '../access/scope.ts'

type Needing = Pick<AnyOperation, 'access'>

/** Whether a person of this role may call an operation; `canRefund`: it was given the right to refund. */
export function isAllowed(role: Role, op: Needing, canRefund = false): boolean {
  return accessesOf(op).every((access) => hasAccess(role, access, canRefund))
}

/** 401 `role_not_allowed` for a person of the account whose role the operation is not for. */
export function requireRole(
  { actor: { role, canRefund } }: Scope,
  op: Needing & Pick<AnyOperation, 'kind'>,
): void {
  if (role === undefined || isAllowed(role, op, canRefund)) return
  const groups = accessesOf(op).map((access) => partsOf(access)[0])
  throw lacking(role, `${op.kind} ${groups.join(' and ')}`)
}

/**
 * 401 `role_not_allowed` for a person of the account who asks, by an argument of an operation that its role may call,
 * for what its role may not read or write.
 */
export function requireAccess({ actor: { role } }: Scope, access: Access): void {
  if (role === undefined || hasAccess(role, access)) return
  const [group, way] = partsOf(access)
  throw lacking(role, `${way} ${group}`)
}

const accessesOf = ({ access }: Needing): readonly Access[] =>
  access === 'everybody' ? [] : typeof access === 'string' ? [access] : access

const lacking = (role: Role, right: string) =>
  unauthorized('role_not_allowed', `The role ${role} lacks the right to ${right}.`)
