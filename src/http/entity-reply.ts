import { toDecimal } from '../lib/money.ts'
import type { Field } from './entity-fields.ts'

/** Names that stand in code as they are. */
const PLAIN_NAME = /^[a-z][a-z0-9_]*$/

type Entry = readonly [column: string, field: Field]

/**
 * The function from a row to its reply, written and compiled once: an object that is written out is made several times
 * as fast as one that is filled field by field. `keys` opens what is sealed and not in `known`; a noun that withholds
 * fields has nothing sealed.
 */
export function presenterOf(table: string, entries: readonly Entry[]) {
  const lines = entries.map(([column, field]) => {
    const name = field.options.wire ?? column
    if (![table, column, name].every((word) => PLAIN_NAME.test(word))) throw new Error(`${name} is no name.`)
    return `${name}: ${expressionOf(`${table}.${column}`, column, field)}`
  })
  const own = entries.filter(([, { options }]) => options.present)
  const opening = entries.some(([, { options }]) => options.withheld) ? 'isWithheld' : 'keys, known'
  const write = new Function(
    ...own.map(([column]) => `${column}Of`),
    `return (row, ${opening}) => ({ ${lines.join(', ')} })`,
  )
  return write(...own.map(([, { options }]) => options.present)) as (row: object) => object
}

function expressionOf(place: string, column: string, field: Field): string {
  const { none, withheld } = field.options
  const shown = shownFrom(place, column, field)
  const orNone = none === undefined ? shown : `${shown} ?? ${JSON.stringify(none)}`
  return withheld ? `isWithheld ? ${JSON.stringify(none ?? null)} : ${orNone}` : orNone
}

function shownFrom(place: string, column: string, { form, options }: Field): string {
  if (options.present) return `${column}Of(row)`
  const stored = `row.${column}`
  const shown = {
    plain: stored,
    id: `String(${stored})`,
    flag: `${stored} === 1`,
    money: `${stored} / 100`,
    sealed: `known?.${column} ?? keys.open(${stored}, '${place}')`,
  }[form]
  return options.null && form !== 'plain' ? `${stored} === null ? null : ${shown}` : shown
}

/** A value of a row as replies show it, which an event tells alone. */
export function shownValue({ form, options }: Field, stored: unknown): unknown {
  if (options.present) throw new Error('An event tells nothing that is made of a whole row.')
  if (stored === null || stored === undefined) return null
  if (form === 'flag') return stored === 1
  if (form === 'id') return String(stored)
  if (form === 'money') return toDecimal(stored as number)
  if (form === 'sealed') throw new Error('An event tells nothing that is sealed.')
  return stored
}
