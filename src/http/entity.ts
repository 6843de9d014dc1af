import type { Static, TObject, TOptional, TSchema, TUnsafe } from '../lib/type.ts'
import { DATA_CLASSES } from '../access/data-classes.ts'
import { SEALED_COLUMNS } from '../db/sealed-columns.ts'
import type { EventType } from '../db/tables/event-types.ts'
import type { Keyring } from '../lib/keyring.ts'
import type { Argument, Field, UpAndDown } from './entity-fields.ts'
import { presenterOf, shownValue } from './entity-reply.ts'
import { Nullable, Optional } from './wire.ts'

export type Fields = Readonly<Record<string, Field>>

/** Where callers give a field. */
type Giving = 'create' | 'update' | 'filter'

type TypesOf<F> = F extends Field<infer T> ? T : never
type Stored<F> = TypesOf<F>['stored']
type Value<F> = TypesOf<F>['value']
type Says<F, Name extends string> = Name extends keyof TypesOf<F>['options']
  ? TypesOf<F>['options'][Name]
  : undefined

type WireName<F, K> = Says<F, 'wire'> extends infer N extends string ? N : K
type ArgumentName<F, G extends Giving, K> =
  Says<F, G> extends { readonly name: infer N extends string } ? N : K
type ArgumentSchema<F, G extends Giving> =
  Says<F, G> extends { readonly schema: infer S extends TSchema }
    ? S
    : TOptional<TUnsafe<G extends 'filter' ? NonNullable<TypesOf<F>['sent']> : TypesOf<F>['sent']>>

/** Fields that are columns. */
type ColumnName<F extends Fields> = { [K in keyof F]: [Stored<F[K]>] extends [never] ? never : K }[keyof F]

/** A row of the table. */
export type RowOf<F extends Fields> = { [K in ColumnName<F>]: Stored<F[K]> }

/** What code changes a row by. */
export type ValuesOf<F extends Fields> = { readonly [K in ColumnName<F>]: Value<F[K]> }

/** Those of a change: every field that callers change, or an event tells of. */
export type ChangeOf<F extends Fields> = {
  readonly [K in keyof F as Says<F[K], 'told' | 'update'> extends undefined ? never : K]?: Value<F[K]>
}

type ShownName<F extends Fields> = {
  [K in keyof F]: Says<F[K], 'hidden'> extends true ? never : K
}[keyof F]
type ShownProperties<F extends Fields> = {
  [K in ShownName<F> as WireName<F[K], K>]: Says<F[K], 'optional'> extends true
    ? TOptional<TUnsafe<TypesOf<F[K]>['shown']>>
    : TUnsafe<TypesOf<F[K]>['shown']>
}
type Shown<F extends Fields> = Static<TObject<ShownProperties<F>>>

type Arguments<F extends Fields, G extends Giving> = {
  [K in keyof F as Says<F[K], G> extends undefined ? never : ArgumentName<F[K], G, K>]: ArgumentSchema<
    F[K],
    G
  >
}
type Read<F extends Fields, G extends Giving> = {
  readonly [K in keyof F as Says<F[K], G> extends undefined ? never : K]?: Value<F[K]>
}

type Initial<F extends Fields> = {
  readonly [K in keyof F as Says<F[K], 'initial'> extends undefined ? never : K]: Stored<F[K]>
}

type SealedName<F extends Fields> = {
  [K in ColumnName<F>]: Says<F[K], 'hidden'> extends true ? never : [Value<F[K]>] extends [null] ? K : never
}[ColumnName<F>]

/** What opens the sealed fields of a row, and those that the caller knows in clear already. */
type Opening<F extends Fields> = [SealedName<F>] extends [never]
  ? []
  : [keys: KeysFor<F[SealedName<F>]>, known?: { readonly [K in SealedName<F>]?: string | null }]
type KeysFor<F> = Says<F, 'optional'> extends true ? Keyring | null : Keyring

/** The columns of a row that a reply is made of. */
export type Presented<F extends Fields> = {
  [K in ColumnName<F> as Says<F[K], 'hidden'> extends true ? never : K]: Stored<F[K]>
} & ReadBy<F>
type ReadBy<F extends Fields> = All<
  {
    [K in keyof F]: Says<F[K], 'present'> extends (row: infer Row) => unknown ? (row: Row) => void : never
  }[keyof F]
