import type { Context } from '../../context.ts'
import { knownNow } from '../../work/renewal-watch.ts'
import { HOUR, MINUTE } from '../../lib/time.ts'
import { filesInUse, findAnyDeployment } from '../versions/version-rows.ts'
import type { StoredFile } from './storage.ts'
import type { RecurringJob } from '../../job.ts'

/** Longer than from the moment a file is kept to that of the version that has it. */
const GRACE_MS = HOUR
const BATCH = 100

/**
 * Removes archives that no version has, and files of exports and imports that are over, an hour after they were kept. So a process
 * may stop between file and row, and versions are deleted without a thought of their files. A database that knows none
 * removes nothing: it could be the wrong one.
 */
export const sweepFiles: RecurringJob = {
  kind: 'recurring',
  name: 'sweep-files',
  everyMs: HOUR,
  leaseMs: 10 * MINUTE,
  async run(ctx, lease) {
    const until = (await knownNow(ctx, ctx.db)) - GRACE_MS
    if (!(await findAnyDeployment(ctx.db)) && !(await ctx.hooks.files.any(ctx.db))) return 'done'
    for await (const batch of batches(ctx, until)) {
      if (lease.stopping.aborted) return 'done'
      await ctx.database.transaction((db) => lease.guard(db))
      const names = batch.map(({ sha256 }) => sha256)
      const used = await filesInUse(ctx.db, names)
      const kept = await ctx.hooks.files.inUse(ctx.db, names, ctx.clock.real())
      for (const file of batch) {
        if (!used.has(file.sha256) && !kept.has(file.sha256)) await remove(ctx, file)
      }
    }
    return 'done'
  },
}

/** One that cannot be removed keeps no other from it; it is tried again in an hour. */
async function remove({ storage, log }: Context, file: StoredFile): Promise<void> {
  try {
    await storage.remove(file)
  } catch (error) {
    log.error({ err: error, file: file.sha256 }, 'an archive that no version has could not be removed')
  }
}

/** The files that were kept before a moment, some at a time. */
async function* batches({ storage }: Context, until: number): AsyncGenerator<StoredFile[], void, undefined> {
  let batch: StoredFile[] = []
  for await (const file of storage.list()) {
    if (file.keptAt >= until) continue
    batch.push(file)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
