import type { Reader } from '../db/database.ts'

/** What the storage has beside the builds of versions. */
export interface OtherFiles {
  /** Which of these files are kept still; `now` is real time in milliseconds. */
  inUse(db: Reader, files: readonly string[], now: number): Promise<ReadonlySet<string>>
  /** Whether the database has known any. */
  any(db: Reader): Promise<boolean>
}
