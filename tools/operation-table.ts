import { operations } from '../src/app.ts'
import type { Noun, Part, Verb } from '../src/cli/client/noun.ts'
import { nouns } from '../src/cli/client/nouns.ts'
import type { Argument, Entry, Operation } from '../src/cli/client/operation-table.ts'
import { requiredOf } from '../src/http/openapi-schema.ts'
import type { AnyOperation } from '../src/http/operation.ts'
import type { TObject, TSchema } from '../src/lib/type.ts'
import { Check } from 'typebox/schema'

/** What a schema says, as far as a command line needs it. */
interface Schema {
  readonly type?: string
  readonly enum?: readonly (string | number)[]
  readonly anyOf?: readonly Schema[]
  readonly description?: string
}

const BY_ID = new Map(operations.map((op) => [op.id, op]))

/** The table of commands, an entry a line, so that a change of an operation is a change of its lines. */
export const operationTable = (): string =>
  `[\n${allEntries()
    .map((entry) => JSON.stringify(entry))
    .join(',\n')}\n]\n`

/** Of every noun and verb. */
const allEntries = (): Entry[] => Object.entries(nouns).flatMap(([noun, about]) => entriesOf(noun, about))

function entriesOf(noun: string, { verbs = {}, itself }: Noun): Entry[] {
  const own = itself === undefined ? [] : [entryOf(noun, null, itself)]
  return [...own, ...Object.entries(verbs).map(([verb, one]) => entryOf(noun, verb, one))]
}

function entryOf(noun: string, verb: string | null, named: Verb): Entry {
  const part = typeof named === 'object' && 'of' in named ? named : undefined
  const of = part?.of ?? (named as Exclude<Verb, { readonly of: unknown }>)
  const ids = typeof of === 'string' ? [of] : of
  return { noun, verb, operations: ids.map((id) => described(operationOf(id), part)) }
}

function operationOf(id: string): AnyOperation {
  const op = BY_ID.get(id)
  if (!op) throw new Error(`A command is of the operation ${id}, which there is not.`)
  return op
}

/** Asked of who is logged in, and of no token: a command line is no place for it. */
const OF_LOGINS = 'current_password'

function described(op: AnyOperation, part: Part | undefined): Operation {
  const scope = scopeOf(op)
  const names = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const all = [...argumentsIn(op.query, 'query'), ...argumentsIn(op.body, 'body'), ...filesOf(op)]
  const isTaken = (name: string) => !name.startsWith('_') && name !== OF_LOGINS
  const args = all.filter(({ name }) => isTaken(name) && (part?.only.includes(name) ?? true))
  const pagedBy = ['offset', 'before'].find((name) => all.some((arg) => arg.name === name && isPaging(arg)))
  return {
    scope,
    ...(scope === 'product' && op.scopes.includes('product') && { isOfToken: true }),
    method: op.method,
    path: op.path,
    summary: part?.describe ?? op.summary,
    params: Object.fromEntries(names.map((name) => [name, describeOf(op.params?.properties[name], name)])),
    args: args.filter(({ name }, place) => args.findLastIndex((arg) => arg.name === name) === place),
    ...(op.items !== undefined && op.kind === 'read' && { items: op.items }),
    ...(pagedBy !== undefined && op.method === 'GET' && { pagedBy: pagedBy as 'offset' | 'before' }),
    ...(op.produces !== undefined && { produces: op.produces }),
  }
}

const isPaging = ({ in: place }: Argument) => place === 'query'

function scopeOf({ id, scopes }: AnyOperation): Operation['scope'] {
  if (scopes.includes('account')) return 'account'
  if (scopes.includes('developer')) return 'product'
  if (scopes.includes('root')) return 'root'
  throw new Error(`${id} is nothing that a token may call.`)
}

const filesOf = ({ files = {} }: AnyOperation): Argument[] =>
  Object.keys(files).map((name) => ({ name, in: 'file', type: 'string', describe: 'A file.' }))

function argumentsIn(schema: TObject | undefined, place: 'query' | 'body'): Argument[] {
  const required = schema ? requiredOf(schema) : []
  return Object.entries(schema?.properties ?? {}).map(([name, property]) =>
    argumentOf({ name, in: place, isRequired: required.includes(name) }, property),
  )
}

function argumentOf(
  { isRequired, ...named }: Pick<Argument, 'name' | 'in'> & { readonly isRequired: boolean },
  property: TSchema,
): Argument {
  const whole = property as Schema
  const kinds = (whole.anyOf ?? [whole]).flatMap((one) => one.anyOf ?? [one])
  const values = kinds.filter(({ type }) => type !== 'null')
  const [first = whole] = values
  const describe = whole.description ?? first.description
  return {
    ...named,
    type:
      isTime(first) || isNamedTime(named.name, describe)
        ? 'time'
        : values.length === 1
          ? typeOf(first)
          : 'json',
    ...(values.length === 1 && first.enum && { choices: first.enum }),
    ...(isRequired && { isRequired }),
    ...(values.length < kinds.length && { isNullable: true }),
    ...(describe !== undefined && { describe }),
  }
}

const PLAIN = ['string', 'integer', 'number', 'boolean'] as const

const typeOf = ({ type, enum: choices }: Schema): Argument['type'] =>
  PLAIN.find((one) => one === (choices ? typeof choices[0] : type)) ?? 'json'

/** A text that can be a time, and not any other. */
const isTime = (schema: Schema): boolean =>
  schema.type === 'string' &&
  Check(schema, '2027-01-31 10:00:00') &&
  !Check(schema, 'some text') &&
  schema.enum === undefined

/** The handler looks whether it is one. */
const isNamedTime = (name: string, describe = ''): boolean =>
  /^(from|to|target|trial_ends)$/.test(name) && !/`YYYY-MM(-DD)?`/.test(describe)

const describeOf = (property: TSchema | undefined, name: string): string =>
  (property as Schema | undefined)?.description ??
  `ID of the ${name.replace(/_id$/, '').replaceAll('_', ' ')}.`
