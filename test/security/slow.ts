import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Timeouts } from '../../src/http/server.ts'
import type { Answer } from './client.ts'
import { open } from './raw.ts'
import type { Crowd } from './slow-peer.ts'
import type { World } from './world.ts'

/** Short enough for a test; the rules are the same. */
export const SHORT: Timeouts = {
  headers: 1_500,
  request: 2_000,
  keepAlive: 700,
  idle: 1_200,
  taking: 1_500,
  check: 100,
}

export interface SlowClient {
  readonly socket: Socket
  /** Milliseconds after its connection until the server ended it; null while it has not. */
  cutAfter: number | null
  /** What the server wrote. */
  text: string
}

/** Connections that each write one byte after another of `bytes`, `pause` milliseconds apart. */
export async function slowClients(
  address: string,
  count: number,
  { head, bytes, pause }: { head: string; bytes: string; pause: number },
): Promise<SlowClient[]> {
  const clients: SlowClient[] = []
  for (let index = 0; index < count; index++) clients.push(await slowClient(address, head))
  void drip(clients, bytes, pause)
  return clients
}

async function slowClient(address: string, head: string): Promise<SlowClient> {
  const start = performance.now()
  const socket = await open(address)
  const client: SlowClient = { socket, cutAfter: null, text: '' }
  const cut = () => (client.cutAfter ??= performance.now() - start)
  socket.on('data', (chunk: Buffer) => (client.text += chunk.toString()))
  socket.on('end', cut).on('close', cut)
  socket.write(head)
  return client
}

async function drip(clients: readonly SlowClient[], bytes: string, pause: number): Promise<void> {
  for (const byte of bytes) {
    const waiting = clients.filter(({ cutAfter, socket }) => cutAfter === null && socket.writable)
    if (waiting.length === 0) return
    for (const { socket } of waiting) socket.write(byte)
    await sleep(pause)
  }
}

const ofProduct = ({ seller: { product } }: World) => ({
  path: `/v1/products/${product.id}/users.json`,
  headers: `Host: x\r\nAuthorization: Bearer ${product.token}\r\n`,
})

type Held = Pick<Crowd, 'head' | 'bytes' | 'reads'>

/** What a crowd does that holds on to its connections. */
export const CROWDS: Readonly<Record<string, (world: World) => Held>> = {
  'write a byte of their headers every ten seconds': () => ({
    head: 'GET /v1/ping.json HTTP/1.1\r\nHost: x\r\n',
    bytes: 'X-Slow: '.padEnd(60, 'a'),
    reads: true,
  }),
  'write a byte of their body every ten seconds': (world) => ({
    head: `POST ${ofProduct(world).path} HTTP/1.1\r\n${ofProduct(world).headers}Content-Type: application/json\r\nContent-Length: 200\r\n\r\n`,
    bytes: '{"email":"slow@example.com","name":"x"',
    reads: true,
  }),
  'do not read what they asked for': (world) => ({
    head: `GET ${ofProduct(world).path} HTTP/1.1\r\n${ofProduct(world).headers}\r\n`,
    bytes: '',
    reads: false,
  }),
}

/** Until all are cut, or `patience` milliseconds have passed; answers how many are not. */
export async function waitUntilCut(clients: readonly SlowClient[], patience: number): Promise<number> {
  const end = performance.now() + patience
  const open = () => clients.filter(({ cutAfter }) => cutAfter === null).length
  while (open() > 0 && performance.now() < end) await sleep(50)
  for (const { socket } of clients) socket.destroy()
  return open()
}

/** Ordinary requests one after another for some time, as another caller makes them. */
export async function ordinaryTraffic(world: World, forMs: number): Promise<Answer[]> {
  const { product } = world.seller
  const call = {
    method: 'GET',
    path: `/v1/products/${product.id}/users.json`,
    headers: { authorization: `Bearer ${product.token}` },
  }
  const end = performance.now() + forMs
  const answers: Answer[] = []
  while (performance.now() < end) {
    answers.push(await world.send(call))
    await sleep(10)
  }
  return answers
}

/** Milliseconds that this part of the answers took at most: 0.5 is the median. */
export function quantile(answers: readonly Answer[], part: number): number {
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
}

export const median = (answers: readonly Answer[]): number => quantile(answers, 0.5)
