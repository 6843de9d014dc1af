import { InvalidArgumentError } from 'commander'
import { oneOf } from '../arguments.ts'
import type { Setting } from '../command.ts'
import { nameOf } from '../needs.ts'
import type { Argument, Entry } from './operation-table.ts'
import { inUtc } from './times.ts'

/** Options of ours, beside which an argument of the same name has another one. */
const OURS = new Set(['all', 'jsonl', 'json', 'product', 'profile', 'input', 'output', 'help', 'get'])

/** Stands for null, which the parser takes for no value. */
export const NULL = Symbol('null')

type Options = Readonly<Record<`--${string}`, Setting>>

/** `user_id` → `user-id`. */
export function flagOf({ name }: Pick<Argument, 'name'>): string {
  const flag = name.replaceAll('_', '-')
  return OURS.has(flag) ? `with-${flag}` : flag
}

/** As the parser names what an option has. */
export const keyOf = (flag: string): string => nameOf(`--${flag}`)

/** Every argument of an entry's operations once. */
export const argumentsOf = ({ operations }: Entry): Argument[] => {
  const all = operations.flatMap(({ args }) => args)
  return all.filter(({ name }, place) => all.findIndex((other) => other.name === name) === place)
}

/** The options of a verb; one is required that every operation of it wants. */
export function optionsOf(entry: Entry): Options {
  const isSure = ({ name }: Argument) =>
    entry.operations.every(({ args }) => args.some((arg) => arg.name === name && arg.isRequired))
  const settings = argumentsOf(entry).flatMap((arg) => settingsOf(arg, isSure(arg) && !isPlaced(arg)))
  const isRequired = ([, { required }]: (typeof settings)[number]) => required === true
  return Object.fromEntries([...settings.filter(isRequired), ...settings.filter((one) => !isRequired(one))])
}

/** The text to search for stands without the name of an option. */
export const isPlaced = ({ name }: Pick<Argument, 'name'>): boolean => name === 'q'

function settingsOf(arg: Argument, isRequired: boolean): [`--${string}`, Setting][] {
  if (isPlaced(arg)) return []
  const flag = flagOf(arg)
  const describe = describeOf(arg)
  const required = isRequired ? ({ required: true } as const) : {}
  if (arg.type !== 'boolean') {
    const parse = (text: string) => valueOf(arg, text)
    const example = arg.choices ? { example: String(arg.choices[0]) } : {}
    return [[`--${flag} <${placeholderOf(arg)}>`, { describe, parse, ...example, ...required }]]
  }
  const opposite = { describe: `not: ${describe}`, isHidden: true } as const
  return [
    [`--${flag}`, { describe, ...required }],
    [`--no-${flag}`, opposite],
  ]
}

function describeOf({ describe = '', choices, isNullable, type }: Argument): string {
  const ofChoices = choices ? `${choices.join(', ')}` : ''
  const ofNull = isNullable && type !== 'boolean' && !/null/i.test(describe) ? '“null”: none' : ''
  const ofTime = type === 'time' ? 'In UTC, or with its zone: 2027-01-31T10:00+01:00.' : ''
  return (
    [describe.replaceAll('`', ''), ofChoices, ofNull, ofTime].filter(Boolean).join(' ') ||
    'as the interface has it'
  )
}

const placeholderOf = ({ name, type, in: place }: Argument): string => {
  if (place === 'file') return 'file'
  if (type === 'json' || type === 'time') return type
  if (type === 'integer' && /(^|_)id$/.test(name)) return 'id'
  if (type === 'integer' || type === 'number') return 'number'
  return 'text'
}

/** What an argument of this type is, as the body of a request has it. */
export function valueOf({ type, choices, isNullable }: Argument, text: string): unknown {
  if (isNullable && text === 'null') return NULL
  if (choices) {
    const chosen = oneOf(choices.map(String))(text)
    return typeof choices[0] === 'number' ? Number(chosen) : chosen
  }
  if (type === 'integer') return numberOf(text, /^-?\d{1,15}$/, 'a whole number')
  if (type === 'number') return numberOf(text, /^-?\d{1,15}(\.\d+)?$/, 'a number')
  if (type === 'time') return inUtc(text)
  return type === 'json' ? jsonOf(text) : text
}

function numberOf(text: string, form: RegExp, what: string): number {
  if (form.test(text)) return Number(text)
  throw new InvalidArgumentError(`It must be ${what}.`)
}

/** JSON; other text is a text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    if (!/^\s*[[{]/.test(text)) return text
    throw new InvalidArgumentError('It must be JSON.')
  }
}
