import type { Database } from './database.ts'

/**
 * Another number after each commit of whatever process; undefined where the database does not tell, or cannot now: what
 * asks then looks for itself, and says what is wrong.
 */
export function versionOf({ version }: Pick<Database, 'version'>): number | undefined {
  try {
    return version?.()
  } catch {
    return undefined
  }
}

/** Milliseconds after which another process may have been at work: to ask takes some calls of the system. */
const SEEN_MS = 100

interface Seen {
  /** Of the process's own clock, milliseconds. */
  readonly until: number
  readonly commits: number | undefined
  readonly text: string | undefined
}

const seen = new WeakMap<object, Seen>()

/**
 * As `versionOf`, for what is asked thousands of times a second: another text after each commit of this process, and a
 * tenth of a second at most after one of another process.
 */
export function recentVersionOf(
  database: Pick<Database, 'version' | 'commits'>,
  now = performance.now(),
): string | undefined {
  const commits = database.commits?.()
  const last = seen.get(database)
  if (last && now <= last.until && last.commits === commits) return last.text
  const version = versionOf(database)
  const text = version === undefined ? undefined : `${version} ${commits}`
  seen.set(database, { until: now + SEEN_MS, commits, text })
  return text
}
