import type { TObject } from '../../src/lib/type.ts'
import { decode, Problems, type Source } from '../../src/http/decode.ts'
import type { Json } from '../../src/http/openapi-schema.ts'
import type { Schema } from './document.ts'
import type { Fact } from './facts.ts'

/** How an operation takes one argument. */
export interface OurArgument {
  /** Undefined where it knows no argument of this name. */
  readonly schema: Schema | undefined
  /** Whether `value` as it is sent is taken and means `meant` to the operation. */
  accepts(value: unknown, meant: unknown): boolean
}

/** Runs the value through the decoder that serves requests. */
export function isAccepted(
  schema: TObject | undefined,
  name: string,
  { value, meant, source }: { value: unknown; meant: unknown; source: Source },
): boolean {
  if (!schema?.properties[name]) return false
  const problems = new Problems()
  const decoded = decode(schema, { [name]: value }, source, problems) as Record<string, unknown>
  return decoded[name] === meant && !problems.malformed.some(({ field }) => field === name)
}

/** An argument of ours may take more than the contract's, never less. */
export function argumentDifferences(at: string, fact: Fact, { schema, accepts }: OurArgument): string[] {
  if (!schema) return [`${at} is not accepted`]
  if (!takesType(fact, schema.type)) return [`${at} is ${schema.type}, not ${fact.type}`]
  const refused = mustAccept(fact).filter(([value, meant]) => !accepts(value, meant))
  return [
    ...refused.map(([value]) => `${at} refuses ${String(value)}`),
    ...keywordDifferences(at, fact, schema.schema),
  ]
}

function keywordDifferences(at: string, fact: Fact, ours: Json): string[] {
  const figure = (name: string) => (typeof ours[name] === 'number' ? ours[name] : undefined)
  const isBelow = (one: number | undefined, other: number | undefined) =>
    one !== undefined && other !== undefined && one < other
  const isLimited = 'enum' in ours && !fact.enum && fact.type !== 'any'
  const isOtherwise = 'default' in ours && fact.default !== undefined && ours['default'] !== fact.default
  return [
    isLimited && `${at} takes only some values`,
    isOtherwise && `${at} is ${String(ours['default'])} by default, not ${String(fact.default)}`,
    isBelow(fact.minimum, figure('minimum')) && `${at} has a higher minimum`,
    isBelow(figure('maximum'), fact.maximum) && `${at} has a lower maximum`,
    isBelow(figure('maxLength'), fact.maxLength) && `${at} must be shorter`,
  ].filter((line) => line !== false)
}

/** What must be taken, and what it means. */
function mustAccept(fact: Fact): (readonly [value: unknown, meant: unknown])[] {
  const isBoolean = fact.type === 'boolean' || fact.type_public_api === 'boolean'
  return [
    ...(fact.enum ?? []).map((choice) => [choice, choice] as const),
    ...(fact.nullable ? [[null, null] as const] : []),
    ...(isBoolean
      ? ([
          [true, true],
          [false, false],
          ['true', true],
        ] as const)
      : []),
  ]
}

/** Ids may be numbers to us, and a list may be one text joined by commas (contract facts 1 and 9). */
function takesType(fact: Fact, ours: string): boolean {
  const same: Readonly<Record<string, readonly string[]>> = {
    string: ['string', ...(fact.format === 'int64' ? ['integer'] : []), fact.type_public_api ?? 'string'],
    integer: ['integer', 'number'],
    number: fact.number_kind?.startsWith('float') ? ['number'] : ['number', 'integer'],
    array: ['array', 'string'],
  }
  return (
    fact.type === 'any' ||
    fact.type === 'union' ||
    ours === 'any' ||
    (same[fact.type] ?? [fact.type]).includes(ours)
  )
}
