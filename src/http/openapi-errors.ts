import { Type } from 'typebox'
import type { Json, Schemas } from './openapi-schema.ts'
import type { AnyOperation } from './operation.ts'

/** The body of every refusal (`docs/decisions.md` 2.1). */
const ApiErrorBody = Type.Object(
  {
    path: Type.String({ description: 'The path as it was received, after the base path.' }),
    error: Type.Object({
      type: Type.String({ description: 'The code in PascalCase.' }),
      message: Type.String(),
      code: Type.String({ description: 'What a program decides by.' }),
      http: Type.Integer({ description: 'The status of the response.' }),
      timestamp: Type.String({ description: 'RFC 2822.' }),
      request_id: Type.String({ description: 'Names the request in the log of the server.' }),
      details: Type.Optional(
        Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
          description: 'Every offending field.',
        }),
      ),
    }),
    request: Type.Object({}, { description: 'The plain arguments as they were received, without secrets.' }),
  },
  { title: 'ApiError' },
)

interface Refusal {
  readonly status: number
  readonly name: string
  readonly description: string
  readonly headers?: Json
}

const number = (description: string) => ({ description, schema: { type: 'integer', minimum: 1 } })
const text = (description: string) => ({ description, schema: { type: 'string' } })

/** What any operation may answer (`docs/decisions.md` 2.2). */
const EVERYWHERE: readonly Refusal[] = [
  { status: 400, name: 'BadRequest', description: 'An argument is malformed, or breaks a rule.' },
  {
    status: 401,
    name: 'Unauthorized',
    description: 'Not authenticated, or not permitted; there is no status 403.',
  },
  { status: 402, name: 'ArgumentMissing', description: 'Required arguments are missing, all of them named.' },
  { status: 404, name: 'NotFound', description: 'It does not exist, or belongs to somebody else.' },
  {
    status: 429,
    name: 'TooManyRequests',
    description: 'Too many requests of this caller.',
    headers: {
      'Retry-After': number('Seconds to wait.'),
      RateLimit: text('What remains.'),
      'RateLimit-Policy': text('The limit.'),
    },
  },
]

/** What an Idempotency-Key adds (`docs/decisions.md` 8.1). */
const WRITES: readonly Refusal[] = [
  {
    status: 409,
    name: 'IdempotencyInFlight',
    description: 'Another request with this Idempotency-Key is in work.',
  },
  {
    status: 422,
    name: 'IdempotencyKeyReused',
    description: 'This Idempotency-Key came with another request before.',
  },
]

const refusalsOf = ({ kind }: AnyOperation) => (kind === 'write' ? [...EVERYWHERE, ...WRITES] : EVERYWHERE)

/** The refusals of an operation by status. */
export const errorResponses = (op: AnyOperation): Json =>
  Object.fromEntries(
    refusalsOf(op).map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
  )

/** What `errorResponses` refers to. */
export function errorComponents(schemas: Schemas): Json {
  const content = { 'application/json': { schema: schemas.write(ApiErrorBody) } }
  const responses = [...EVERYWHERE, ...WRITES].map(
    ({ name, description, headers }) =>
      [name, { description, ...(headers && { headers }), content }] as const,
  )
  return Object.fromEntries(responses.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
