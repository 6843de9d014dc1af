import { Type, type Static } from 'typebox'
import type { Selectable } from 'kysely'
import type { MembersTable } from '../../db/tables/accounts.ts'
import type { DevelopersTable } from '../../db/tables/developers.ts'
import { Arguments, Choice, Id, IdText, Nullable, Optional, Text, Time } from '../../http/wire.ts'
import { ROLES } from '../../lib/roles.ts'

export type MemberRow = Pick<Selectable<MembersTable>, 'role' | 'created' | 'updated'> &
  Pick<Selectable<DevelopersTable>, 'id' | 'email' | 'first' | 'last' | 'picture' | 'password_hash'>

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
    is_invited: Type.Boolean({ description: 'Has not chosen a password yet.' }),
  },
  { title: 'TeamMember' },
)
export type Member = Static<typeof Member>

/** Row → wire. */
export const presentMember = (row: MemberRow): Member => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  email: row.email,
  first: row.first,
  last: row.last,
  picture: row.picture,
  role: row.role,
  is_invited: row.password_hash === null,
})

export const MemberId = Arguments({ member_id: Id('ID of the member.') })

export const NewMember = Arguments({
  email: Text({ format: 'email', max: 254 }),
  role: Role,
  first: Optional(Text()),
  last: Optional(Text()),
})
export type NewMember = Static<typeof NewMember>

export const MemberChange = Arguments({ role: Role })
