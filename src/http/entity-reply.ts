import type { Field } from './entity-fields.ts'

/** Names that stand in code as they are. */
const PLAIN_NAME = /^[a-z][a-z0-9_]*$/

/**
 * The function from a row to its reply, written and compiled once: an object that is written out is made several times
 * as fast as one that is filled field by field. `keys` opens what is sealed and not in `known`.
 */
export function presenterOf(table: string, entries: readonly (readonly [column: string, field: Field])[]) {
  const lines = entries.map(([column, field]) => {
    const name = field.options.wire ?? column
    if (![table, column, name].every((word) => PLAIN_NAME.test(word))) throw new Error(`${name} is no name.`)
    return `${name}: ${expressionOf(`${table}.${column}`, column, field)}`
  })
  return new Function('row', 'keys', 'known', `return { ${lines.join(', ')} }`) as (row: object) => object
}

function expressionOf(place: string, column: string, { form, options }: Field): string {
  const stored = `row.${column}`
  const shown = {
    plain: stored,
    id: `String(${stored})`,
    flag: `${stored} === 1`,
    sealed: `known?.${column} ?? keys.open(${stored}, '${place}')`,
  }[form]
  return options.null && form !== 'plain' ? `${stored} === null ? null : ${shown}` : shown
}

/** A value of a row as replies show it, which an event tells alone. */
export function shownValue({ form }: Field, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null
  if (form === 'flag') return stored === 1
  if (form === 'id') return String(stored)
  if (form === 'sealed') throw new Error('An event tells nothing that is sealed.')
  return stored
}
