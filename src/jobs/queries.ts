import type { Selectable } from 'kysely'
import { claim, held, type ClaimOptions } from '../db/claim.ts'
import type { Reader, Writer } from '../db/database.ts'
import { unscoped } from '../db/scoped.ts'
import type { JobsTable } from '../db/tables/jobs.ts'

export type JobRow = Selectable<JobsTable>

export const findJobs = (db: Reader, names: readonly string[]) =>
  unscoped(db, 'jobs are those of the server')
    .selectFrom('jobs')
    .select(['id', 'name', 'due_at', 'lease_until'])
    .where('name', 'in', names)
    .execute()

/** Adds jobs that nobody has added yet, due at `now`. */
export const insertJobs = (db: Writer, jobs: readonly { readonly name: string; readonly due_at: number }[]) =>
  db
    .insertInto('jobs')
    .values(jobs.map((job) => ({ ...job, lease_until: 0, fence: 0 })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()

/** The job's row for this holder alone; undefined when it is not due or another holder has it. */
export async function claimJob(
  db: Writer,
  options: Omit<ClaimOptions, 'limit' | 'id'> & { readonly id: number },
): Promise<JobRow | undefined> {
  const [row] = await claim(db, 'jobs', { ...options, limit: 1 })
  if (row) await held(db, 'jobs', row, { last_started_at: options.now })
  return row
}

/** Changes a claimed job's row; false when another holder has it now. */
export const updateJob = (
  db: Writer,
  row: JobRow,
  change: Partial<Omit<JobRow, 'id' | 'name' | 'fence'>>,
): Promise<boolean> => held(db, 'jobs', row, change)
