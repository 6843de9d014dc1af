import { sql } from 'kysely'
import type { Engine, Writer } from './database.ts'
import { turnsLock } from './dialect.ts'

/**
 * From here to its end this transaction is the only one that takes turns, on both databases: for what
 * is done once in the life of a database, where no row is there yet that could settle a race.
 */
export async function takeTurns(db: Writer, engine: Engine): Promise<void> {
  const lock = turnsLock(engine)
  if (lock) await sql`${lock}`.execute(db)
}
