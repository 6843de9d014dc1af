import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RawAnswer {
  /** Everything the server wrote. */
  readonly text: string
  /** The status of each response, in order. */
  readonly statuses: readonly number[]
  /** The server ended the connection by itself, within the patience. */
  readonly closed: boolean
}

/** Writes bytes as they are and reads until the server closes, or for `patience` milliseconds. */
export async function rawExchange(
  address: string,
  pieces: readonly (string | Buffer)[],
  { patience = 1_500, pause = 0 }: { patience?: number; pause?: number } = {},
): Promise<RawAnswer> {
  const socket = await open(address)
  let text = ''
  let closed = false
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      closed = true
      resolve()
    }
    socket.on('end', end).on('close', end).on('error', end)
  })
  for (const piece of pieces) {
    if (!socket.writable) break
    socket.write(piece)
    if (pause > 0) await sleep(pause)
  }
  await Promise.race([ended, sleep(patience, undefined, { ref: false })])
  socket.destroy()
  const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status))
  return { text, statuses, closed }
}

/** A connection to the server, from this address of the machine; errors are left to whoever listens for them. */
export async function open(address: string, from?: string): Promise<Socket> {
  const { hostname, port } = new URL(address)
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    allowHalfOpen: true,
    ...(from !== undefined && { localAddress: from }),
  })
  socket.on('error', () => {})
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', resolve))
  return socket
}

/** Sends a chunked body without end until it is answered or cut off: what was answered, and the bytes that were taken. */
export async function sendWithoutEnd(
  address: string,
  { head, most }: { readonly head: string; readonly most: number },
): Promise<{ readonly text: string; readonly taken: number }> {
  const socket = await open(address)
  let text = ''
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  socket.write(`${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`)
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  let taken = 0
  while (!socket.destroyed && taken < most && text === '') {
    if (!socket.write(chunk))
      await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))])
    taken += chunk.length
    await new Promise(setImmediate)
  }
  socket.destroy()
  return { text, taken }
}
