import type { Reader, Writer } from '../../db/database.ts'
import { APART_MS, columnHasCome } from '../../db/has-come.ts'
import { unscoped } from '../../db/scoped.ts'
import { SECOND, type UtcTime } from '../../lib/time.ts'
import { OWN } from './two-factor-rows.ts'

export const findTwoFactor = (db: Reader, personId: number) =>
  unscoped(db, OWN)
    .selectFrom('two_factor')
    .select(['secret', 'last_step', 'confirmed_at'])
    .where('person_id', '=', personId)
    .executeTakeFirst()

/** Keeps a secret that is still to be confirmed; false when a confirmed one stands. */
export async function insertTwoFactor(db: Writer, personId: number, secret: string): Promise<boolean> {
  const written = await db
    .insertInto('two_factor')
    .values({ person_id: personId, secret, last_step: 0, confirmed_at: null })
    .onConflict((conflict) =>
      conflict.column('person_id').doUpdateSet({ secret }).where('two_factor.confirmed_at', 'is', null),
    )
    .returning('person_id')
    .executeTakeFirst()
  return written !== undefined
}

/** Switches two-factor on with this secret; false when it is on or another set-up began meanwhile. */
export async function confirmTwoFactor(
  db: Writer,
  personId: number,
  { secret, step, now }: { readonly secret: string; readonly step: number; readonly now: UtcTime },
): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, OWN)
    .updateTable('two_factor')
    .set({ confirmed_at: now, last_step: step })
    .where('person_id', '=', personId)
    .where('secret', '=', secret)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** No step is used that is farther ahead of another one: a clock that was ahead has used it, and has come back. */
const STEPS_APART = APART_MS / (30 * SECOND) + 2

/** Uses up the code of a step and those before it; false when one of them was used. One statement, so once. */
export async function spendStep(db: Writer, personId: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, OWN)
    .updateTable('two_factor')
    .set({ last_step: step })
    .where('person_id', '=', personId)
    .where('confirmed_at', 'is not', null)
    .where(columnHasCome('last_step', { now: step - 1, past: step + STEPS_APART }))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Uses up a backup code; false when the person has none like it. */
export async function spendBackupCode(db: Writer, personId: number, codeHash: string): Promise<boolean> {
  const { numDeletedRows } = await unscoped(db, OWN)
    .deleteFrom('backup_codes')
    .where('person_id', '=', personId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export const insertBackupCodes = (db: Writer, personId: number, hashes: readonly string[]) =>
  db
    .insertInto('backup_codes')
    .values(hashes.map((hash) => ({ person_id: personId, code_hash: hash })))
    .execute()
