import { compareServers } from './compare.ts'
import { seedLicenses } from './licenses-seed.ts'
import { verifyCalls } from './licenses.ts'
import { onPostgres, vacuum } from './postgres.ts'
import { whole, type Benchmark } from './row.ts'

const LICENSES = 200_000

/** Verifications without a token on PostgreSQL; the reference runs named statements through `pg`. */
export const licensesPostgres: Benchmark = async (options) => {
  await using closing = new AsyncDisposableStack()
  const { environment, url } = await onPostgres(closing)
  const seeded = await seedLicenses(environment, options.quick ? LICENSES / 10 : LICENSES)
  await vacuum(url)
  const name = `verify by install, uid and key, ${whole(seeded.licenses)} licenses, PostgreSQL`
  const comparison = { name, line: 0.6, calls: verifyCalls(seeded) }
  return await compareServers(
    { environment, seeded: { token: '' }, bare: 'license-bare.ts' },
    [comparison],
    options,
  )
}
