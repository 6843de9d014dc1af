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

const ofTurn = new WeakMap<object, number | undefined>()

/**
 * `versionOf` as it was at the first question of this turn of the event loop. Whoever wrote since could not yet be told
 * of it by this process, and what asks in the same turn came before.
 */
export function versionOfTurn(database: Pick<Database, 'version'>): number | undefined {
  if (ofTurn.has(database)) return ofTurn.get(database)
  const version = versionOf(database)
  ofTurn.set(database, version)
  setImmediate(() => ofTurn.delete(database))
  return version
}