>
type All<T> = [T] extends [never] ? unknown : [T] extends [(row: infer Row) => void] ? Row : never

/** What events tell of a change: fields that have an event of their own, and the others in the noun's. */
interface Told<Own extends EventType = EventType> {
  readonly own: { readonly type: Own; readonly data: FromTo<unknown> }[]
  readonly together: FromTo<Record<string, unknown>>
}

/** The events that fields name which have one of their own. */
type OwnEvents<F extends Fields> = { [K in keyof F]: EventsIn<Says<F[K], 'told'>> }[keyof F]
type EventsIn<T> = T extends EventType ? T : T extends UpAndDown ? T['up'] | NonNullable<T['down']> : never

interface FromTo<T> {
  readonly from: T
  readonly to: T
}

/** A noun as data: its fields, and what is made of them. */
export interface Entity<F extends Fields> {
  readonly fields: F
  /** What a reply has. */
  readonly shown: ShownProperties<F>
  /** A row as a reply shows it. */
  readonly present: (row: Presented<F>, ...opening: Opening<F>) => Shown<F>
  /** A row as a reply shows it to whom the noun withholds fields. */
  readonly presentWithheld: (row: Presented<F>, ...opening: Opening<F>) => Shown<F>
  /** The arguments by which it is created, changed, and searched for. */
  readonly create: Arguments<F, 'create'>
  readonly update: Arguments<F, 'update'>
  readonly filter: Arguments<F, 'filter'>
  /** What columns begin with where nobody says otherwise. */
  readonly initial: Initial<F>
  /** The values that arguments give; what was not given is left out, and from others what is the seller's. */
  readonly read: <G extends Giving>(giving: G, given: object, isSeller?: boolean) => Read<F, G>
  /** Values as their columns keep them; what is undefined is left out. */
  readonly columns: <V extends Partial<ValuesOf<F>>>(
    values: V,
  ) => { [K in keyof V]: K extends keyof F ? Stored<F[K]> : never }
  /** The values of a row that callers give. */
  readonly givenOf: (row: RowOf<F>) => Required<Read<F, 'create'> & Read<F, 'update'>>
  /** What events tell of a change but what a rule of the noun tells. One that may not be told is told in the noun's. */
  readonly told: (
    changed: FromTo<Partial<RowOf<F>>>,
    mayTell?: (type: EventType) => boolean,
  ) => Told<OwnEvents<F>>
}

type Entry = readonly [column: string, field: Field]

/**
 * Describes the noun of a table. Throws where its fields do not agree with each other or with what other lists say of
 * their names: at the start of the process, not in a request. `told` is the event of fields that name no other; null:
 * none tells of them.
 */
export function entity<const F extends Fields>(
  table: string,
  fields: F,
  { told: type }: { readonly told?: EventType | null } = {},
): Entity<F> {
  const entries: readonly Entry[] = Object.entries(fields)
  for (const entry of entries) check(table, entry, type)
  const shown = entries.filter(([, { options }]) => !options.hidden)
  const others = entries.filter(([, { options }]) => !options.sellers)
  return {
    fields,
    shown: Object.fromEntries(shown.map(([column, field]) => [nameOf(column, field), field.schema])),
    present: presenterOf(table, shown, { isWithheld: false }),
    presentWithheld: presenterOf(table, shown, { isWithheld: true }),
    create: argumentsOf(entries, 'create'),
    update: argumentsOf(entries, 'update'),
    filter: argumentsOf(entries, 'filter'),
    initial: initialOf(entries),
    read: (giving: Giving, given: object, isSeller = true) =>
      read(isSeller ? entries : others, giving, given),
    columns: (values: object) => columns(fields, values),
    givenOf: (row: object) => givenOf(entries, row),
    told: (changed: Changed, mayTell = () => true) => told(fields, changed, { type, mayTell }),
  } as unknown as Entity<F>
}

/** Arguments with these at their end, where a document has long had them. */
export const withLast = <T extends object>(all: T, names: readonly (keyof T & string)[]): T => {
  const isLast = ([name]: [string, unknown]) => names.some((one) => one === name)
  const first = Object.entries(all).filter((entry) => !isLast(entry))
  return Object.fromEntries([...first, ...names.map((name) => [name, all[name]])]) as T
}

