import { hash } from 'node:crypto'
import { isCountry } from '../lib/countries.ts'
import { isEmail } from '../lib/formats.ts'
import type { Fault } from './codes.ts'
import { parseTimeText } from '../lib/time-text.ts'
import {
  MAX_ID,
  type Column,
  type Form,
  type Kind,
  type Value,
  type Values,
  type Wrong,
} from './kinds/column.ts'

/** A row of a file: what it says, and what is wrong with it. `row` is whole where nothing is wrong. */
export interface Read {
  readonly row: Values
  readonly wrong: readonly Wrong[]
}

type Said = Readonly<Record<string, unknown>>
type Refusal = readonly [reason: Fault, message: string]

/**
 * What a line of JSON says of a kind: every column, with the defaults of those that are left out. All that is wrong with
 * it alone is named at once; what other rows say is looked at by `check-rows`.
 */
export function readRow(kind: Kind, given: unknown): Read {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { row: {}, wrong: [{ column: null, reason: 'no_object', message: 'must be an object' }] }
  }
  const said = saidBy(kind, given as Said)
  const wrong: Wrong[] = []
  const row: Record<string, Value> = {}
  for (const column of Object.keys(said)) {
    if (!Object.hasOwn(kind.columns, column)) {
      wrong.push({ column, reason: 'unknown_column', message: `is no column of ${kind.name}` })
    }
  }
  for (const [name, column] of Object.entries(kind.columns)) {
    const [read, refusal] = valueOf(column, said[name])
    if (refusal) wrong.push({ column: name, reason: refusal[0], message: refusal[1] })
    row[name] = read
  }
  if (wrong.length === 0) wrong.push(...kind.rules.flatMap((rule) => rule(row) ?? []))
  return { row, wrong }
}

const saidBy = ({ told }: Kind, given: Said): Said => told?.(given) ?? given

function valueOf(column: Column, given: unknown): readonly [Value, Refusal?] {
  if (given === undefined) {
    if (column.default !== undefined) return [column.default]
    return column.null ? [null] : [null, ['missing', 'is missing']]
  }
  if (given === null) return column.null ? [null] : [null, ['missing', 'must not be empty']]
  const refusal = refusalOf(column, given)
  return refusal ? [null, refusal] : [given as Value]
}

function refusalOf(column: Column, given: unknown): Refusal | null {
  switch (column.type) {
    case 'integer':
      return refusalOfInteger(column, given)
    case 'choice':
      return refusalOfChoice(column.of, given)
    case 'bytes':
      return refusalOfText(given, column.max * 2) ?? (BASE64.test(String(given)) ? null : NOT_BASE64)
    case 'text':
    case 'secret':
      return refusalOfText(given, column.max) ?? refusalOfForm(column, String(given))
    default:
      return REFUSALS[column.type](given)
  }
}

/** Of columns that are all alike. */
const REFUSALS: Readonly<
  Record<'id' | 'reference' | 'flag' | 'time' | 'json', (given: unknown) => Refusal | null>
> = {
  id: refusalOfId,
  reference: refusalOfId,
  flag: (given) => (typeof given === 'boolean' ? null : ['not_flag', 'must be true or false']),
  time: refusalOfTime,
  json: (given) => (isJson(given) ? null : ['not_json', 'must be a list or an object as JSON in a text']),
}

function refusalOfId(given: unknown): Refusal | null {
  return isWhole(given) && given >= 1 && given <= MAX_ID ? null : ['not_id', 'must be an id, such as 7']
}

const isWhole = (given: unknown): given is number => Number.isSafeInteger(given)
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const NOT_BASE64: Refusal = ['wrong_form', 'must be base64']

function refusalOfInteger({ min, max }: { readonly min: number; readonly max: number }, given: unknown) {
  if (!isWhole(given)) return ['not_integer', 'must be a whole number'] as const
  if (given < min) return ['too_small', `must be at least ${min}`] as const
  return given > max ? (['too_large', `must be at most ${max}`] as const) : null
}

