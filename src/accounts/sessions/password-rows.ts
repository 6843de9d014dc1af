import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

/** The hash of a person's password. */
export const findPasswordHash = (db: Reader, personId: number) =>
  unscoped(db, 'a person proves itself')
    .selectFrom('developers')
    .select(['id', 'email', 'password_hash'])
    .where('id', '=', personId)
    .executeTakeFirst()

/**
 * Writes to a person while its password is the one that was checked; false when it was changed meanwhile, or the person
 * has logged in since `lastLoginAt`, where that is given.
 * It holds the row, so that a login and a change of the password come one after the other.
 */
export async function updateSignedIn(
  db: Writer,
  person: {
    readonly id: number
    readonly passwordHash: string | null
    readonly lastLoginAt?: UtcTime | null
  },
  change: {
    readonly ip?: string | null
    readonly last_login_at?: UtcTime
    readonly password_hash?: string
    readonly updated?: UtcTime
  },
): Promise<boolean> {
  let update = unscoped(db, 'the person whose password was checked')
    .updateTable('developers')
    .set(change)
    .where('id', '=', person.id)
    .where('password_hash', person.passwordHash === null ? 'is' : '=', person.passwordHash)
  if (person.lastLoginAt !== undefined) {
    update = update.where('last_login_at', person.lastLoginAt === null ? 'is' : '=', person.lastLoginAt)
  }
  const { numUpdatedRows } = await update.executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The person of this address; undefined: there is none. */
export const findPersonByEmail = (db: Reader, emailFolded: string) =>
  unscoped(db, 'the command line names the person')
    .selectFrom('developers')
    .select('id')
    .where('email_folded', '=', emailFolded)
    .executeTakeFirst()

/** Gives the person of this address another password, whatever it was; undefined when there is none. */
export const replacePassword = (
  db: Writer,
  emailFolded: string,
  change: { readonly password_hash: string; readonly updated: UtcTime },
) =>
  unscoped(db, 'the command line names the person')
    .updateTable('developers')
    .set(change)
    .where('email_folded', '=', emailFolded)
    .returning(['id', 'email'])
    .executeTakeFirst()