const nameOf = (column: string, { options }: Field): string => options.wire ?? column

function check(table: string, [column, field]: Entry, type: EventType | null | undefined): void {
  const { options, form } = field
  const place = `${options.table ?? table}.${column}`
  if (options.update !== undefined && (options.told ?? type) === undefined)
    throw new Error(`${place} is changed by callers, and no event tells of it.`)
  if (form === 'sealed' && !SEALED_COLUMNS.some((known) => `${known.table}.${known.column}` === place))
    throw new Error(`${place} is sealed, and db/sealed-columns.ts does not name it.`)
  if (options.hidden) return
  const name = nameOf(column, field)
  const [kept] =
    Object.entries(DATA_CLASSES).find(([, { fields }]) => fields.some((one) => one === name)) ?? []
  if (kept !== options.class)
    throw new Error(`${place} is of the class ${kept}, as access/data-classes.ts says.`)
}

function argumentsOf(entries: readonly Entry[], giving: Giving): object {
  return Object.fromEntries(
    entries.flatMap(([column, field]) => {
      const given = field.options[giving]
      if (given === undefined) return []
      if (typeof given === 'object') return [[given.name ?? column, given.schema]]
      const schema = field.argument(given === true ? '' : given)
      const mayBeNull = field.options.null && giving !== 'filter'
      return [[column, Optional(mayBeNull ? Nullable(schema) : schema)]]
    }),
  )
}

function read(entries: readonly Entry[], giving: Giving, given: object): object {
  return Object.fromEntries(
    entries.flatMap(([column, field]) => {
      const option = field.options[giving]
      if (option === undefined) return []
      const { name = column, read: own } = typeof option === 'object' ? option : ({} as Argument)
      const sent = given[name as keyof typeof given]
      if (sent === undefined) return []
      const read = own ?? field.read
      return [[column, read ? read(sent) : sent]]
    }),
  )
}

const initialOf = (entries: readonly Entry[]): object =>
  Object.fromEntries(
    entries
      .filter(([, { options }]) => options.initial !== undefined)
      .map(([column, field]) => [column, field.options.initial]),
  )

function columns(fields: Fields, values: object): object {
  return Object.fromEntries(
    Object.entries(values).flatMap(([column, value]) => {
      const field = fields[column]
      if (field === undefined) throw new Error(`There is no field ${column}.`)
      return value === undefined ? [] : [[column, value]]
    }),
  )
}

function givenOf(entries: readonly Entry[], row: object): object {
  const given = entries.filter(([, { options }]) => (options.create ?? options.update) !== undefined)
  return Object.fromEntries(given.map(([column]) => [column, row[column as keyof typeof row]]))
}

type Changed = FromTo<Readonly<Record<string, unknown>>>

interface Telling {
  readonly type: EventType | null | undefined
  readonly mayTell: (type: EventType) => boolean
}

function told(fields: Fields, { from, to }: Changed, telling: Telling): Told {
  const all: Told = { own: [], together: { from: {}, to: {} } }
  for (const column of Object.keys(to)) {
    const field = fields[column]
    const [before, after] = [from[column], to[column]]
    const tells = field && eventOf(field, telling, { from: before, to: after })
    if (!field || tells === undefined) throw new Error(`No event tells that ${column} changed.`)
    if (tells === null || tells === 'by rule') continue
    const [was, is] = [shownValue(field, before), shownValue(field, after)]
    if (tells !== telling.type) {
      all.own.push({ type: tells, data: { from: was, to: is } })
      continue
    }
    all.together.from[nameOf(column, field)] = was
    all.together.to[nameOf(column, field)] = is
  }
  return all
}

function eventOf({ options }: Field, { type, mayTell }: Telling, change: FromTo<unknown>) {
  const said = options.told ?? (options.update === undefined ? undefined : type)
  const isEither = typeof said === 'object' && said !== null
  const tells = isEither ? ((isUp(said, change) ? said.up : said.down) ?? type) : said
  return !tells || tells === 'by rule' || mayTell(tells) ? tells : type
}

/** A value is higher than none. */
function isUp({ compare }: UpAndDown, { from, to }: FromTo<unknown>): boolean {
  if (from === null || to === null) return to !== null
  return compare ? compare(to as never, from as never) >= 0 : (to as number) > (from as number)
}
