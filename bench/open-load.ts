import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { peerOptions, servePeer } from './processes.ts'
import { quantile } from './row.ts'

/**
 * An open loop: requests are due at a fixed rate whether the earlier ones were answered or not, and the time of
 * each counts from when it was due.
 */
export interface OpenLoadOptions {
  readonly connections: number
}

export interface OpenLoadQuestion {
  readonly address: string
  readonly paths: readonly string[]
  /** Absent: the calls need none. */
  readonly token?: string
  /** Header lines of each path, each ended; absent: there are none. */
  readonly heads?: readonly string[]
  /** What each reply must have; absent: 200. */
  readonly status?: number
  readonly perSecond: number
  readonly ms: number
  /** Milliseconds of sleep between two looks at what is due; 0: it looks all the time, and takes a core. */
  readonly restMs: number
  /** A second kind of request, sent every so many milliseconds beside the others; not measured. */
  readonly beside?: { readonly path: string; readonly token: string; readonly everyMs: number }
}

export interface OpenLoad {
  readonly sent: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly failures: number
}

const { connections } = peerOptions<OpenLoadOptions>()

servePeer((question: OpenLoadQuestion) => run(question))

interface Waiting {
  readonly path: string
  readonly head: string
  readonly due: number
}

async function run(question: OpenLoadQuestion): Promise<OpenLoad> {
  const { address, paths, token, heads, status: expected = 200, perSecond, ms, restMs, beside } = question
  const { host, hostname, port } = new URL(address)
  const times: number[] = []
  const queue: Waiting[] = []
  const idle: Sender[] = []
  let failures = 0
  const senders = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      await once(socket, 'connect')
      return new Sender(socket, headOf(host, token), (sender, due, status) => {
        times.push(performance.now() - due)
        if (status !== expected) failures++
        const next = queue.shift()
        if (next) sender.send(next)
        else idle.push(sender)
      })
    }),
  )
  idle.push(...senders)
  const timer = beside && setInterval(() => void ask(address, beside), beside.everyMs)
  const start = performance.now()
  let sent = 0
  while (performance.now() - start < ms) {
    const asked = Math.min(perSecond * (ms / 1000), ((performance.now() - start) / 1000) * perSecond)
    for (; sent < asked; sent++) {
      const nth = sent % paths.length
      const due = start + (sent / perSecond) * 1000
      const waiting = { path: paths[nth] ?? '', head: heads?.[nth] ?? '', due }
      // In turn: a server closes connections that ask nothing for long.
      const sender = idle.shift()
      if (sender) sender.send(waiting)
      else queue.push(waiting)
    }
    await new Promise((resolve) => (restMs === 0 ? setImmediate(resolve) : setTimeout(resolve, restMs)))
  }
  while (times.length < sent) await new Promise((resolve) => setTimeout(resolve, 5))
  clearInterval(timer)
  for (const sender of senders) sender.end()
  return {
    sent,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    maxMs: quantile(times, 1),
    failures,
  }
}

const headOf = (host: string, token = ''): string =>
  `host: ${host}\r\n${token === '' ? '' : `authorization: Bearer ${token}\r\n`}`

const ask = async (address: string, { path, token }: { readonly path: string; readonly token: string }) =>
  (await fetch(address + path, { headers: { authorization: `Bearer ${token}` } })).arrayBuffer()

/** One connection that sends a request when the last one was answered. */
class Sender {
  readonly #socket: Socket
  readonly #head: string
  #due = 0

  constructor(socket: Socket, head: string, answered: (sender: Sender, due: number, status: number) => void) {
    this.#socket = socket
    this.#head = head
    socket.on('data', (chunk: Buffer) => answered(this, this.#due, Number(chunk.toString('latin1', 9, 12))))
  }

  send({ path, head, due }: Waiting): void {
    this.#due = due
    this.#socket.write(`GET ${path} HTTP/1.1\r\n${this.#head}${head}\r\n`)
  }

  end(): void {
    this.#socket.end()
  }
}
