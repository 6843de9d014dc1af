import { holds, lackingRight, type Limited } from '../access/rights.ts'
import { partsOf, type Access } from '../access/roles.ts'
import type { AnyOperation } from './operation.ts'
import type { Scope } from '../access/scope.ts'

type Needing = Pick<AnyOperation, 'access'>

/** Whether who has this role, or a token of these rights, may call an operation. */
export const isAllowed = (limited: Limited, op: Needing): boolean =>
  accessesOf(op).every((access) => holds(limited, access))

/**
 * 401 `role_not_allowed` for a person of the account whose role the operation is not for, `token_not_allowed` for a
 * token that was not given the right.
 */
export function requireRight({ actor }: Scope, op: Needing & Pick<AnyOperation, 'kind'>): void {
  // Most callers are limited by nothing.
  if ((actor.role === undefined && actor.rights === undefined) || isAllowed(actor, op)) return
  const groups = accessesOf(op).map((access) => partsOf(access)[0])
  throw lackingRight(actor, `${op.kind} ${groups.join(' and ')}`)
}

/**
 * Refuses who asks, by an argument of an operation that it may call, for what it may not read or write.
 */
export function requireAccess({ actor }: Scope, access: Access): void {
  if (holds(actor, access)) return
  const [group, way] = partsOf(access)
  throw lackingRight(actor, `${way} ${group}`)
}

const accessesOf = ({ access }: Needing): readonly Access[] =>
  access === 'everybody' ? [] : typeof access === 'string' ? [access] : access
