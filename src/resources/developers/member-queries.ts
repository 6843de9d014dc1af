import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { type Owner, scoped, scopedWrite, unscoped } from '../../db/scoped.ts'
import type { MemberInvitationsTable, MembersTable } from '../../db/tables/accounts.ts'
import type { Role } from '../../lib/roles.ts'
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
      'developers.id',
      'developers.email',
      'developers.first',
      'developers.last',
      'developers.picture',
      'developers.password_hash',
      'members.role',
      'members.created',
      'members.updated',
    ])

/** In the order of their ids: an account has few. */
export const listMembers = (db: Reader, owner: Owner, { count, offset }: Page) =>
  members(db, owner).orderBy('members.person_id').limit(count).offset(offset).execute()

export const findMember = (db: Reader, owner: Owner, personId: number) =>
  members(db, owner).where('members.person_id', '=', personId).executeTakeFirst()

/** False when the person is in the team already. */
export async function insertMember(db: Writer, row: Insertable<MembersTable>): Promise<boolean> {
  const written = await db
    .insertInto('members')
    .values(row)
    .onConflict((conflict) => conflict.columns(['developer_id', 'person_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return written !== undefined
}

/** False when there is no such member, or it has this role already. */
export async function updateRole(
  db: Writer,
  owner: Owner,
  { personId, role, now }: { readonly personId: number; readonly role: Role; readonly now: UtcTime },
): Promise<boolean> {
  const { numUpdatedRows } = await scopedWrite(db, 'members', owner)
    .update()
    .set({ role, updated: now })
    .where('person_id', '=', personId)
    .where('role', '<>', role)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Takes a person out of the team, with the access tokens it took there; its former role, or undefined. */
export async function deleteMember(db: Writer, owner: Owner, personId: number): Promise<Role | undefined> {
  const deleted = await scopedWrite(db, 'members', owner)
    .delete()
    .where('person_id', '=', personId)
    .returning('role')
    .executeTakeFirst()
  await unscoped(db, 'the tokens of this account alone')
    .deleteFrom('access_tokens')
    .where('person_id', '=', personId)
    .where('developer_id', '=', owner.developerId)
    .execute()
  return deleted?.role
}

export const findPersonByEmail = (db: Reader, emailFolded: string) =>
  unscoped(db, 'an address has one account on the whole server')
    .selectFrom('developers')
    .select(['id', 'email', 'first', 'last', 'password_hash'])
    .where('email_folded', '=', emailFolded)
    .executeTakeFirst()

export const insertInvitation = (db: Writer, row: Insertable<MemberInvitationsTable>) =>
  db.insertInto('member_invitations').values(row).execute()

/** An invitation that can still be used, with who invites and who is invited. */
export const findInvitation = (db: Reader, tokenHash: string, now: UtcTime) =>
  unscoped(db, BY_TOKEN)
    .selectFrom('member_invitations')
    .innerJoin('developers as person', 'person.id', 'member_invitations.person_id')
    .innerJoin('developers as account', 'account.id', 'member_invitations.developer_id')
    .select([
      'member_invitations.id',
      'member_invitations.person_id',
      'person.email',
      'account.email as account_email',
      'account.first as account_first',
      'account.last as account_last',
    ])
    .where('member_invitations.token_hash', '=', tokenHash)
    .where('member_invitations.used_at', 'is', null)
    .where('member_invitations.expires_at', '>', now)
    .where('person.password_hash', 'is', null)
    .executeTakeFirst()

/** Gives a person its first password; false when it has one. One statement, so one of many links does it. */
export async function setFirstPassword(
  db: Writer,
  personId: number,
  { passwordHash, now }: { readonly passwordHash: string; readonly now: UtcTime },
): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, BY_TOKEN)
    .updateTable('developers')
    .set({ password_hash: passwordHash, is_verified: 1, updated: now })
    .where('id', '=', personId)
    .where('password_hash', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Uses up every invitation of a person. */
export const useInvitations = (db: Writer, personId: number, now: UtcTime) =>
  unscoped(db, BY_TOKEN)
    .updateTable('member_invitations')
    .set({ used_at: now })
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .execute()
