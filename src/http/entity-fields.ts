import { Type, type TSchema } from '../lib/type.ts'
import type { DataClassName } from '../access/data-classes.ts'
import type { Sealed } from '../db/tables/columns.ts'
import type { EventType } from '../db/tables/event-types.ts'
import { toMinor } from '../lib/money.ts'
import { parseTimeText } from '../lib/time-text.ts'
import type { UtcTime } from '../lib/time.ts'
import { Choice, Id, IdText, Nullable, Optional, Price, SecretText, Text, Time, TimeText } from './wire.ts'

/** Fits an integer of every client. */
const MAX_INTEGER = 2_147_483_647

/** How callers give a value: as its kind is given, with words or without, or by an argument of its own. */
type Given = string | true | Argument

export interface Argument {
  /** Its name where that is not the column's. */
  readonly name?: string
  readonly schema: TSchema
  /** From what was sent to the value; as it was sent unless given. */
  readonly read?: (sent: never) => unknown
}

/** Given alike at creation and at a change. */
export const given = <const T>(argument: T) => ({ create: argument, update: argument }) as const

/** Given alike at both, by a schema of its own. */
export const givenAs = <S extends TSchema>(schema: S) => given({ schema })

/** Asked for at creation; at a change what is left out stays. */
export const asked = <S extends TSchema>(schema: S) =>
  ({ create: { schema }, update: { schema: Optional(schema) } }) as const

/** The event of a change to true or to what is higher, and that of one back; null: the noun's. */
export interface UpAndDown {
  readonly up: EventType
  readonly down: EventType | null
  /** Which of two values is higher, where it is not as the database sorts them. */
  readonly compare?: (a: never, b: never) => number
}

/** What is said of a field beside its kind. */
export interface FieldOptions {
  /** The table of its column, where that is not the noun's. */
  readonly table?: string
  /** Its name in replies and events where that is not the column's. */
  readonly wire?: string
  /** The column may be null. */
  readonly null?: true
  /** The database fills the column in where an insert leaves it out. */
  readonly filled?: true
  /** Nobody is shown it. */
  readonly hidden?: true
  /** What is sealed is left out of a reply to who gives no keys. */
  readonly optional?: true
  /** What stands in its place for whom the noun withholds it. */
  readonly withheld?: string | number | null
  readonly description?: string
  /** In replies, where the contract says it otherwise than its kind. */
  readonly shown?: TSchema
  /** What a reply shows of the row, where that is not the column's value. */
  readonly present?: (row: never) => unknown
  /** What a reply shows in the place of null. */
  readonly none?: string
  /** Who may not see it (`access/data-classes.ts`). */
  readonly class?: DataClassName
  /** How the calls that create and that change one are given it; not at all unless said. */
  readonly create?: Given
  readonly update?: Given
  /** Only the seller gives it; from others it is not heard. */
  readonly sellers?: true
  /** How lists are narrowed to those with a value of it. */
  readonly filter?: Given
  /** The value that it begins with where nobody gives one. */
  readonly initial?: string | number | boolean | null
  /** The event that tells that it changed, where it is another than the noun's; `by rule`: a rule of the noun says which. */
  readonly told?: EventType | UpAndDown | 'by rule'
}

/** How a value goes from its column into replies and back. */
export type Form = 'plain' | 'id' | 'sealed' | 'money' | 'country'

/** The types of a field: as stored, as code changes it, as shown, as sent, and what is said of it. */
export interface FieldTypes {
  readonly stored: unknown
  readonly value: unknown
  readonly shown: unknown
  readonly sent: unknown
  readonly options: object
}

/** A column of a noun. */
export interface Field<T extends FieldTypes = FieldTypes> {
  readonly form: Form
  readonly options: FieldOptions
  /** In replies. */
  readonly schema: TSchema
  /** As an argument, with its words. */
  readonly argument: (description: string) => TSchema
  /** From an argument to the value; as it was sent unless given. */
  readonly read?: (sent: never) => unknown
  /** Never set: what the compiler knows of it. */
  readonly types?: T
}

type OrNull<T, O> = O extends { readonly null: true } ? T | null : T
type ShownOf<T, O> = O extends { readonly present: (row: never) => infer S }
  ? S
  : O extends { readonly none: string }
    ? T
    : OrNull<T, O>

