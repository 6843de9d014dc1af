import type { TObject, TSchema } from '../lib/type.ts'
import { invalidFields, missingFields, unknownArguments, type FieldError } from '../lib/errors.ts'
import { checkerOf, type Checker, type ValidationError } from './checker.ts'
import { formatMessage, ID_FORMAT } from './wire.ts'

/** `text` values come from a path, a query or a form, where everything is text. */
export type Source = 'json' | 'text'

/** Stands for an id that is well formed but beyond every sequence: it finds nothing (`docs/decisions.md` 1.3). */
export const NO_SUCH_ID = Number.MAX_SAFE_INTEGER
const MAX_INT64 = 9223372036854775807n

type Decode = (value: unknown, source: Source) => unknown

interface Plan {
  readonly checker: Checker
  readonly decoders: readonly Decoder[]
}

interface Decoder {
  readonly name: string
  readonly decodeOne: Decode
  readonly byDefault: unknown
  readonly repeats: boolean
}

const plans = new WeakMap<TObject, Plan>()

/** Problems of one part of a request; all parts are reported together. */
export class Problems {
  readonly malformed: FieldError[] = []
  readonly missing: FieldError[] = []
  /** What is not taken, where that is refused. */
  readonly unknown: FieldError[] = []

  /** Whether something is wrong with a field or within it. */
  has(field: string): boolean {
    return [...this.malformed, ...this.missing].some((problem) => nameOf(problem) === field)
  }

  /** Throws 400 when anything is unknown or malformed, 402 when fields are only missing (`docs/decisions.md` 2.2). */
  refuse(): void {
    if (this.unknown.length > 0) throw unknownArguments([...this.unknown, ...this.malformed, ...this.missing])
    if (this.malformed.length > 0) throw invalidFields([...this.malformed, ...this.missing])
    if (this.missing.length > 0) throw missingFields(this.missing)
  }
}

/** The argument in which a problem is: `sites` of `sites.0.uid`. */
const nameOf = ({ field }: FieldError): string => field.split('.', 1)[0] ?? field

/**
 * Takes what `schema` names out of `input`, each value in the type the schema gives, defaults filled in.
 * What is wrong is added to `problems`; the result is only meaningful when nothing was.
 */
export function decode(schema: TObject, input: object, source: Source, problems: Problems): object {
  const { checker, decoders } = planOf(schema)
  const values: Record<string, unknown> = {}
  for (const { name, decodeOne, byDefault, repeats } of decoders) {
    const value = Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined
    if (value === undefined) {
      if (byDefault !== undefined) values[name] = byDefault
    } else if (repeats && isTexts(value)) {
      values[name] = value.join(',')
    } else if (source === 'text' && Array.isArray(value)) {
      problems.malformed.push({ field: name, message: 'must be given once' })
      values[name] = undefined
    } else {
      values[name] = decodeOne(value, source)
    }
  }
  if (!checker.Check(values)) collect(checker, values, problems)
  // What is malformed is taken out, so that rules about several fields see only values of their types.
  for (const problem of problems.malformed) delete values[nameOf(problem)]
  return values
}

/** Compiled once a schema, at its first use. */
function planOf(schema: TObject): Plan {
  const known = plans.get(schema)
  if (known) return known
  const decoders = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    decodeOne: decoderOf(property),
    byDefault: defaultOf(property),
    repeats: (property as Keywords).repeats === true,
  }))
  const plan = { checker: checkerOf(schema), decoders }
  plans.set(schema, plan)
  return plan
}

interface Keywords {
  readonly type?: string
  readonly format?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  /** The choices are lower-case text, sent in whatever case. */
  readonly anyCase?: boolean
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  /** A list with commas, which may be given as several arguments of one name too. */
  readonly repeats?: boolean
}

const defaultOf = (schema: TSchema): unknown => (schema as Keywords).default

function decoderOf(schema: TSchema): Decode {
  const { type, format, anyOf, items, enum: choices, anyCase } = schema as Keywords
  if (anyOf) {
    const inner = decoderOf(anyOf.find((option) => (option as Keywords).type !== 'null') ?? schema)
    return (value, source) => (value === null ? null : inner(value, source))
  }
  if (type === 'array') return listDecoder(items)
  if (type === 'boolean') return decodeBoolean
  if (type === 'number') return decodeNumber
  if (type === 'integer') return format === ID_FORMAT ? decodeId : decodeInteger
  if (choices?.every((choice) => typeof choice === 'number')) return decodeInteger
  return anyCase ? inLowerCase : asItIs
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

const asItIs: Decode = (value) => value

const inLowerCase: Decode = (value) => (typeof value === 'string' ? value.toLowerCase() : value)

/** A form says a list of one as its only value, and an empty list as empty text. */
function listDecoder(items: TSchema | undefined): Decode {
  const decodeItem = items ? decoderOf(items) : asItIs
  return (value, source) => {
    if (source === 'json' || typeof value !== 'string') return value
    return value === '' ? [] : [decodeItem(value, source)]
  }
}

const decodeBoolean: Decode = (value, source) => {
  if (value === 'true' || value === 1 || value === '1') return true
  if (value === 'false' || value === 0 || value === '0') return false
  return value === '' && source === 'text' ? false : value
}

const decodeInteger: Decode = (value) =>
  typeof value === 'string' && /^(0|-?[1-9][0-9]{0,15})$/.test(value) ? Number(value) : value

const decodeNumber: Decode = (value) =>
  typeof value === 'string' && /^-?(0|[1-9][0-9]{0,15})(\.[0-9]{1,15})?$/.test(value) ? Number(value) : value

const decodeId: Decode = (value) => {
  if (typeof value !== 'string') return value
  if (!/^[1-9][0-9]{0,18}$/.test(value) || (value.length === 19 && BigInt(value) > MAX_INT64)) return value
  const id = Number(value)
  return Number.isSafeInteger(id) ? id : NO_SUCH_ID
}

function collect(checker: Checker, values: object, problems: Problems): void {
  const seen = new Set(problems.malformed.map(({ field }) => field))
  for (const error of checker.Errors(values)[1]) {
    if (error.keyword === 'required') {
      const absent = error.params.requiredProperties.filter((field) => !seen.has(field))
      problems.missing.push(...absent.map((field) => ({ field, message: 'is required' })))
      continue
    }
    const field = error.instancePath.slice(1).replaceAll('/', '.')
    if (seen.has(field)) continue
    seen.add(field)
    problems.malformed.push({ field, message: messageOf(error) })
  }
}

function messageOf(error: ValidationError): string {
  if (error.keyword === 'format') return formatMessage(error.params.format)
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`
  if (error.keyword === 'type') return `must be ${[error.params.type].flat().join(' or ')}`
  return error.message
}