function refusalOfChoice(of: readonly (string | number)[], given: unknown): Refusal | null {
  if (of.some((one) => one === given)) return null
  const isCurrency = of.includes('usd')
  return isCurrency
    ? ['unknown_currency', `must be a currency of this server: ${of.join(', ')}`]
    : ['unknown_choice', `must be one of ${of.join(', ')}`]
}

function refusalOfTime(given: unknown): Refusal | null {
  if (typeof given !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(given))
    return ['not_time', 'must be a time YYYY-MM-DD HH:MM:SS in UTC']
  return parseTimeText(given, 'first second') === null
    ? ['impossible_time', 'is no day, or no time of a day']
    : null
}

function refusalOfText(given: unknown, max: number): Refusal | null {
  if (typeof given !== 'string') return ['not_text', 'must be text']
  if (given.length > max) return ['too_long', `must have at most ${max} characters`]
  return given.isWellFormed() && !given.includes('\0') ? null : ['not_text', 'has characters that are none']
}

type Check = (text: string, isNullable: boolean) => boolean
const like =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text)

const FORMS: Readonly<Record<Form, readonly [Check, string]>> = {
  // An erased person has no address.
  address: [(text) => text === '' || isEmail(text), 'must be an address for mail'],
  'public key': [like(/^pk_[\x21-\x7e]{8,61}$/), 'must be a public key, such as pk_…'],
  'secret key': [like(/^sk_[\x21-\x7e]{8,61}$/), 'must be a secret key, such as sk_…'],
  'license key': [like(/^[^\s\p{C}]{1,255}$/u), 'must be a license key without spaces'],
  sha256: [like(/^[0-9a-f]{64}$/), 'must be a SHA-256 in 64 lower-case hexadecimal digits'],
  uid: [like(/^[\x21-\x7e]{1,255}$/), 'must be visible characters without spaces'],
  country: [
    (text, isNullable) => (text === '' && !isNullable) || isCountry(text),
    'must be the code of a country (ISO 3166-1, two letters)',
  ],
}

function refusalOfForm(
  column: { readonly form?: Form; readonly null?: true },
  given: string,
): Refusal | null {
  if (column.form === undefined) return null
  const [fits, message] = FORMS[column.form]
  return fits(given, column.null === true) ? null : ['wrong_form', message]
}

function isJson(given: unknown): boolean {
  if (typeof given !== 'string' || given.length > 5_000_000) return false
  try {
    return typeof JSON.parse(given) === 'object'
  } catch {
    return false
  }
}

/** What names a row among those of its kind, as text. */
export const keyOf = ({ key }: Kind, row: Values): string => key.map((column) => row[column]).join(':')

/** A hash of what a row of a file says, the same on every server. */
export const hashOf = ({ columns, unhashed }: Kind, row: Values): string => {
  const names = Object.keys(columns).filter((name) => !unhashed.includes(name))
  return hash('sha256', JSON.stringify(names.map((name) => row[name] ?? null)), 'base64url')
}

/** A line of CSV, whose cells are text, as a line of JSON would say it; what does not fit stays text. */
export function ofCells({ columns }: Kind, cells: Readonly<Record<string, string | null>>): object {
  const typed = Object.entries(cells).map(([name, cell]) => {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined
    return [name, column === undefined || cell === null ? cell : typedCell(column, cell)] as const
  })
  // An empty cell of a column that has a default, and is no text, is one that was left out.
  return Object.fromEntries(typed.filter(([name, value]) => value !== null || isEmpty(columns[name])))
}

/** Whether an empty cell says something by itself. */
const isEmpty = (column: Column | undefined) => column === undefined || column.default === undefined

function typedCell(column: Column, cell: string): Value {
  switch (column.type) {
    case 'id':
    case 'reference':
    case 'integer':
      return NUMBER.test(cell) ? Number(cell) : cell
    case 'flag':
      return FLAGS.get(cell.toLowerCase()) ?? cell
    case 'choice':
      return column.of.some((one) => typeof one === 'number') && NUMBER.test(cell) ? Number(cell) : cell
    default:
      return cell
  }
}

const NUMBER = /^-?\d{1,16}$/
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])
