/** What a member of a developer's team is there for (contract, Member.role). */
export const ROLES = ['admin', 'developer', 'support', 'accountant'] as const
export type Role = (typeof ROLES)[number]
