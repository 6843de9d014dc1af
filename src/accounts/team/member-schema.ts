import { Type, type Static } from '../../lib/type.ts'
import type { Selectable } from 'kysely'
import type { MembersTable } from '../../db/tables/accounts.ts'
import type { DevelopersTable } from '../../db/tables/developers.ts'
import { Arguments, Choice, Id, IdText, Nullable, Optional, Text, Time } from '../../http/wire.ts'
import { RIGHTS, ROLES } from '../../access/roles.ts'

export type MemberRow = Omit<Selectable<MembersTable>, 'developer_id' | 'person_id'> &
  Pick<Selectable<DevelopersTable>, 'email' | 'first' | 'last' | 'picture'>

const Role = Choice(ROLES)

export const Member = Type.Object(
  {
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    email: Type.String(),
    first: Type.String(),
    last: Type.String(),
    picture: Type.String(),
    role: Role,
    can_refund: Type.Boolean({ description: 'Of support: may give payments back (`docs/roles.md`).' }),
    is_invited: Type.Boolean({ description: 'Has not accepted the invitation yet.' }),
  },
  { title: 'TeamMember' },
)
export type Member = Static<typeof Member>

/** Row → wire. Of who is only invited it shows what was typed, so that nobody learns whom an address belongs to. */
export const presentMember = (row: MemberRow): Member => {
  const isInvited = row.accepted_at === null
  return {
    id: String(row.id),
    created: row.created,
    updated: row.updated,
    email: isInvited ? row.invited_email : row.email,
    first: isInvited ? row.invited_first : row.first,
    last: isInvited ? row.invited_last : row.last,
    picture: isInvited ? '' : row.picture,
    role: row.role,
    can_refund: row.can_refund,
    is_invited: isInvited,
  }
}

export const RoleRights = Type.Object(
  {
    role: Role,
    rights: Type.Record(Type.String(), Choice(['none', 'read', 'write', 'given']), {
      description:
        'Group of operations → what the role may do with it; `given`: writing, where a member was given it.',
    }),
  },
  { title: 'RoleRights' },
)
export type RoleRights = Static<typeof RoleRights>

/** Every role with what it may. */
export const presentRoles = (): RoleRights[] => ROLES.map((role) => ({ role, rights: { ...RIGHTS[role] } }))

export const MemberId = Arguments({ member_id: Id('ID of the member.') })

const CanRefund = Optional(
  Type.Boolean({ description: 'Whether a member of support may give payments back; default: no.' }),
)

export const NewMember = Arguments({
  email: Text({ format: 'email', max: 254 }),
  role: Role,
  can_refund: CanRefund,
  first: Optional(Text()),
  last: Optional(Text()),
})
export type NewMember = Static<typeof NewMember>

export const MemberChange = Arguments({ role: Role, can_refund: CanRefund })
export type MemberChange = Static<typeof MemberChange>
