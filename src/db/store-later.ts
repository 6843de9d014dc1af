import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../lib/time.ts'
import { DatabaseBusy } from './busy.ts'
import type { Database, Writer } from './database.ts'

/** How often it is tried. */
const EVERY_MS = SECOND / 2

type Store = (db: Writer) => Promise<unknown>

const waitingOf = new WeakMap<Database, Map<string, Store>>()

/**
 * Stores what could not be stored as soon as the database is there again, within half a second, so that nobody waits for
 * a lease whose holder has done with it; `forMs` at most, as it ends by itself then. Of one name the last counts.
 */
export function storeLater(database: Database, name: string, forMs: number, store: Store): void {
  const waiting = waitingOf.get(database) ?? new Map<string, Store>()
  waitingOf.set(database, waiting)
  waiting.set(name, store)
  void tryOn(database, name, { store, giveUp: performance.now() + forMs })
}

/** Stores what waits under a name now; does nothing where nothing does. As `transaction`. */
export async function storeNow(database: Database, name: string): Promise<void> {
  const waiting = waitingOf.get(database)
  const store = waiting?.get(name)
  if (!store) return
  await database.transaction(store)
  if (waiting?.get(name) === store) waiting.delete(name)
}

interface Trying {
  readonly store: Store
  readonly giveUp: number
}

async function tryOn(database: Database, name: string, { store, giveUp }: Trying): Promise<void> {
  const waiting = waitingOf.get(database)
  while (performance.now() < giveUp) {
    await sleep(EVERY_MS, undefined, { ref: false })
    if (waiting?.get(name) !== store) return
    try {
      return await storeNow(database, name)
    } catch (error) {
      // A database that was closed meanwhile is nobody's any more; its leases end by themselves.
      if (!(error instanceof DatabaseBusy)) break
    }
  }
  if (waiting?.get(name) === store) waiting.delete(name)
}
