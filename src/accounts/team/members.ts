import { hold } from '../../db/hold.ts'
import type { ReadContext, TxContext } from '../../context.ts'
import { requireUnlimited, type Scope } from '../../access/scope.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import { differences } from '../../lib/differences.ts'
import { invalid, invalidFields, notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import type { Role } from '../../access/roles.ts'
import { recordEvent } from '../../events/log/record.ts'
import { sendInvitation } from './invitations.ts'
import { deleteMember, findMember, findPersonByEmail, listMembers, updateRole } from './member-queries.ts'
import { insertMember } from './member-rows.ts'
import { type Member, type MemberChange, type NewMember, presentMember } from './member-schema.ts'
import { insertDeveloper } from '../developers/developer-rows.ts'

export const getMembers = async (
  { db }: ReadContext,
  scope: Scope,
  page: { readonly count: number; readonly offset: number },
): Promise<Member[]> => (await listMembers(db, scope, page)).map(presentMember)

/**
 * Invites a person to the team of the scope's account by a mail; it is a member when it accepts. An unknown
 * address gets an account of its own, and the reply does not tell whether it had one. 400
 * `member_email_taken` for the owner, a member, or who is invited already.
 */
export async function addMember(ctx: TxContext, scope: Scope, input: NewMember): Promise<Member> {
  requireUnlimited(scope, 'A member of the team')
  requireSupport(input)
  const person = await personOf(ctx, input)
  const member =
    person.id === scope.developerId
      ? undefined
      : await insertMember(ctx.db, rowOf(ctx, scope, person.id, input))
  if (!member) throw invalid('member_email_taken', 'This person is in the team already.', 'email')
  await sendInvitation(ctx, scope, person)
  await recordEvent(ctx, scope, { type: 'member.created', data: dataOf(member.id, input.role) })
  return getMember(ctx, scope, member.id)
}

const rowOf = (ctx: ReadContext, scope: Scope, personId: number, input: NewMember) => ({
  developer_id: scope.developerId,
  person_id: personId,
  role: input.role,
  can_refund: input.can_refund ?? false,
  invited_email: input.email,
  invited_first: input.first ?? '',
  invited_last: input.last ?? '',
  accepted_at: null,
  created: ctx.clock.now(),
  updated: null,
})

/** The right to refund is given to support alone: the other roles have it, or see no payments. 400 otherwise. */
function requireSupport({ role, can_refund: canRefund = false }: MemberChange): void {
  if (canRefund && role !== 'support')
    throw invalidFields([{ field: 'can_refund', message: 'is for a member whose role is support' }])
}

/**
 * Gives a member another role, and of support the right to refund, which it keeps as long as it stays with support.
 * Both hold at once. 404 when there is no such member.
 */
export async function changeRole(
  ctx: TxContext,
  scope: Scope,
  id: number,
  change: MemberChange,
): Promise<Member> {
  requireUnlimited(scope, 'The role of a member')
  requireSupport(change)
  const before = await hold(ctx.db, 'members', scope, id)
  if (!before) throw notFound('member')
  const { role, can_refund: canRefund = before.can_refund } = change
  const after = { role, can_refund: role === 'support' && canRefund }
  const changed = differences({ role: before.role, can_refund: before.can_refund }, after)
  if (changed) {
    const updated = ctx.clock.now()
    await updateRole(ctx.db, scope, id, { role, can_refund: after.can_refund, updated })
    await recordEvent(ctx, scope, { type: 'member.updated', data: { ...dataOf(id, role), ...changed } })
  }
  return getMember(ctx, scope, id)
}

/** Takes a member out of the team, who may then do nothing in it any more; 404 when there is none. */
export async function removeMember(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  const role = await deleteMember(ctx.db, scope, id)
  if (role === undefined) throw notFound('member')
  await recordEvent(ctx, scope, { type: 'member.deleted', data: dataOf(id, role) })
}

async function getMember(ctx: ReadContext, scope: Scope, id: number): Promise<Member> {
  const row = await findMember(ctx.db, scope, id)
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
    is_verified: false,
    public_key: publicKey,
    secret_key: ctx.keys.seal(secretKey, 'developers.secret_key'),
    created: ctx.clock.now(),
    updated: null,
  })
  const person = await findPersonByEmail(ctx.db, fold(email))
  if (!person) throw new Error('A person that was inserted or stood in the way is there.')
  return person
}

const dataOf = (id: number, role: Role) => ({ member_id: String(id), role })
