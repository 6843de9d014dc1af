import { foldChanges, waitMoreThan } from '../../db/fold-counts.ts'
import type { QueueJob } from '../../job.ts'

/** So many a reader adds up by itself, in a fraction of a millisecond. */
const LEFT = 500
const BATCH = 5_000

/** Adds to the counts what was written, on PostgreSQL, where who writes leaves it to this (`docs/decisions.md` 4.8). */
export const foldCounts: QueueJob = {
  kind: 'queue',
  name: 'fold-counts',
  isDue: ({ database }) => waitMoreThan(database, LEFT),
  async run({ database }) {
    const taken = await database.transaction((db) => foldChanges(db, BATCH))
    return taken === BATCH ? 'more' : 'done'
  },
}
