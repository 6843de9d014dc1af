import { onPostgres } from './postgres.ts'
import { environmentOf, type Environment } from './seed.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The databases that a benchmark runs on, one after the other. */
export const ENGINES = ['SQLite', 'PostgreSQL'] as const

export interface Place {
  readonly environment: Environment
  /** Of PostgreSQL. */
  readonly url?: string
}

/** An empty database of its own, with a data folder. */
export const placeOn = async (
  engine: (typeof ENGINES)[number],
  closing: AsyncDisposableStack,
): Promise<Place> =>
  engine === 'PostgreSQL'
    ? onPostgres(closing)
    : { environment: environmentOf({ KEYWRIGHT_DATA: await temporaryFolder(closing) }) }