interface FieldOf<Stored, Value, Shown, Sent, O> {
  readonly stored: OrNull<Stored, O>
  readonly value: OrNull<Value, O>
  readonly shown: ShownOf<Shown, O>
  readonly sent: OrNull<Sent, O>
  readonly options: O & object
}

function shownAs({ shown, null: isNull, none, optional }: FieldOptions, schema: TSchema): TSchema {
  const value = shown ?? (isNull && none === undefined ? Nullable(schema) : schema)
  return optional ? Optional(value) : value
}

const said = ({ description = '' }: { readonly description?: string }) =>
  description === '' ? {} : { description }

/** A number inside, decimal text in replies. */
export const id = <const O extends FieldOptions>(
  options: O,
): Field<FieldOf<number, number, string, number, O>> => ({
  form: 'id',
  options,
  schema: shownAs(options, IdText(options.description)),
  argument: Id,
})

/** A moment in UTC; as an argument also a date, which stands for its last second. */
export const time = <const O extends FieldOptions>(
  options: O,
): Field<FieldOf<UtcTime, UtcTime, string, string, O>> => ({
  form: 'plain',
  options,
  schema: shownAs(options, Time(options.description)),
  argument: TimeText,
  read: (sent: string | null) => (sent === null ? null : parseTimeText(sent, 'last second')),
})

/** A whole number; as an argument from 0. */
export const integer = <const O extends FieldOptions>(
  options: O,
): Field<FieldOf<number, number, number, number, O>> => ({
  form: 'plain',
  options,
  schema: shownAs(options, Type.Integer(said(options))),
  argument: (description) => Type.Integer({ minimum: 0, maximum: MAX_INTEGER, ...said({ description }) }),
})

/** An amount in minor units, which replies and arguments have in units with two decimals (`docs/decisions.md` 5.1). */
export const money = <const O extends FieldOptions>(
  options: O,
): Field<FieldOf<number, number, number, number, O>> => ({
  form: 'money',
  options,
  schema: shownAs(options, Type.Number(said(options))),
  argument: Price,
  read: (sent: number | null) => (sent === null ? null : toMinor(sent)),
})

/** True or false. */
export const flag = <const O extends FieldOptions>(
  options: O,
): Field<FieldOf<boolean, boolean, boolean, boolean, O>> => ({
  form: 'plain',
  options,
  schema: shownAs(options, Type.Boolean(said(options))),
  argument: (description) => Type.Boolean(said({ description })),
})

/** A line of text. */
export const text = <const O extends FieldOptions>(
  options: O,
): Field<FieldOf<string, string, string, string, O>> => ({
  form: 'plain',
  options,
  schema: shownAs(options, Type.String(said(options))),
  argument: (description) => Text({ description }),
})

/** The code of a country, in upper case in its column and in lower case in replies; as an argument empty is none. */
export const country = <const O extends FieldOptions>(
  options: O,
): Field<FieldOf<string, string, string, string, O>> => ({
  form: 'country',
  options,
  schema: shownAs(options, Type.String(said(options))),
  argument: (description) => Text({ format: 'country-or-empty', description }),
  read: (sent: string | null) => sent?.toUpperCase() || null,
})

/** One of a few texts or numbers. */
export const choice = <const V extends string | number, const O extends FieldOptions>(
  values: readonly V[],
  options: O,
): Field<FieldOf<V, V, V, V, O>> => ({
  form: 'plain',
  options,
  schema: shownAs(options, Choice(values, said(options))),
  argument: (description) => Choice(values, said({ description })),
})

/** Text that the keyring has sealed for its table and column; in clear in replies. */
export const sealed = <const O extends FieldOptions>(
  options: O,
): Field<FieldOf<Sealed, never, string, never, O>> => ({
  form: 'sealed',
  options,
  schema: shownAs(options, Type.String(said(options))),
  argument: (description) => SecretText({ description }),
})

/** What a reply tells of several columns, and is none itself; `class`: who may not see it. */
export const derived = <Row, Shown>(
  shown: TSchema,
  present: (row: Row) => Shown,
  more: Pick<FieldOptions, 'class'> = {},
): Field<{
  stored: never
  value: never
  shown: Shown
  sent: never
  options: { present: typeof present }
}> => ({
  form: 'plain',
  options: { ...more, shown, present },
  schema: shown,
  argument: () => shown,
})
