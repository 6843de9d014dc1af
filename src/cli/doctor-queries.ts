import type { Reader } from '../db/database.ts'
import { unscoped } from '../db/scoped.ts'

/** When the newest row of the audit log was written, milliseconds since the epoch; null while it is empty. */
export async function newestAuditTime(db: Reader): Promise<number | null> {
  const row = await unscoped(db, 'the command line reads the log of the whole server')
    .selectFrom('audit_log')
    .select('at')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? null
}
