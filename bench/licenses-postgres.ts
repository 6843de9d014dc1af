import { startPostgres } from '../test/postgres.ts'
import { compareServers } from './compare.ts'
import { seedLicenses } from './licenses-seed.ts'
import { verifyCalls } from './licenses.ts'
import { SETTINGS, vacuum } from './postgres.ts'
import { whole, type Benchmark } from './row.ts'
import { environmentOf } from './seed.ts'
import { temporaryFolder } from './temporary-folder.ts'

const LICENSES = 200_000

/** Verifications without a token on PostgreSQL; the reference runs named statements through `pg`. */
export const licensesPostgres: Benchmark = async (options) => {
  await using closing = new AsyncDisposableStack()
  const server = await startPostgres(SETTINGS)
  closing.defer(() => server.stop())
  const data = await temporaryFolder(closing)
  const environment = environmentOf({ KEYWRIGHT_DATA: data, DATABASE_URL: server.url })
  const seeded = await seedLicenses(environment, options.quick ? LICENSES / 10 : LICENSES)
  await vacuum(server.url)
  const name = `verify by install, uid and key, ${whole(seeded.licenses)} licenses, PostgreSQL`
  const comparison = { name, line: 0.6, calls: verifyCalls(seeded) }
  return await compareServers(
    { environment, seeded: { token: '' }, bare: 'license-bare.ts' },
    [comparison],
    options,
  )
}
