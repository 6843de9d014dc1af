import { sql } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { Sealed } from '../../db/tables/columns.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { KeyHolder } from './schema.ts'

interface HeldKeys {
  readonly public_key: string
  readonly secret_key: Sealed
}

/** Undefined when the account has no such row. */
export async function findKeys(
  db: Reader,
  { owner, id, developerId }: KeyHolder,
): Promise<HeldKeys | undefined> {
  const column = owner === 'developers' ? 'id' : 'developer_id'
  const isOwn = developerId === null ? sql`` : sql`and ${sql.ref(column)} = ${developerId}`
  const { rows } = await sql<HeldKeys>`select public_key, secret_key from ${sql.table(owner)}
    where id = ${id} ${isOwn}`.execute(db)
  return rows[0]
}

/**
 * Puts a secret key in the place of the one that was read; false when another has come there meanwhile. One statement,
 * so that of two renewals at once each replaces what it has read.
 */
export async function replaceSecret(
  db: Writer,
  { owner, id }: KeyHolder,
  change: { readonly from: Sealed; readonly to: Sealed; readonly updated: UtcTime },
): Promise<boolean> {
  const { numAffectedRows } = await sql`update ${sql.table(owner)}
    set secret_key = ${change.to}, updated = ${change.updated}
    where id = ${id} and secret_key = ${change.from}`.execute(db)
  return numAffectedRows === 1n
}

const OWN = 'the caller has found whose keys they are'

export const insertFormer = (
  db: Writer,
  { owner, id }: KeyHolder,
  row: { readonly secret_key: Sealed; readonly until_ms: number; readonly created: UtcTime },
) =>
  db
    .insertInto('former_keys')
    .values({ owner, owner_id: id, ...row })
    .execute()

/** Ends every former secret key at once. */
export const deleteFormer = (db: Writer, { owner, id }: KeyHolder) =>
  unscoped(db, OWN).deleteFrom('former_keys').where('owner', '=', owner).where('owner_id', '=', id).execute()
