import { CONNECTIONS } from './compare.ts'
import { inTurns } from './in-turns.ts'
import { licensesFolder } from './licenses-seed.ts'
import { verifyCalls } from './licenses.ts'
import type { Load } from './load.ts'
import { startKeywright, startPeer } from './processes.ts'
import { whole, type Benchmark } from './row.ts'

const LICENSES = 100_000
/** Below it a caller would see that its arguments are checked. */
const LINE = 0.97

/** Verifications whose arguments are checked strictly, beside the same of who does not ask for it, on one server. */
export const strict: Benchmark = async (options) => {
  await using closing = new AsyncDisposableStack()
  const { environment, seeded, remove } = await licensesFolder(options.quick ? LICENSES / 10 : LICENSES)
  closing.defer(remove)
  const server = await startKeywright(environment)
  closing.defer(() => server.stop())
  const load = await startPeer('load.ts', { connections: CONNECTIONS, isAwake: true })
  closing.defer(() => load.stop())
  const calls = verifyCalls(seeded)
  const runOf = (headers: Readonly<Record<string, string>>) => async (ms: number) => {
    const question = {
      address: server.address,
      token: '',
      calls: calls.map((call) => ({ ...call, headers })),
      ms,
    }
    const result = await load.ask<Load>(question)
    if (result.failures > 0) throw new Error(`${result.failures} verifications failed.`)
    return result
  }
  const name = `verifications with \`X-Keywright-Strict: 1\` among ${whole(seeded.licenses)} licenses, SQLite; the reference is the same without`
  const turns = { rounds: 60, roundMs: 300, warmUpMs: 2_000, ...options }
  // A header of the same length, so that no more is read.
  const runs = [runOf({ 'x-keywright-strict': '1' }), runOf({ 'x-keywright-strxct': '1' })] as const
  const { ratio, ...figures } = await inTurns(name, runs, turns)
  return [{ name, ...figures, ratio: ratio.toFixed(2), line: `≥ ${LINE}`, pass: ratio >= LINE }]
}
