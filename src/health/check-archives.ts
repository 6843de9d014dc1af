import type { Reader } from '../db/database.ts'
import { SystemClock } from '../lib/clock.ts'
import { HOUR } from '../lib/time.ts'
import { findAnyDeployment, filesInUse, listFiles } from '../deployments/versions/version-rows.ts'
import type { Storage, StoredFile } from '../deployments/storage/storage.ts'
import { otherFiles } from '../imports/other-files.ts'
import { fail, ok, warn, type Finding } from './finding.ts'
import { counted } from '../lib/counted.ts'

const NAME = 'archives'
const PAGE = 500
/** Until then a job has removed what no version has (`deployments/storage/sweep-files-job.ts`). */
const GRACE_MS = 3 * HOUR

type Files = Map<string, StoredFile>

/** Whether every version has its archives, as large as they were, and every archive its version. */
export async function checkArchives(storage: Storage, db: Reader): Promise<Finding> {
  const there: Files = new Map()
  for await (const file of storage.list()) there.set(file.sha256, file)
  const { missing, count } = await missingFrom(there, db)
  if (missing.length > 0) {
    const message = `${missing.length} of ${count} versions have no whole archive: ${missing.slice(0, 5).join(', ')}`
    return fail(NAME, message, 'Put the folder "files" of a backup back, or delete these versions.')
  }
  const stray = await strayIn(there, db)
  if (stray === 0) return ok(NAME, count === 0 ? 'there are none yet' : `${count} versions have theirs`)
  const isEmpty = (await findAnyDeployment(db)) === undefined && !(await otherFiles.any(db))
  const fix = isEmpty
    ? 'Check that this is the database that belongs to the data folder.'
    : 'They are removed within two hours while "serve" or "worker" runs the jobs; if they stay, look into its log.'
  const belong = stray === 1 ? 'belongs' : 'belong'
  return warn(NAME, `${counted(stray, 'archive')} ${belong} to no version`, fix)
}

async function missingFrom(there: Files, db: Reader) {
  const missing: string[] = []
  let count = 0
  for (let after = 0; ;) {
    const rows = await listFiles(db, after, PAGE)
    for (const { id, version, ...row } of rows) {
      const isWhole = (file: string | null, size: number | null) =>
        file === null || there.get(file)?.size === size
      if (!isWhole(row.free_file, row.free_size) || !isWhole(row.premium_file, row.premium_size))
        missing.push(`${version} (${id})`)
    }
    count += rows.length
    after = rows.at(-1)?.id ?? after
    if (rows.length < PAGE) return { missing, count }
  }
}

async function strayIn(there: Files, db: Reader): Promise<number> {
  const now = new SystemClock().real()
  const until = now - GRACE_MS
  const old = [...there.values()].filter(({ keptAt }) => keptAt < until).map(({ sha256 }) => sha256)
  let stray = 0
  for (let at = 0; at < old.length; at += PAGE) {
    const page = old.slice(at, at + PAGE)
    const used = await filesInUse(db, page)
    const kept = await otherFiles.inUse(db, page, now)
    stray += page.filter((file) => !used.has(file) && !kept.has(file)).length
  }
  return stray
}
