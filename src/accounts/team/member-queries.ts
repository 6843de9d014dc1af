import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { type Owner, scoped, scopedWrite, unscoped } from '../../db/scoped.ts'
import type { MemberInvitationsTable } from '../../db/tables/accounts.ts'
import type { Role } from '../../access/roles.ts'
import type { MemberRow } from './member-schema.ts'
import type { UtcTime } from '../../lib/time.ts'

const BY_TOKEN = 'the token names the invitation'

interface Page {
  readonly count: number
  readonly offset: number
}

const members = (db: Reader, owner: Owner) =>
  scoped(db, 'members', owner)
    .select()
    .innerJoin('developers', 'developers.id', 'members.person_id')
    .select([
      'members.id',
      'members.role',
      'members.can_refund',
      'members.created',
      'members.updated',
      'members.invited_email',
      'members.invited_first',
      'members.invited_last',
      'members.accepted_at',
      'developers.email',
      'developers.first',
      'developers.last',
      'developers.picture',
    ])

/** In the order in which they were invited: an account has few. */
export const listMembers = (db: Reader, owner: Owner, { count, offset }: Page) =>
  members(db, owner).orderBy('members.id').limit(count).offset(offset).execute()

export const findMember = (db: Reader, owner: Owner, id: number) =>
  members(db, owner).where('members.id', '=', id).executeTakeFirst()

/** Makes whoever was invited a member; false when it is one, or is invited no more. One statement. */
export async function acceptMembership(
  db: Writer,
  developerId: number,
  personId: number,
  now: UtcTime,
): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, BY_TOKEN)
    .updateTable('members')
    .set({ accepted_at: now, updated: now })
    .where('developer_id', '=', developerId)
    .where('person_id', '=', personId)
    .where('accepted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Writes the role of a member, and what it may beside it. */
export const updateRole = (
  db: Writer,
  owner: Owner,
  id: number,
  change: Pick<MemberRow, 'role' | 'can_refund' | 'updated'>,
) => scopedWrite(db, 'members', owner).update().set(change).where('members.id', '=', id).execute()

/** Takes a person out of the team, with the access tokens it took there; its former role, or undefined. */
export async function deleteMember(db: Writer, owner: Owner, id: number): Promise<Role | undefined> {
  const deleted = await scopedWrite(db, 'members', owner)
    .delete()
    .where('members.id', '=', id)
    .returning(['members.person_id', 'members.role'])
    .executeTakeFirst()
  if (!deleted) return undefined
  await unscoped(db, 'the tokens of this account alone')
    .deleteFrom('access_tokens')
    .where('person_id', '=', deleted.person_id)
    .where('developer_id', '=', owner.developerId)
    .execute()
  return deleted.role
}

export const findPersonByEmail = (db: Reader, emailFolded: string) =>
  unscoped(db, 'an address has one account on the whole server')
    .selectFrom('developers')
    .select(['id', 'email', 'first', 'last', 'language'])
    .where('email_folded', '=', emailFolded)
    .executeTakeFirst()

/** The title of the store that a developer has had the longest. */
export const findFirstTitle = (db: Reader, owner: Owner) =>
  scoped(db, 'stores', owner).select().select('stores.title').orderBy('id').limit(1).executeTakeFirst()

export const insertInvitation = (db: Writer, row: Insertable<MemberInvitationsTable>) =>
  db.insertInto('member_invitations').values(row).execute()

/** An invitation that can still be used, with who invites and who is invited and may accept. */
export const findInvitation = (db: Reader, tokenHash: string, now: UtcTime) =>
  unscoped(db, BY_TOKEN)
    .selectFrom('member_invitations')
    .innerJoin('members', (join) =>
      join
        .onRef('members.developer_id', '=', 'member_invitations.developer_id')
        .onRef('members.person_id', '=', 'member_invitations.person_id')
        .on('members.accepted_at', 'is', null),
    )
    .innerJoin('developers as person', 'person.id', 'member_invitations.person_id')
    .innerJoin('developers as account', 'account.id', 'member_invitations.developer_id')
    .select([
      'member_invitations.developer_id',
      'member_invitations.person_id',
      'person.email',
      'person.password_hash',
      'account.email as account_email',
      'account.first as account_first',
      'account.last as account_last',
    ])
    .where('member_invitations.token_hash', '=', tokenHash)
    .where('member_invitations.used_at', 'is', null)
    .where('member_invitations.expires_at', '>', now)
    .executeTakeFirst()

/** Gives a person its first password; false when it has one. One statement, so one of many links does it. */
export async function setFirstPassword(
  db: Writer,
  personId: number,
  { passwordHash, now }: { readonly passwordHash: string; readonly now: UtcTime },
): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, BY_TOKEN)
    .updateTable('developers')
    .set({ password_hash: passwordHash, is_verified: true, updated: now })
    .where('id', '=', personId)
    .where('password_hash', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Uses up every invitation of a person into a team. */
export const useInvitations = (db: Writer, developerId: number, personId: number, now: UtcTime) =>
  unscoped(db, BY_TOKEN)
    .updateTable('member_invitations')
    .set({ used_at: now })
    .where('developer_id', '=', developerId)
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .execute()
