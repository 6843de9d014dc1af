import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { invalidFields } from '../lib/errors.ts'
import { HOUR } from '../lib/time.ts'
import { TooManyBytes } from '../lib/receive.ts'
import type { ReceivedFile } from './body-arguments.ts'
import type { Part } from './multipart.ts'

/** Who has proven who it is may take this long for a file, as long as bytes come. */
const LONGEST_MS = HOUR

/** Connections on which a file comes. */
const receiving = new WeakSet<Socket>()

/** Whether the time that a request may take is not counted: the file may be as large as the line is slow. */
export const isReceiving = (socket: Socket): boolean => receiving.has(socket)

/** Removes what a request brought, unless it was kept. */
export async function discardReceived(request: FastifyRequest): Promise<void> {
  if (!request.received) return
  const { storage } = request.server.frame.ctx
  await Promise.all(request.received.map((one) => storage.discard(one)))
}

/**
 * Takes a file of a multipart body into the storage, as it comes; more than `maxBytes` is 400 that names the part. It
 * is among `request.received`, which whoever serves the request removes at its end.
 */
export async function receiveFile(
  request: FastifyRequest,
  part: Part,
  maxBytes: number,
): Promise<ReceivedFile> {
  const { storage } = request.server.frame.ctx
  const { socket } = request.raw
  const tooLong = setTimeout(() => socket.destroy(), LONGEST_MS).unref()
  receiving.add(socket)
  try {
    const received = await storage.receive(part.chunks, maxBytes)
    request.received = [...(request.received ?? []), received]
    return { ...received, filename: part.filename ?? '' }
  } catch (error) {
    if (!(error instanceof TooManyBytes)) throw error
    throw invalidFields([{ field: part.name, message: `must have at most ${maxBytes} bytes` }])
  } finally {
    clearTimeout(tooLong)
    receiving.delete(socket)
  }
}
