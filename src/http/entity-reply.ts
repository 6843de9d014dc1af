import { shownCountry } from '../lib/countries.ts'
import { toDecimal } from '../lib/money.ts'
import type { Field } from './entity-fields.ts'

/** Names that stand in code as they are. */
const PLAIN_NAME = /^[a-z][a-z0-9_]*$/

type Entry = readonly [column: string, field: Field]

/**
 * The function from a row to its reply, written and compiled once: an object that is written out is made several times
 * as fast as one that is filled field by field. `keys` opens what is sealed and not in `known`; null leaves it out.
 */
export function presenterOf(
  table: string,
  entries: readonly Entry[],
  { isWithheld }: { readonly isWithheld: boolean },
) {
  const lines = entries.map(([column, field]) => {
    const { wire: name = column, table: place = table, withheld, optional = false } = field.options
    if (![place, column, name].every((word) => PLAIN_NAME.test(word))) throw new Error(`${name} is no name.`)
    const isLeftOut = isWithheld && withheld !== undefined
    const value = isLeftOut ? JSON.stringify(withheld) : expressionOf(`${place}.${column}`, column, field)
    return { line: `${name}: ${value}`, optional }
  })
  const own = entries.filter(([, { options }]) => options.present)
  const reply = (shown: typeof lines) => `return { ${shown.map(({ line }) => line).join(', ')} }`
  const always = lines.filter(({ optional }) => !optional)
  const locked = always.length < lines.length ? `if (keys === null) ${reply(always)}; ` : ''
  const write = new Function(
    ...own.map(([column]) => `${column}Of`),
    `return (row, keys, known) => { ${locked + reply(lines)} }`,
  )
  return write(...own.map(([, { options }]) => options.present)) as (row: object) => object
}

function expressionOf(place: string, column: string, field: Field): string {
  const { none } = field.options
  const shown = shownFrom(place, column, field)
  return none === undefined ? shown : `${shown} ?? ${JSON.stringify(none)}`
}

function shownFrom(place: string, column: string, { form, options }: Field): string {
  if (options.present) return `${column}Of(row)`
  const stored = `row.${column}`
  const shown = {
    plain: stored,
    id: `String(${stored})`,
    money: `${stored} / 100`,
    country: `${stored}.toLowerCase()`,
    sealed: `known?.${column} ?? keys.open(${stored}, '${place}')`,
  }[form]
  return options.null && form !== 'plain' ? `${stored} === null ? null : ${shown}` : shown
}

/** A value of a row as replies show it, which an event tells alone. */
export function shownValue({ form, options }: Field, stored: unknown): unknown {
  if (options.present) throw new Error('An event tells nothing that is made of a whole row.')
  if (stored === null || stored === undefined) return null
  if (form === 'id') return String(stored)
  if (form === 'money') return toDecimal(stored as number)
  if (form === 'country') return shownCountry(stored as string)
  if (form === 'sealed') throw new Error('An event tells nothing that is sealed.')
  return stored
}
