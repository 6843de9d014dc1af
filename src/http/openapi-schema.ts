import type { TObject, TSchema } from '../lib/type.ts'

export type Json = Readonly<Record<string, unknown>>

/** How a format of ours is written for others; every other one that is not listed is left out. */
const FORMATS: Readonly<Record<string, Json>> = {
  int64: { format: 'int64' },
  email: { format: 'email' },
  'http-url': { format: 'uri' },
  'country-or-empty': { pattern: '^([A-Za-z]{2})?$' },
}

/**
 * The schemas of a document: a schema with a `title` is written once, under that name, and referred to
 * from everywhere else.
 */
export class Schemas {
  readonly #named = new Map<string, string>()

  /** `schema` as OpenAPI 3.1 writes it, or the reference to it when it has a title. */
  write(schema: TSchema): Json {
    const { title } = schema as Json
    return typeof title === 'string' ? this.add(title, convert(schema, this)) : convert(schema, this)
  }

  /** As `write`; without a title it is named `name`, unless an equal one has a name already. */
  writeAs(name: string, schema: TSchema): Json {
    return 'title' in schema ? this.write(schema) : this.addOnce(name, convert(schema, this))
  }

  /** As `writeAs`, for a body: what has a default need not be sent. */
  writeInput(name: string, schema: TObject): Json {
    const { required: _, ...input } = convert(schema, this)
    const required = requiredOf(schema)
    return this.addOnce(name, required.length > 0 ? { ...input, required } : input)
  }

  /** Every named schema by its name, in the order of names. */
  all(): Json {
    const names = [...this.#named.keys()].toSorted()
    return Object.fromEntries(names.map((name) => [name, JSON.parse(this.#named.get(name) ?? '') as Json]))
  }

  /** A reference to a schema that is written here already. */
  addOnce(name: string, schema: Json): Json {
    const text = JSON.stringify(schema)
    const [equal] = [...this.#named].find(([, other]) => other === text) ?? []
    return this.add(equal ?? name, schema)
  }

  private add(name: string, schema: Json): Json {
    const text = JSON.stringify(schema)
    if ((this.#named.get(name) ?? text) !== text) throw new Error(`two schemas are named ${name}`)
    this.#named.set(name, text)
    return { $ref: `#/components/schemas/${name}` }
  }
}

/** The names that must be sent: required, and without a default. */
export function requiredOf(schema: TObject): string[] {
  const required = (schema as { readonly required?: readonly string[] }).required ?? []
  return required.filter((name) => !('default' in (schema.properties[name] ?? {})))
}

function convert(schema: TSchema, schemas: Schemas): Json {
  const {
    anyOf,
    items,
    properties,
    additionalProperties: others,
    format,
    anyCase: _anyCase,
    ...rest
  } = schema as {
    readonly anyOf?: readonly TSchema[]
    readonly items?: TSchema
    readonly properties?: Readonly<Record<string, TSchema>>
    readonly additionalProperties?: TSchema
    readonly format?: string
    readonly anyCase?: boolean
  }
  return {
    ...typed(rest),
    ...(format !== undefined && FORMATS[format]),
    ...(anyOf && union(anyOf.map((option) => schemas.write(option)))),
    ...(items && { items: schemas.write(items) }),
    ...(others && { additionalProperties: schemas.write(others) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, schemas.write(property)]),
      ),
    }),
  }
}

/** A list of choices says of which type they are, which generators want. */
function typed(schema: Json): Json {
  const choices = schema['enum']
  if (!Array.isArray(choices) || 'type' in schema) return schema
  return { type: choices.every(Number.isInteger) ? 'integer' : 'string', ...schema }
}

/** A plain type or null is one schema with two types; anything else stays a list of alternatives. */
function union(options: readonly Json[]): Json {
  const [first, ...others] = options.filter(({ type }) => type !== 'null')
  const isNullable = options.length > others.length + 1
  if (!first || others.length > 0 || !isNullable || typeof first['type'] !== 'string')
    return { anyOf: options }
  const { type, enum: choices } = first
  return {
    ...first,
    type: [type, 'null'],
    ...(Array.isArray(choices) && { enum: [...(choices as unknown[]), null] }),
  }
}
