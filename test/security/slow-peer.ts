import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Connections that each send `head` at once and then a byte of `bytes` every ten seconds; a reader reads nothing. */
export interface Crowd {
  readonly address: string
  readonly count: number
  readonly head: string
  readonly bytes: string
  readonly reads: boolean
}

const EVERY_MS = 10_000
/** The bytes of all are spread over the time, as those of strangers are. */
const TURNS = 100
const OPENED_AT_ONCE = 200

/** Opens them from a process of its own, which has its own limit of open files; `leave` ends it. */
export async function startCrowd(crowd: Crowd): Promise<{ leave(): Promise<void> }> {
  const child = fork(import.meta.filename, [JSON.stringify(crowd)])
  const ended = once(child, 'exit')
  const first: unknown = await Promise.race([once(child, 'message'), ended])
  if (!Array.isArray(first) || first[0] !== 'open')
    throw new Error('The crowd could not open its connections.')
  return {
    async leave() {
      child.kill()
      await ended
    },
  }
}

async function open({ address, head, reads }: Crowd): Promise<Socket> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (reads) socket.resume()
  else socket.pause()
  socket.write(head)
  return socket
}

async function main(crowd: Crowd): Promise<void> {
  const sockets: Socket[] = []
  while (sockets.length < crowd.count) {
    const some = Math.min(OPENED_AT_ONCE, crowd.count - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length: some }, () => open(crowd)))))
  }
  process.send?.('open')
  for (const byte of crowd.bytes) {
    for (let turn = 0; turn < TURNS; turn++) {
      writeByte(sockets, turn, byte)
      await sleep(EVERY_MS / TURNS)
    }
  }
}

function writeByte(sockets: readonly Socket[], turn: number, byte: string): void {
  for (let at = turn; at < sockets.length; at += TURNS) {
    if (sockets[at]?.writable) sockets[at]?.write(byte)
  }
}

if (import.meta.main) {
  process.once('disconnect', () => process.exit())
  await main(JSON.parse(process.argv[2] ?? '{}') as Crowd)
  await new Promise(() => {})
}
