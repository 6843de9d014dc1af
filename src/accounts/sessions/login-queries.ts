import { sql } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { columnHasCome, dueWithin } from '../../db/has-come.ts'
import { unscoped } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

const BEFORE = 'nobody is logged in yet'

/**
 * The person of this address with its role in an account's team; null role for its own account, or none, or an
 * invitation that it did not accept.
 */
export const findSignIn = (db: Reader, emailFolded: string, developerId: number) =>
  unscoped(db, BEFORE)
    .selectFrom('developers')
    .leftJoin('members', (join) =>
      join
        .onRef('members.person_id', '=', 'developers.id')
        .on('members.developer_id', '=', developerId)
        .on('members.accepted_at', 'is not', null),
    )
    .select(['developers.id', 'developers.password_hash', 'members.role'])
    .where('developers.email_folded', '=', emailFolded)
    .executeTakeFirst()

/** What a mailed link to log in depends on. */
export const findLinkState = (db: Reader, personId: number) =>
  unscoped(db, BEFORE)
    .selectFrom('developers')
    .select(['id', 'email', 'first', 'last', 'language', 'password_hash', 'last_login_at'])
    .where('id', '=', personId)
    .executeTakeFirst()

export const deleteFailures = (db: Writer, key: string) =>
  unscoped(db, BEFORE).deleteFrom('login_failures').where('key', '=', key).execute()

/** Deletes some failures, and those whose key begins so; no wildcard stands in `prefix`. */
export const deleteFailuresOf = (
  db: Writer,
  { keys, prefix }: { readonly keys: readonly string[]; readonly prefix: string },
) =>
  unscoped(db, BEFORE)
    .deleteFrom('login_failures')
    .where((or) => or.or([or('key', 'in', keys), or('key', 'like', `${prefix}%`)]))
    .execute()

/** Whether the person has logged in from this address before. */
export async function isKnownAddress(db: Reader, personId: number, address: string): Promise<boolean> {
  const row = await unscoped(db, BEFORE)
    .selectFrom('login_addresses')
    .select('last_at')
    .where('person_id', '=', personId)
    .where('address', '=', address)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether it is known from where the person has logged in before. */
export async function hasAddresses(db: Reader, personId: number): Promise<boolean> {
  const row = await unscoped(db, BEFORE)
    .selectFrom('login_addresses')
    .select('last_at')
    .where('person_id', '=', personId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const rememberAddress = (
  db: Writer,
  row: { readonly person_id: number; readonly address: string; readonly last_at: number },
) =>
  db
    .insertInto('login_addresses')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['person_id', 'address']).doUpdateSet({ last_at: row.last_at }),
    )
    .execute()

export const findFailures = (db: Reader, key: string) =>
  unscoped(db, BEFORE)
    .selectFrom('login_failures')
    .select(['failures', 'last_at'])
    .where('key', '=', key)
    .executeTakeFirst()

/**
 * Adds `failures` (0 only asks) unless `most` of them stand, the last in the time before `now`; false when they do.
 * One statement, so that of any number of attempts at once no more than `most` are let through.
 */
export async function countFailures(
  db: Writer,
  {
    key,
    failures,
    most,
    now,
    windowMs,
  }: Record<'failures' | 'most' | 'now' | 'windowMs', number> & { key: string },
): Promise<boolean> {
  const isOver = columnHasCome('login_failures.last_at', dueWithin(now - windowMs, windowMs))
  const { rows } = await sql`
    insert into login_failures (key, failures, last_at) values (${key}, ${failures}, ${now})
    on conflict (key) do update set
      failures = excluded.failures
        + case when ${isOver} then 0 else login_failures.failures end,
      last_at = case when excluded.failures = 0 then login_failures.last_at else excluded.last_at end
    where ${isOver} or login_failures.failures < ${most}
    returning key`.execute(db)
  return rows.length === 1
}

/** A user of a developer's account with its password. */
export const findUserSignIn = (db: Reader, developerId: number, emailFolded: string) =>
  unscoped(db, BEFORE)
    .selectFrom('users')
    .select(['id', 'email', 'first', 'last', 'picture', 'is_verified', 'created', 'password_hash'])
    .where('developer_id', '=', developerId)
    .where('email_folded', '=', emailFolded)
    .executeTakeFirst()

export const findSecretKey = (db: Reader, developerId: number) =>
  unscoped(db, BEFORE)
    .selectFrom('developers')
    .select(['id', 'secret_key'])
    .where('id', '=', developerId)
    .executeTakeFirst()

export async function isStoreOf(db: Reader, storeId: number, developerId: number): Promise<boolean> {
  const row = await unscoped(db, BEFORE)
    .selectFrom('stores')
    .select('id')
    .where('id', '=', storeId)
    .where('developer_id', '=', developerId)
    .executeTakeFirst()
  return row !== undefined
}

/** Notes the login of a user, as `updateSignedIn`; `passwordHash` null where another vouched for the person. */
export async function updateUserSignedIn(
  db: Writer,
  user: { readonly id: number; readonly passwordHash: string | null },
  change: { readonly last_login_at: UtcTime; readonly password_hash?: string },
): Promise<boolean> {
  let update = unscoped(db, 'the person whose password was checked')
    .updateTable('users')
    .set(change)
    .where('id', '=', user.id)
  if (user.passwordHash !== null) update = update.where('password_hash', '=', user.passwordHash)
  const { numUpdatedRows } = await update.executeTakeFirst()
  return numUpdatedRows === 1n
}
