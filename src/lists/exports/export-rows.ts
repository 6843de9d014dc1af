import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import { toUtcTime } from '../../lib/time.ts'
import type { OtherFiles } from '../../deployments/hooks.ts'

const OF_ALL = 'files are kept by what is in them, for all accounts at once'

/** The files of exports, which are kept for a day. */
export const filesOfExports: OtherFiles = {
  async inUse(db, files, now) {
    const rows = await unscoped(db, OF_ALL)
      .selectFrom('exports')
      .select('file')
      .where('file', 'in', files)
      .where('expires_at', '>', toUtcTime(now))
      .execute()
    return new Set(rows.flatMap(({ file }) => file ?? []))
  },
  async any(db) {
    return (
      (await unscoped(db, OF_ALL).selectFrom('exports').select('id').limit(1).executeTakeFirst()) !==
      undefined
    )
  },
}

/** An export by its id, which its address has proven. */
export const exportById = (db: Reader, id: number) =>
  unscoped(db, 'the address of the file says which')
    .selectFrom('exports')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
