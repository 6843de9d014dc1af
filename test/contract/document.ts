import type { Json } from '../../src/http/openapi-schema.ts'

/** A schema of the OpenAPI document, with references resolved. */
export interface Schema {
  /** `any` where the schema says nothing. */
  readonly type: string
  readonly nullable: boolean
  readonly schema: Json
  readonly properties: Readonly<Record<string, Json>>
  readonly required: readonly string[]
}

/** The OpenAPI document as a reader of it sees it. */
export class Document {
  readonly content: Json

  constructor(content: Json) {
    this.content = content
  }

  /** What a reference leads to; anything else is itself. */
  resolve(value: unknown): Json {
    const json = value as Json
    const { $ref } = json
    return typeof $ref === 'string' ? this.resolve(at(this.content, $ref.slice(2).split('/'))) : json
  }

  /** The operation at a path, or undefined. */
  operation(method: string, path: string): Json | undefined {
    const item = (this.content['paths'] as Json)[path] as Json | undefined
    return item?.[method.toLowerCase()] as Json | undefined
  }

  /** The query parameters of an operation by name. */
  query(operation: Json): Readonly<Record<string, Json>> {
    const parameters = ((operation['parameters'] ?? []) as unknown[]).map((one) => this.resolve(one))
    return Object.fromEntries(
      parameters.filter((one) => one['in'] === 'query').map((one) => [one['name'] as string, one]),
    )
  }

  /** The schema of a JSON body or reply, or undefined when there is none. */
  json(bodyOrReply: unknown): Json | undefined {
    const content =
      bodyOrReply === undefined ? undefined : (this.resolve(bodyOrReply)['content'] as Json | undefined)
    return (content?.['application/json'] as Json | undefined)?.['schema'] as Json | undefined
  }

  /** `anyOf [X, null]` and `type: [x, null]` are both nullable. */
  schema(value: Json): Schema {
    const resolved = this.resolve(value)
    const options = (resolved['anyOf'] ?? []) as Json[]
    const some = options.filter(({ type }) => type !== 'null')
    const [only] = some
    if (only && some.length === 1) return { ...this.schema(only), nullable: some.length < options.length }
    const types = [resolved['type'] ?? (options.length > 0 ? 'union' : 'any')].flat() as string[]
    return {
      type: types.find((type) => type !== 'null') ?? 'null',
      nullable: types.includes('null') || types.includes('any'),
      schema: resolved,
      properties: (resolved['properties'] ?? {}) as Readonly<Record<string, Json>>,
      required: (resolved['required'] ?? []) as string[],
    }
  }
}

const at = (json: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => {
    if (typeof inner !== 'object' || inner === null || !(name in inner))
      throw new Error(`no ${path.join('/')}`)
    return (inner as Json)[name]
  }, json)
