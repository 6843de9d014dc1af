import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parse as parseForm } from 'fast-querystring'
import { ApiError } from '../lib/errors.ts'
import { parseJson } from '../lib/json.ts'
import { unsupportedMediaType } from './errors.ts'

/** Bytes of a body of plain arguments. */
export const BODY_LIMIT = 1024 * 1024

/** Reads every body as bytes: what they mean is decided after the caller is known and they are covered. */
export function readBodiesAsBytes(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (request, body, done) => {
    request.rawBody = body as Buffer
    done(null, null)
  })
}

/** What a body says: `object` is its top level, `source` how its values are written. */
export interface BodyArguments {
  readonly object: object
  readonly source: 'json' | 'text'
}

/** A body's arguments: JSON or a form; `{}` without a body, whatever its content type says (DECISIONS 1.1). */
export function argumentsOf(request: FastifyRequest): BodyArguments {
  const bytes = request.rawBody
  if (!bytes || bytes.length === 0) return { object: {}, source: 'json' }
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';')
  switch (mediaType.trim().toLowerCase()) {
    case 'application/json':
      return { object: asObject(parseJson(bytes)), source: 'json' }
    case 'application/x-www-form-urlencoded':
      return { object: parseForm(new TextDecoder().decode(bytes)), source: 'text' }
    default:
      throw unsupportedMediaType()
  }
}

function asObject(value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new ApiError(400, 'invalid_json', 'The body must be a JSON object.')
}
