import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { peerOptions, servePeer } from './processes.ts'

/** The load generator: keep-alive connections that each send the next request when the last one is answered. */
export interface LoadOptions {
  readonly connections: number
  /**
   * It looks for replies without a rest, on a core of its own: one that sleeps until a reply wakes it has the server pay
   * for that, the more the longer the server takes.
   */
  readonly isAwake?: boolean
}

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Requests for one run; they are sent in turn, from the first again when it ends before. */
export interface LoadQuestion {
  readonly address: string
  /** Empty: the calls need none. */
  readonly token: string
  readonly calls: readonly Call[]
  readonly ms: number
  /** What each reply must have; absent: 200. */
  readonly status?: number
}

export interface Load {
  readonly perSecond: number
  readonly p99Ms: number
  /** Replies of another status. */
  readonly failures: number
}

const { connections, isAwake = false } = peerOptions<LoadOptions>()

servePeer((question: LoadQuestion) => run(question))

async function run({ address, token, calls, ms, status = 200 }: LoadQuestion): Promise<Load> {
  const { host, hostname, port } = new URL(address)
  const requests = calls.map((call) => bytesOf(call, host, token))
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(hostname, Number(port))))
  const times: number[] = []
  const counts = { next: Math.floor(Math.random() * requests.length), failures: 0 }
  const start = performance.now()
  const conversation = { end: start + ms, requests, times, counts, status: String(status) }
  const rest = isAwake ? stayAwake() : () => {}
  try {
    await Promise.all(sockets.map((socket) => converse(socket, conversation)))
  } finally {
    rest()
  }
  const seconds = (performance.now() - start) / 1000
  times.sort((a, b) => a - b)
  return {
    perSecond: times.length / seconds,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
    failures: counts.failures,
  }
}

/** Until what it returns is called. */
function stayAwake(): () => void {
  let isOver = false
  const turn = () => {
    if (!isOver) setImmediate(turn)
  }
  turn()
  return () => {
    isOver = true
  }
}

async function open(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true })
  await once(socket, 'connect')
  return socket
}

function bytesOf({ method, path, body = '', headers = {} }: Call, host: string, token: string): Buffer {
  const head = [`${method} ${path} HTTP/1.1`, `host: ${host}`]
  if (token !== '') head.push(`authorization: Bearer ${token}`)
  head.push(...Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
  if (body !== '') head.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

interface Conversation {
  readonly end: number
  readonly requests: readonly Buffer[]
  readonly times: number[]
  readonly counts: { next: number; failures: number }
  readonly status: string
}

/** One connection, until the time is over. */
function converse(socket: Socket, { end, requests, times, counts, status }: Conversation): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let received: Buffer | null = null
    const send = () => {
      sentAt = performance.now()
      socket.write(requests[counts.next++ % requests.length] ?? '')
    }
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed a connection.')))
    socket.on('data', (chunk) => {
      received = received === null ? chunk : Buffer.concat([received, chunk])
      if (!isWhole(received)) return
      const now = performance.now()
      times.push(now - sentAt)
      if (received.toString('latin1', 9, 12) !== status) counts.failures++
      received = null
      if (now < end) send()
      else socket.end(() => resolve())
    })
    send()
  })
}

const LENGTH = 'content-length: '

/** Whether a response and the body that its Content-Length promises are there. */
function isWhole(bytes: Buffer): boolean {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return false
  const head = bytes.toString('latin1', 0, headEnd)
  const at = head.indexOf(LENGTH)
  return bytes.length >= headEnd + 4 + Number.parseInt(head.slice(at + LENGTH.length), 10)
}
