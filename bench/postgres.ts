import pg from 'pg'
import { startPostgres } from '../test/postgres.ts'
import { compareServers } from './compare.ts'
import type { Benchmark } from './row.ts'
import { environmentOf, seed } from './seed.ts'
import { userComparisons } from './users.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** As a server of its own would be set; what is not named has PostgreSQL's own default. */
export const SETTINGS = { shared_buffers: '512MB', effective_cache_size: '2GB', max_connections: '100' }

/** Reads of one user and of the first page, on PostgreSQL; the reference runs named statements through `pg`. */
export const postgres: Benchmark = async (options) => {
  await using closing = new AsyncDisposableStack()
  const server = await startPostgres(SETTINGS)
  closing.defer(() => server.stop())
  const data = await temporaryFolder(closing)
  const environment = environmentOf({ KEYWRIGHT_DATA: data, DATABASE_URL: server.url })
  const seeded = await seed(environment)
  await vacuum(server.url)
  return await compareServers({ environment, seeded }, userComparisons('PostgreSQL', seeded, 0.6), options)
}

/** What autovacuum would have done by now. */
export async function vacuum(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}
