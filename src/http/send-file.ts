import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { transaction, type Context, type TxContext } from '../context.ts'
import { ApiError } from '../lib/errors.ts'
import { parseRange, type ByteRange } from '../lib/byte-range.ts'
import { isKnown } from './conditional.ts'
import { isHead } from './head.ts'
import { respond, startResponse } from './respond.ts'

/** A file of the storage in the place of a JSON reply. */
export class StoredDownload {
  readonly sha256: string
  /** Bytes. */
  readonly size: number
  readonly type: string
  readonly name: string
  /**
   * Run before the last bytes of the file leave, by an answer that has the greater part of it: of the parts in which a
   * download comes one counts at most. What it throws breaks the answer off.
   */
  readonly count: (ctx: TxContext) => Promise<void>
  /** What it is counted as. */
  readonly of: {
    readonly productId: number
    readonly installId: number | null
    readonly userId: number | null
  }

  /** `name` is of letters, digits, dots, hyphens and underscores. */
  constructor(
    file: { readonly sha256: string; readonly size: number; readonly type: string; readonly name: string },
    { count, ...of }: StoredDownload['of'] & Pick<StoredDownload, 'count'>,
  ) {
    this.sha256 = file.sha256
    this.size = file.size
    this.type = file.type
    this.name = file.name
    this.count = count
    this.of = of
  }
}

/**
 * Sends a file, or the part that Range asks for, with its hash as a strong tag: 304 for who has it, 416 for a range
 * beyond it. Of several ranges the whole is sent (RFC 9110, 14.2).
 */
export async function sendFile(reply: FastifyReply, file: StoredDownload): Promise<void> {
  const { request } = reply
  const headers = headersOf(file)
  if (isKnown(request.headers['if-none-match'], file.sha256)) return respond(reply, 304, '', headers)
  const range = rangeOf(request, file)
  if (range === 'beyond') {
    const extra = { headers: { 'content-range': `bytes */${file.size}` } }
    throw new ApiError(416, 'range_not_satisfiable', 'The file has no such range.', extra)
  }
  if (isHead(request)) {
    startResponse(reply, range ? 206 : 200, { ...headers, ...contentHeaders(file, range) })?.end()
    return
  }
  const { ctx } = reply.server.frame
  const bytes = await ctx.storage.read(file.sha256, range ?? undefined)
  if (!bytes) throw new Error(`The file ${file.sha256} is not in the storage.`)
  try {
    const content = contentHeaders(file, range)
    const raw = startResponse(reply, range ? 206 : 200, { ...headers, ...content })
    const beforeLast = async () => {
      if (isDownload(file, range)) await transaction(ctx, (tx) => file.count(tx))
    }
    if (raw) await sendAll(bytes.chunks, { raw, length: content['content-length'], beforeLast }, ctx)
  } finally {
    await bytes.close()
  }
}

/** Whether an answer brings the file to who has none of it, or no more than the smaller part. */
const isDownload = ({ size }: StoredDownload, range: ByteRange | null): boolean =>
  range === null || (range.last === size - 1 && range.first <= size / 2)

const contentHeaders = ({ type, name, size }: StoredDownload, range: ByteRange | null) => ({
  'content-length': range ? range.last - range.first + 1 : size,
  'content-type': type,
  'content-disposition': `attachment; filename="${name}"`,
  ...(range && { 'content-range': `bytes ${range.first}-${range.last}/${size}` }),
})

interface Sending {
  readonly raw: ServerResponse
  /** Bytes. */
  readonly length: number
  beforeLast(): Promise<void>
}

/**
 * Each chunk after the one before has left. Who goes away before the end is no failure of ours; an answer that waits
 * behind another one of its connection is not told, so that the connection is asked.
 */
async function sendAll(
  chunks: AsyncIterable<Uint8Array>,
  { raw, length, beforeLast }: Sending,
  { log }: Pick<Context, 'log'>,
): Promise<void> {
  const { socket } = raw.req
  let left = length
  // Each of the answers that wait on a connection listens to it.
  socket.setMaxListeners(0)
  try {
    for await (const chunk of chunks) {
      left -= chunk.length
      if (left === 0 && chunk.length > 0 && !socket.destroyed) await beforeLast()
      await written(raw, chunk)
    }
    // Otherwise the next answer of the connection would be taken for the rest.
    if (left > 0) throw new Error(`The file ended ${left} bytes early.`)
    raw.end()
  } catch (error) {
    if (!raw.destroyed && !socket.destroyed) log.error({ err: error }, 'a file could not be sent')
    raw.destroy()
  }
}

function written(raw: ServerResponse, chunk: Uint8Array): Promise<void> {
  const { socket } = raw.req
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('The connection was closed.'))
    if (socket.destroyed) return gone()
    socket.once('close', gone)
    raw.write(chunk, (error) => {
      socket.off('close', gone)
      if (error) reject(error)
      else resolve()
    })
  })
}

const headersOf = ({ sha256 }: StoredDownload) => ({
  etag: `"${sha256}"`,
  'cache-control': 'private, no-cache',
  'accept-ranges': 'bytes',
})

/** A range of another version of the file is not taken. */
function rangeOf({ headers }: FastifyRequest, { sha256, size }: StoredDownload) {
  const condition = headers['if-range']
  const isSame = condition === undefined || condition === `"${sha256}"`
  return isSame ? parseRange(headers.range, size) : null
}
