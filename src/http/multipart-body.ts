import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalidFields } from '../lib/errors.ts'
import { parseJson } from '../lib/json.ts'
import {
  asObject,
  BODY_LIMIT,
  type BodyArguments,
  type ReceivedFile,
  type UploadedFile,
} from './body-arguments.ts'
import type { HeldBody } from './body-room.ts'
import { unsupportedMediaType } from './errors.ts'
import { boundaryOf, readParts, type Part } from './multipart.ts'
import type { FileLimit } from './operation.ts'
import { receiveFile } from './uploads.ts'

type Wanted = Readonly<Record<string, FileLimit>>

/** The part in which existing clients send all arguments as one JSON object (`docs/interface.md` 12.1). */
const DATA = 'data'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a multipart body: arguments from the part `data` as JSON or, without it, from plain parts; files from
 * the parts the operation names. Files it does not name are passed over; they count like plain parts, which
 * together may have no more bytes than a plain body. A name that is given twice, and text that is not UTF-8, are
 * 400 that names the part: two readers could understand them differently.
 */
export function readMultipart(
  request: FastifyRequest,
  parts: Readable,
  wanted: Wanted,
): Promise<BodyArguments> {
  return readAll(request, parts, wanted).catch((error: unknown) => {
    // What was not read would stand before the next request of the connection.
    parts.resume()
    throw error
  })
}

async function readAll(request: FastifyRequest, parts: Readable, wanted: Wanted): Promise<BodyArguments> {
  const boundary = boundaryOf(request.headers['content-type'])
  if (boundary === null) throw unsupportedMediaType({ connection: 'close' })
  const { heldBody: body } = request
  const names = new Set<string>()
  const read: Read = {
    fields: new Map(),
    files: new Map(),
    received: new Map(),
    room: { bytes: BODY_LIMIT, body },
  }
  const digest = createHash('sha256')
  for await (const part of readParts(body ? untilRefused(parts, body) : parts, boundary)) {
    if (names.has(part.name)) throw wrongPart(part.name, 'must be given once')
    names.add(part.name)
    digest.update(`${part.name.length}:${part.name}`)
    const limit = part.filename === null ? undefined : wanted[part.name]
    if (limit?.goesToStorage) {
      const received = await receiveFile(request, part, limit.maxBytes)
      read.received.set(part.name, received)
      digest.update(received.sha256)
    } else await readPart(part, { limit, read, digest })
  }
  request.partsDigest = digest.digest('hex')
  const { fields, files, received } = read
  const data = fields.get(DATA)
  return {
    object: data === undefined ? textsOf(fields) : asObject(parseJson(data)),
    source: data === undefined ? 'text' : 'json',
    files: Object.fromEntries(files),
    received: Object.fromEntries(received),
  }
}

/** The bytes of a body, until it is ended for those of others. */
async function* untilRefused(parts: Readable, body: HeldBody): AsyncGenerator<Buffer, void, undefined> {
  const source: AsyncIterator<Buffer> = parts[Symbol.asyncIterator]()
  for (;;) {
    const { value, done } = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      body.onRefusal = reject
      if (body.refusal) reject(body.refusal)
      else source.next().then(resolve, reject)
    })
    if (done) return
    yield value
  }
}

interface Read {
  readonly fields: Map<string, Buffer>
  readonly files: Map<string, UploadedFile>
  readonly received: Map<string, ReceivedFile>
  readonly room: Room
}

/** How many bytes more may be held, and what counts them with those of all requests. */
interface Room {
  bytes: number
  readonly body: HeldBody | null
}

/** A part that is held in memory. */
async function readPart(
  part: Part,
  { limit, read, digest }: { limit: FileLimit | undefined; read: Read; digest: Hash },
): Promise<void> {
  if (limit) {
    const room = { ...read.room, bytes: limit.maxBytes }
    read.files.set(part.name, await readFile(part, room, digest))
    return
  }
  const bytes = await readField(part, read.room, digest)
  if (part.filename === null) read.fields.set(part.name, bytes)
}

const textsOf = (fields: ReadonlyMap<string, Buffer>): Record<string, string> =>
  Object.fromEntries(Array.from(fields, ([name, bytes]) => [name, textOf(name, bytes)]))

function textOf(name: string, bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw wrongPart(name, 'is not valid UTF-8')
  }
}

const wrongPart = (field: string, message: string) => invalidFields([{ field, message }])

async function readFile(part: Part, room: Room, digest: Hash): Promise<UploadedFile> {
  const { bytes: maxBytes } = room
  const bytes = await collect(part, room, () => wrongPart(part.name, `must have at most ${maxBytes} bytes`))
  digest.update(bytes)
  return { filename: part.filename ?? '', bytes }
}

async function readField(part: Part, room: Room, digest: Hash): Promise<Buffer> {
  const bytes = await collect(
    part,
    room,
    () => new ApiError(413, 'payload_too_large', 'The body is too large.'),
  )
  digest.update(bytes)
  return bytes
}

/** Reads a part while there is room, which shrinks by what was read. */
async function collect(part: Part, room: Room, tooLarge: () => ApiError): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of part.chunks) {
    room.bytes -= chunk.length
    if (room.bytes < 0) throw tooLarge()
    const refusal = room.body?.take(chunk.length)
    if (refusal) throw refusal
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
