import { setTimeout as sleep } from 'node:timers/promises'
import { CONNECTIONS } from './compare.ts'
import type { Call, Load } from './load.ts'
import { megabytesOf } from './process-memory.ts'
import { startKeywright, startPeer } from './processes.ts'
import { whole, type Benchmark, type Row } from './row.ts'
import { seededFolder } from './seed.ts'
import { readCalls } from './users.ts'

const SETTLED_MS = 2_000
const LOAD_MS = 20_000
const IDLE_LINE_MB = 130
const LOAD_LINE_MB = 250
/** Every tenth call is a list, every twentieth creates a user. */
const LIST_EVERY = 10
const CREATE_EVERY = 20

/** Memory of the server's process with its jobs, after its start and at its highest under a mixed load. */
export const memory: Benchmark = async ({ quick }) => {
  await using closing = new AsyncDisposableStack()
  const { environment, seeded, remove } = await seededFolder()
  closing.defer(remove)
  const server = await startKeywright(environment)
  closing.defer(() => server.stop())
  const load = await startPeer('load.ts', { connections: CONNECTIONS })
  closing.defer(() => load.stop())
  await sleep(SETTLED_MS)
  const idle = await megabytesOf(server.pid, 'VmRSS')
  const base = `/v1/products/${seeded.productId}`
  const calls = readCalls(base, seeded.users).map((call, n) => mixed(call, n, base))
  const { perSecond, failures } = await load.ask<Load>({
    address: server.address,
    token: seeded.token,
    calls,
    ms: quick ? LOAD_MS / 5 : LOAD_MS,
  })
  if (failures > 0) throw new Error(`${failures} calls failed.`)
  console.log(`memory: ${whole(perSecond)} calls a second, of reads, lists and writes`)
  const peak = await megabytesOf(server.pid, 'VmHWM')
  return [rowOf('memory, idle', idle, IDLE_LINE_MB), rowOf('memory, highest under load', peak, LOAD_LINE_MB)]
}

function mixed(call: Call, n: number, base: string): Call {
  if (n % CREATE_EVERY === 0) {
    const body = { email: `new.${n}@example.com`, first: 'New', last: 'User' }
    return { method: 'POST', path: `${base}/users.json`, body: JSON.stringify(body) }
  }
  return n % LIST_EVERY === 1 ? { method: 'GET', path: `${base}/users.json` } : call
}

const rowOf = (name: string, megabytes: number, line: number): Row => ({
  name,
  ours: `${Math.round(megabytes)} MB`,
  reference: '',
  ratio: '',
  line: `< ${line} MB`,
  pass: megabytes < line,
})
