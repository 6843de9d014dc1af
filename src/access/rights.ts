import { GROUPS, hasAccess, partsOf, type Access, type Group, type Role } from './roles.ts'
import { unauthorized, type ApiError } from '../lib/errors.ts'

/** What limits a caller: its role in the team, or what its token was narrowed to; neither: it may do everything. */
export interface Limited {
  readonly role?: Role
  readonly canRefund?: boolean
  /** What a token was narrowed to; to write includes reading. */
  readonly rights?: readonly Access[]
}

/** Whether a caller has the right that something needs. */
export function holds({ role, canRefund, rights }: Limited, access: Access): boolean {
  if (rights !== undefined) return includesAccess(rights, access)
  return role === undefined || hasAccess(role, access, canRefund)
}

/** Whether a caller may do less than the account itself. */
export const isBelowAccount = ({ role, rights }: Limited): boolean =>
  rights !== undefined || (role !== undefined && role !== 'admin')

/** The refusal of a caller for what limits it: 401 `token_not_allowed` where its token does, else `role_not_allowed`. */
export const notAllowed = ({ rights }: Limited, message: string): ApiError =>
  unauthorized(rights === undefined ? 'role_not_allowed' : 'token_not_allowed', message)

/** The refusal of a caller, as `notAllowed`, for a right that it lacks; `right` says which: `write sales`. */
export const lackingRight = (limited: Limited, right: string): ApiError => {
  const whose = limited.rights === undefined ? `The role ${limited.role}` : 'The token'
  return notAllowed(limited, `${whose} lacks the right to ${right}.`)
}

/** Whether rights have another one; to write a group is to read it too. */
export function includesAccess(rights: readonly Access[], access: Access): boolean {
  const [group, way] = partsOf(access)
  return rights.includes(access) || (way === 'read' && rights.includes(`${group}.write`))
}

/** The groups that a token may be given rights on: a login is of a person alone. */
export const TOKEN_GROUPS = (Object.keys(GROUPS) as Group[]).filter((group) => group !== 'own')

const EVERY: readonly Access[] = TOKEN_GROUPS.flatMap((group) => [`${group}.read`, `${group}.write`] as const)

/** `licenses.write, sales.read` → both, each once; null where something in it is no right. */
export function parseRights(text: string): Access[] | null {
  const names = new Set(text.split(',').map((name) => name.trim()))
  const rights = EVERY.filter((access) => names.has(access))
  return names.size === rights.length ? rights : null
}

/** As the table keeps rights, and back. */
export const storedRights = (rights: readonly Access[] | null): string | null => rights?.join(',') ?? null
export const rightsIn = (text: string | null): Access[] | null =>
  text === null ? null : (parseRights(text) ?? [])
