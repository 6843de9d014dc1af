import type { TSchema } from '../lib/type.ts'
import type { Mount } from './mounts.ts'
import { requiredOf, type Json, type Schemas } from './openapi-schema.ts'
import type { AnyOperation } from './operation.ts'
import { Id } from './wire.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: true
  readonly description?: string
  readonly schema: Json
}

/** `docs/decisions.md` 8.1. */
const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Repeats of a request with the same key answer what the first one did, for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an answer the caller has: nothing is sent while it is still true.',
  schema: { type: 'string' },
}

/** The parameters of a document; equal ones of several operations are written once. */
export class Parameters {
  readonly #schemas: Schemas
  readonly #named = new Map<string, Parameter>()

  constructor(schemas: Schemas) {
    this.#schemas = schemas
  }

  /** References to all that an operation takes at an address, beside its body. */
  of({ op, path }: Mount): Json[] {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => this.inPath(op, name))
    const inQuery = Object.keys(op.query?.properties ?? {}).map((name) => this.inQuery(op, name))
    const inHeader = op.kind === 'write' ? [IDEMPOTENCY_KEY] : op.state ? [IF_NONE_MATCH] : []
    return [...inPath, ...inQuery, ...inHeader].map((parameter) => this.add(op, parameter))
  }

  /** Every parameter by its name in the document, in the order of names. */
  all(): Json {
    return Object.fromEntries([...this.#named].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** Ids of the scope's own prefix are not among an operation's parameters. */
  private inPath(op: AnyOperation, name: string): Parameter {
    const schema =
      op.params?.properties[name] ?? Id(`ID of the ${name.replace(/_id$/, '').replaceAll('_', ' ')}.`)
    return { name, in: 'path', required: true, ...this.described(schema) }
  }

  private inQuery(op: AnyOperation, name: string): Parameter {
    const { query } = op
    const isRequired = query !== undefined && requiredOf(query).includes(name)
    return {
      name,
      in: 'query',
      ...(isRequired && { required: true }),
      ...this.described(query?.properties[name] ?? {}),
    }
  }

  private described(schema: TSchema): Pick<Parameter, 'description' | 'schema'> {
    const { description, ...plain } = this.#schemas.write(schema)
    return { ...(typeof description === 'string' && { description }), schema: plain }
  }

  private add(op: AnyOperation, parameter: Parameter): Json {
    const text = JSON.stringify(parameter)
    const isFree = (name: string) => JSON.stringify(this.#named.get(name) ?? parameter) === text
    const ofOperation = `${parameter.name}.${op.id.replaceAll('/', '.')}`
    // An id of the path may narrow a list in the query too.
    const name = [parameter.name, ofOperation].find(isFree) ?? `${ofOperation}.${parameter.in}`
    this.#named.set(name, parameter)
    return { $ref: `#/components/parameters/${name}` }
  }
}
