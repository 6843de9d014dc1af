import type { Member, RoleRights } from '../../../../src/accounts/team/member-schema.ts'
import { texts } from '../../texts/texts.ts'

export type Role = Member['role']
export const ROLES: readonly Role[] = ['admin', 'developer', 'support', 'accountant']

export const roleText = (role: Role): string => texts.roles[role]

/** What a group of operations is called. */
export const groupText = (group: string): string =>
  (texts.groups as Readonly<Record<string, string>>)[group] ?? group

type Right = RoleRights['rights'][string]

export const rightText = (right: Right): string => texts.rightsOfRole[right]
