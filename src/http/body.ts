import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parse as parseForm } from 'fast-querystring'
import { ApiError } from '../lib/errors.ts'
import { parseJson } from '../lib/json.ts'
import { asObject, BODY_LIMIT, type BodyArguments, type Files, type ReceivedFiles } from './body-arguments.ts'
import type { BodyRoom } from './body-room.ts'
import { unsupportedMediaType } from './errors.ts'
import { boundaryOf } from './multipart.ts'
import { readMultipart } from './multipart-body.ts'
import type { AnyOperation } from './operation.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads every body as bytes: what they mean is decided after the caller is known and they are covered. */
export function readBodiesAsBytes(server: FastifyInstance, room: BodyRoom): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (request, body, done) => {
    request.rawBody = body as Buffer
    done(null, null)
  })
  server.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    request.parts = payload
    done(null, null)
  })
  // What names a type is read to its end, which without a body was before that (`optimizeEmptyRequests`).
  server.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw, headers } = request
    const refusal = room.begin(request)
    if (refusal) return done(refusal)
    const isEmpty = raw.readableEnded && headers['content-type'] !== undefined
    // Of parts that is counted which does not go into files as it comes.
    if (boundaryOf(headers['content-type']) !== null) request.heldBody = room.hold(request)
    else if (!raw.readableEnded) room.watch(request)
    done(null, isEmpty ? Readable.from([]) : payload)
  })
}

const NO_FILES: { files: Files; received: ReceivedFiles } = { files: {}, received: {} }

const NO_ARGUMENTS: BodyArguments = { object: Object.freeze({}), source: 'json', ...NO_FILES }

const isCompressed = ({ headers }: FastifyRequest): boolean =>
  (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity'

/**
 * A body's arguments: JSON, a form, or parts where the operation takes files; `{}` without a body, whatever
 * its content type says (`docs/decisions.md` 1.1).
 */
export function argumentsOf(
  request: FastifyRequest,
  op: Pick<AnyOperation, 'files' | 'list'>,
): BodyArguments | Promise<BodyArguments> {
  if (isCompressed(request)) {
    const message = 'The body must not be compressed.'
    throw new ApiError(415, 'unsupported_media_type', message, { headers: { connection: 'close' } })
  }
  if (request.parts) {
    if (!op.files) throw unsupportedMediaType({ connection: 'close' })
    return readMultipart(request, request.parts, op.files)
  }
  const bytes = request.rawBody
  return bytes && bytes.length > 0
    ? { ...plainArguments(request, bytes, op.list), ...NO_FILES }
    : NO_ARGUMENTS
}

function plainArguments(
  request: FastifyRequest,
  bytes: Buffer,
  list?: string,
): Omit<BodyArguments, 'files' | 'received'> {
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';')
  switch (mediaType.trim().toLowerCase()) {
    case 'application/json':
      return { object: asObject(parseJson(bytes), list), source: 'json' }
    case 'application/x-www-form-urlencoded':
      return { object: parseForm(formText(bytes)), source: 'text' }
    default:
      throw unsupportedMediaType()
  }
}

function formText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ApiError(400, 'invalid_form', 'The form is not valid UTF-8.')
  }
}
