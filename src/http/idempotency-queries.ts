import { sql } from 'kysely'
import type { Reader, Writer } from '../db/database.ts'
import { columnHasCome, dueWithin } from '../db/has-come.ts'
import { unscoped } from '../db/scoped.ts'

const CLAIMED = 'a key that the request has claimed'

export interface ClaimRow {
  readonly id: number
  readonly fence: number
}

interface Claimed {
  readonly scopeHash: string
  /** Under each secret, the current one first. */
  readonly bodyHashes: readonly string[]
  readonly now: number
  readonly leaseMs: number
  readonly keptMs: number
}

/**
 * Takes the key for one holder: a row that is not there yet, or one whose lease ended without a reply, or
 * one that has expired. One statement, so of any number of requests one gets it. A reply that was stored by a clock that
 * was ahead is kept until it expires by that, as nothing is done twice (`docs/decisions.md` 5.24).
 */
export async function claimKey(
  db: Writer,
  { scopeHash, bodyHashes, now, leaseMs, keptMs }: Claimed,
): Promise<ClaimRow | undefined> {
  const isExpired = columnHasCome('idempotency_keys.expires_at', dueWithin(now, keptMs))
  const isLeft = columnHasCome('idempotency_keys.lease_until', dueWithin(now, leaseMs))
  const { rows } = await sql<ClaimRow>`
    insert into idempotency_keys
      (scope_hash, body_hash, lease_until, fence, status, reply, created_at, expires_at)
    values (${scopeHash}, ${bodyHashes[0]}, ${now + leaseMs}, 1, null, null, ${now}, ${now + keptMs})
    on conflict (scope_hash) do update set
      body_hash = excluded.body_hash, lease_until = excluded.lease_until,
      fence = idempotency_keys.fence + 1, status = null, reply = null,
      created_at = excluded.created_at, expires_at = excluded.expires_at
    where idempotency_keys.expires_at <= ${now}
       or (idempotency_keys.status is null
           and (${isExpired} or (${isLeft} and idempotency_keys.body_hash in (${sql.join(bodyHashes)}))))
    returning id, fence`.execute(db)
  return rows[0]
}

export const findKey = (db: Reader, scopeHash: string) =>
  unscoped(db, 'the hash is of the caller, the call and its key')
    .selectFrom('idempotency_keys')
    .select(['id', 'body_hash', 'status', 'reply'])
    .where('scope_hash', '=', scopeHash)
    .executeTakeFirst()

/** Stores the reply while the claim still holds; false when another request holds the key now. */
export async function storeReply(
  db: Writer,
  { id, fence }: ClaimRow,
  reply: { readonly status: number; readonly reply: string },
): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, CLAIMED)
    .updateTable('idempotency_keys')
    .set(reply)
    .where('id', '=', id)
    .where('fence', '=', fence)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Frees a key whose work stored nothing. */
export const releaseKey = (db: Writer, { id, fence }: ClaimRow) =>
  unscoped(db, CLAIMED)
    .deleteFrom('idempotency_keys')
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('status', 'is', null)
    .execute()
