import { Type } from '../lib/type.ts'
import type { Refusal, RefusalCode } from '../lib/errors.ts'
import type { Json, Schemas } from './openapi-schema.ts'
import type { AnyOperation } from './operation.ts'
import { commonOf, isCommon, refusalsOf } from './refusals.ts'

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
      documentation_url: Type.String({
        description: 'The page of the code: when it is answered, what to do.',
      }),
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

const number = (description: string) => ({ description, schema: { type: 'integer', minimum: 1 } })
const text = (description: string) => ({ description, schema: { type: 'string' } })

const RETRY = { 'Retry-After': number('Seconds to wait.') }

/** What the document calls the refusals of a status. */
const STATUSES: Readonly<Record<number, { readonly name: string; readonly headers?: Json }>> = {
  400: { name: 'BadRequest' },
  401: { name: 'Unauthorized' },
  402: { name: 'ArgumentMissing' },
  404: { name: 'NotFound' },
  409: { name: 'Conflict' },
  416: { name: 'RangeNotSatisfiable' },
  422: { name: 'IdempotencyKeyReused' },
  429: {
    name: 'TooManyRequests',
    headers: { ...RETRY, RateLimit: text('What remains.'), 'RateLimit-Policy': text('The limit.') },
  },
  503: { name: 'Unavailable', headers: RETRY },
}

/** Statuses that say nothing of the operation stand under `default`, once for all. */
const ANY: readonly number[] = [413, 415, 500, 503]

/** What operations may be refused with (`refusals.ts`): by status, with each code and its sentence. */
export class Refusing {
  readonly #refusals: Readonly<Record<RefusalCode, Refusal>>
  readonly #content: Json
  readonly #named = new Map<string, Json>()

  constructor(schemas: Schemas, refusals: Readonly<Record<RefusalCode, Refusal>>) {
    this.#refusals = refusals
    this.#content = { 'application/json': { schema: schemas.write(ApiErrorBody) } }
  }

  /** References by status; those of a status in which the operation has codes of its own stand under its `name`. */
  of(op: AnyOperation, name: string): Json {
    const byStatus = Map.groupBy(refusalsOf(op), (code) => this.#refusals[code].status)
    const statuses = [...byStatus].toSorted(([a], [b]) => a - b)
    const responses = statuses.flatMap(([status, codes]): [number | 'default', Json][] => {
      const isOwn = !codes.every(isCommon)
      if (!isOwn && ANY.includes(status)) return []
      const known = STATUSES[status]
      if (!known) throw new Error(`The OpenAPI document has no name for refusals of status ${status}.`)
      const [prefix, listed] = isOwn ? [name, codes] : ['', commonOf(status)]
      return [[status, this.#add(prefix + known.name, listed, known.headers)]]
    })
    return Object.fromEntries([...responses, ['default', this.#add('Other', ANY.flatMap(commonOf))]])
  }

  /** Every response that was referred to, in the order of names. */
  all(): Json {
    return Object.fromEntries([...this.#named].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  #add(name: string, codes: readonly RefusalCode[], headers?: Json): Json {
    const description = codes.map((code) => `* \`${code}\`: ${this.#refusals[code].says}`).join('\n')
    this.#named.set(name, { description, ...(headers && { headers }), content: this.#content })
    return { $ref: `#/components/responses/${name}` }
  }
}
