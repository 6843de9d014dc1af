import pg from 'pg'
import { startPostgres } from '../test/postgres.ts'
import { compareServers } from './compare.ts'
import type { Benchmark } from './row.ts'
import { environmentOf, seed, type Environment } from './seed.ts'
import { userComparisons } from './users.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** As a server of its own would be set; what is not named has PostgreSQL's own default. */
export const SETTINGS = { shared_buffers: '512MB', effective_cache_size: '2GB', max_connections: '100' }

/** Reads of one user and of the first page, on PostgreSQL; the reference runs named statements through `pg`. */
export const postgres: Benchmark = async (options) => {
  await using closing = new AsyncDisposableStack()
  const { environment, url } = await onPostgres(closing)
  const seeded = await seed(environment)
  await vacuum(url)
  return await compareServers({ environment, seeded }, userComparisons('PostgreSQL', seeded, 0.6), options)
}

/** A PostgreSQL of its own, with an empty database, and a data folder beside it. */
export async function onPostgres(
  closing: AsyncDisposableStack,
  more: Environment = {},
): Promise<{ readonly environment: Environment; readonly url: string }> {
  const { url, stop } = await startPostgres(SETTINGS)
  closing.defer(() => stop())
  const data = await temporaryFolder(closing)
  return { environment: environmentOf({ KEYWRIGHT_DATA: data, DATABASE_URL: url, ...more }), url }
}

/** What autovacuum would have done by now. */
export async function vacuum(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}
