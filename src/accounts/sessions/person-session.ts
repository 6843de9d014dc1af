import type { ReadContext } from '../../context.ts'
import { GROUPS, RIGHTS, type Group, type Role } from '../../access/roles.ts'
import { sessionEnded } from '../../http/session.ts'
import type { Scope } from '../../access/scope.ts'
import { csrfValue } from '../../http/csrf.ts'
import type { DeveloperRow } from '../developers/developer.entity.ts'
import { type PersonSession, presentDeveloper } from '../developers/schema.ts'
import { findOwnSession, listTeamsOf } from './session-queries.ts'
import { findDeveloper } from './session-rows.ts'

type Account = PersonSession['accounts'][number]
type Owner = Pick<DeveloperRow, 'id' | 'first' | 'last' | 'email' | 'public_key'>

/** Who is logged in, and what the person may do in each account it has: its own first, then those of its teams. */
export async function getPersonSession(ctx: ReadContext, { actor }: Scope): Promise<PersonSession> {
  const session = await findOwnSession(ctx.db, actor.sessionId ?? 0)
  const person = await findDeveloper(ctx.db, actor.id)
  if (!session || !person) throw sessionEnded()
  const teams = await listTeamsOf(ctx.db, person.id)
  return {
    person: presentDeveloper(person),
    accounts: [
      accountOf(person, 'admin', false),
      ...teams.map((team) => accountOf(team, team.role, team.can_refund)),
    ],
    expires: Math.ceil((session.expires_at - ctx.clock.real()) / 1000),
    csrf_token: csrfValue(ctx, 'session', session.token_hash),
  }
}

function accountOf({ id, first, last, email, public_key }: Owner, role: Role, canRefund: boolean): Account {
  const name = `${first} ${last}`.trim()
  return {
    developer_id: String(id),
    name: name === '' ? email : name,
    role,
    public_key,
    rights: rightsOf(role, canRefund),
  }
}

/** What a role may do with each group, what it was given among it. */
function rightsOf(role: Role, canRefund: boolean): Account['rights'] {
  const given = canRefund ? 'write' : 'none'
  const rights = (Object.keys(GROUPS) as Group[]).map((group) => {
    const right = RIGHTS[role][group]
    return [group, right === 'given' ? given : right]
  })
  return Object.fromEntries(rights)
}
