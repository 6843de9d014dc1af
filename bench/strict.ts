import { operations } from '../src/app.ts'
import { unknownNames } from '../src/http/unknown-arguments.ts'
import { licensesFolder } from './licenses-seed.ts'
import { cpuMicroseconds, verifyCalls } from './licenses.ts'
import type { Load } from './load.ts'
import { startKeywright, startPeer } from './processes.ts'
import { median, whole, type Benchmark } from './row.ts'

const LICENSES = 100_000
const CHECKS = 500_000
const ROUNDS = 10
const ROUND_MS = 500
/** A part of a verification that no caller could tell from none. */
const LINE = 0.02

/**
 * Every request's names are looked at, whether its caller is strict or is told them: processor time of that for a
 * verification, beside all that the server takes for one.
 */
export const strict: Benchmark = async ({ quick }) => {
  await using closing = new AsyncDisposableStack()
  const { environment, seeded, remove } = await licensesFolder(quick ? LICENSES / 10 : LICENSES)
  closing.defer(remove)
  const server = await startKeywright(environment)
  closing.defer(() => server.stop())
  const load = await startPeer('load.ts', { connections: 8 })
  closing.defer(() => load.stop())
  const calls = verifyCalls(seeded)
  const queries = calls.map(({ path }) =>
    Object.fromEntries(new URL(path, 'http://keywright.test').searchParams),
  )
  const verify = async (ms: number) => {
    const before = cpuMicroseconds(server.pid)
    const { perSecond, failures } = await load.ask<Load>({ address: server.address, token: '', calls, ms })
    if (failures > 0) throw new Error(`${failures} verifications failed.`)
    return (cpuMicroseconds(server.pid) - before) / ((perSecond * ms) / 1_000)
  }
  await verify(2_000)
  check(queries)
  const rounds = { ours: [] as number[], whole: [] as number[] }
  for (let round = 0; round < (quick ? ROUNDS / 5 : ROUNDS); round++) {
    rounds.whole.push(await verify(ROUND_MS))
    rounds.ours.push(check(queries))
  }
  const [ours, all] = [median(rounds.ours), median(rounds.whole)]
  return [
    {
      name: `checking the arguments of a verification by their names, beside all of one among ${whole(seeded.licenses)} licenses, SQLite; processor time`,
      ours: `${ours.toFixed(2)} µs`,
      reference: `${all.toFixed(1)} µs`,
      ratio: (ours / all).toFixed(3),
      line: `≤ ${LINE}`,
      pass: ours / all <= LINE,
    },
  ]
}

const verification = operations.find(({ id }) => id === 'installations/retrieve-active-license-by-uid')

/** Microseconds of processor time that a check takes. */
function check(queries: readonly object[]): number {
  if (!verification) throw new Error('There is no verification.')
  const before = process.cpuUsage()
  let unknown = 0
  for (let n = 0; n < CHECKS; n++)
    if (unknownNames(verification, { query: queries[n % queries.length], body: {} })) unknown++
  const { user, system } = process.cpuUsage(before)
  if (unknown > 0) throw new Error(`${unknown} verifications have arguments that are not known.`)
  return (user + system) / CHECKS
}
