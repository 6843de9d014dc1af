import type { TSchema, Type as Library } from 'typebox'

export type { Static, TObject, TOptional, TProperties, TSchema, TUnsafe } from 'typebox'

type Name =
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Partial'
  | 'Record'
  | 'Refine'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
type Builders = Pick<typeof Library, Name>
type Properties = Readonly<Record<string, TSchema>>

/** What is not written into documents: as TypeBox keeps it, so that its types and its validator hold for it. */
const hide = (schema: object, name: string, value: unknown): object =>
  Object.defineProperty(schema, name, { value, configurable: true, writable: true })

const copyOf = (schema: TSchema): object =>
  Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))

const ofKind = (kind: string, keywords: object, options: object = {}): object =>
  hide({ ...keywords, ...options }, '~kind', kind)

const plain = (kind: string, keywords: object) => (options?: object) => ofKind(kind, keywords, options)

const optional = (schema: TSchema): object => hide(copyOf(schema), '~optional', true)

function objectOf(properties: Properties, options?: object): object {
  const required = Object.keys(properties).filter((name) => !('~optional' in (properties[name] ?? {})))
  return ofKind('Object', { type: 'object', ...(required.length > 0 && { required }), properties }, options)
}

function refined(schema: TSchema, check: (value: never) => boolean, error: (value: never) => string): object {
  const before = '~refine' in schema ? (schema['~refine'] as readonly unknown[]) : []
  return hide(copyOf(schema), '~refine', [...before, { check, error }])
}

const builders: Readonly<Record<Name, (...given: never[]) => object>> = {
  Array: (items: TSchema, options?: object) => ofKind('Array', { type: 'array', items }, options),
  Boolean: plain('Boolean', { type: 'boolean' }),
  Integer: plain('Integer', { type: 'integer' }),
  Null: plain('Null', { type: 'null' }),
  Number: plain('Number', { type: 'number' }),
  Object: objectOf,
  Optional: optional,
  Partial: ({ properties }: { readonly properties: Properties }) =>
    objectOf(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, optional(one)]))),
  Record: (_texts: TSchema, value: TSchema) =>
    ofKind('Record', { type: 'object', patternProperties: { '^.*$': value } }),
  Refine: refined,
  String: plain('String', { type: 'string' }),
  Union: (anyOf: readonly TSchema[], options?: object) => ofKind('Union', { anyOf }, options),
  Unknown: plain('Unknown', {}),
  Unsafe: (schema: TSchema) => hide(copyOf(schema), '~unsafe', null),
}

/**
 * Those builders of TypeBox that are used here. They make the same objects (`type.test.ts`), and the library, of 370
 * files, is not loaded as a server starts: only what checks values is, with the first of them (`http/decode`).
 */
export const Type = builders as Builders
