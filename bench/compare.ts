import { startBare, startKeywright, startPeer, type Peer, type Server } from './processes.ts'
import type { Call, Load, LoadQuestion } from './load.ts'
import { inTurns } from './in-turns.ts'
import type { BenchOptions, Row } from './row.ts'
import type { Environment, Seeded } from './seed.ts'

export const CONNECTIONS = 32
const ROUNDS = 40
const ROUND_MS = 300
const WARM_UP_MS = 2_000

export interface Comparison {
  readonly name: string
  readonly calls: readonly Call[]
  /** The ratio that must be reached. */
  readonly line: number
  /** What each reply must have; absent: 200. */
  readonly status?: number
}

interface Seeding {
  readonly environment: Environment
  readonly seeded: Pick<Seeded, 'token'>
  /** The file of the bare server, where it is another one. */
  readonly bare?: string
}

/** Runs the same calls against our server and the bare one on one database; a line for each comparison. */
export async function compareServers(
  { environment, seeded, bare: file }: Seeding,
  comparisons: readonly Comparison[],
  options: BenchOptions,
): Promise<Row[]> {
  await using closing = new AsyncDisposableStack()
  const ours = await startKeywright(environment)
  closing.defer(() => ours.stop())
  const bare = await startBare(environment, file)
  closing.defer(() => bare.stop())
  // PostgreSQL needs the other core.
  const isAwake = environment['DATABASE_URL'] === undefined
  const load = await startPeer('load.ts', { connections: CONNECTIONS, isAwake })
  closing.defer(() => load.stop())
  const rows: Row[] = []
  for (const comparison of comparisons) {
    await replyAlike([ours, bare], comparison, seeded.token)
    const { calls, status = 200 } = comparison
    const question = { token: seeded.token, calls, status }
    rows.push(await compare({ ours, bare, load, question }, comparison, options))
  }
  return rows
}

/** What no two replies share. */
const OWN = /"(?:request_id|timestamp)":"[^"]*"/g

async function replyAlike(
  servers: readonly Server[],
  { name, calls }: Comparison,
  token: string,
): Promise<void> {
  const [call] = calls
  const replies = servers.map(async ({ address }) => {
    const response = await fetch(`${address}${call?.path}`, {
      headers: { ...(token !== '' && { authorization: `Bearer ${token}` }), ...call?.headers },
    })
    return `${response.status} ${(await response.text()).replaceAll(OWN, '')}`
  })
  const [first, second] = await Promise.all(replies)
  if (first !== second) throw new Error(`${name}: the replies differ.\n${first}\n${second}`)
}

interface Contest {
  readonly ours: Server
  readonly bare: Server
  readonly load: Peer
  readonly question: Pick<LoadQuestion, 'token' | 'calls' | 'status'>
}

async function compare(
  { ours, bare, load, question }: Contest,
  { name, line }: Comparison,
  options: BenchOptions,
): Promise<Row> {
  const runOf =
    ({ address }: Server) =>
    async (ms: number) => {
      const result = await load.ask<Load>({ ...question, address, ms })
      if (result.failures > 0) throw new Error(`${name}: ${result.failures} calls failed at ${address}.`)
      return result
    }
  const { ratio, ...figures } = await inTurns(name, [runOf(ours), runOf(bare)], {
    rounds: ROUNDS,
    roundMs: ROUND_MS,
    warmUpMs: WARM_UP_MS,
    ...options,
  })
  return { name, ...figures, ratio: ratio.toFixed(2), line: `≥ ${line}`, pass: ratio >= line }
}
