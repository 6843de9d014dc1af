import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../http/scope.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import type { Role } from '../../lib/roles.ts'
import { toUtcTime } from '../../lib/time.ts'
import { recordEvent } from '../events/record.ts'
import { sendInvitation } from './invitations.ts'
import {
  deleteMember,
  findMember,
  findPersonByEmail,
  insertMember,
  listMembers,
  updateRole,
} from './member-queries.ts'
import { type Member, type NewMember, presentMember } from './member-schema.ts'
import { insertDeveloper } from './queries.ts'

export const getMembers = async (
  { db }: ReadContext,
  scope: Scope,
  page: { readonly count: number; readonly offset: number },
): Promise<Member[]> => (await listMembers(db, scope, page)).map(presentMember)

/**
 * Adds a person to the team of the scope's account. An unknown address gets an account of its own without a
 * password, and a mail with a link to choose one. 400 `member_email_taken` for the owner or a member.
 */
export async function addMember(ctx: TxContext, scope: Scope, input: NewMember): Promise<Member> {
  const person = await personOf(ctx, input)
  const row = { developer_id: scope.developerId, person_id: person.id, role: input.role }
  const created = toUtcTime(ctx.clock.real())
  const isNew =
    person.id !== scope.developerId && (await insertMember(ctx.db, { ...row, created, updated: null }))
  if (!isNew) throw invalid('member_email_taken', 'This person is in the team already.')
  if (person.password_hash === null) await sendInvitation(ctx, scope, person)
  await recordEvent(ctx, scope, { type: 'member.created', data: dataOf(person.id, input.role) })
  return getMember(ctx, scope, person.id)
}

/** Gives a member another role, which holds at once; 404 when there is no such member. */
export async function changeRole(
  ctx: TxContext,
  scope: Scope,
  personId: number,
  role: Role,
): Promise<Member> {
  const now = toUtcTime(ctx.clock.real())
  if (await updateRole(ctx.db, scope, { personId, role, now })) {
    await recordEvent(ctx, scope, { type: 'member.updated', data: dataOf(personId, role) })
  }
  return getMember(ctx, scope, personId)
}

/** Takes a member out of the team, who may then do nothing in it any more; 404 when there is none. */
export async function removeMember(ctx: TxContext, scope: Scope, personId: number): Promise<void> {
  const role = await deleteMember(ctx.db, scope, personId)
  if (role === undefined) throw notFound('member')
  await recordEvent(ctx, scope, { type: 'member.deleted', data: dataOf(personId, role) })
}

async function getMember(ctx: ReadContext, scope: Scope, personId: number): Promise<Member> {
  const row = await findMember(ctx.db, scope, personId)
  if (!row) throw notFound('member')
  return presentMember(row)
}

/** The account of an address; of any number of requests for a new one, one opens it. */
async function personOf(ctx: TxContext, { email, first = '', last = '' }: NewMember) {
  const { publicKey, secretKey } = newKeyPair()
  await insertDeveloper(ctx.db, {
    email,
    email_folded: fold(email),
    first,
    last,
    password_hash: null,
    is_verified: 0,
    public_key: publicKey,
    secret_key: ctx.keys.seal(secretKey, 'developers.secret_key'),
    created: toUtcTime(ctx.clock.real()),
    updated: null,
  })
  const person = await findPersonByEmail(ctx.db, fold(email))
  if (!person) throw new Error('A person that was inserted or stood in the way is there.')
  return person
}

const dataOf = (personId: number, role: Role) => ({ member_id: String(personId), role })
