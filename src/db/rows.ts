import { isFlag, toFlag } from './flags.ts'
import { StatementCache } from './statement-cache.ts'

export type Cells = readonly unknown[]

/** Makes a row out of its cells, in which flags are true or false. */
export type RowOf = (cells: Cells) => unknown

/** What makes rows whose columns have these names. */
export const rowOf = (names: readonly string[]): RowOf => shapes.get(JSON.stringify(names))

/**
 * By the names as a list in JSON. An object that is written out is made and read in a fraction of the time that one
 * takes which is filled name by name, or those of node:sqlite, dictionaries whose names are looked up for each row.
 */
const shapes = new StatementCache<RowOf>(1_000, (list) => {
  const names = JSON.parse(list) as string[]
  const cellOf = (name: string, n: number) => (isFlag(name) ? `toFlag(cells[${n}])` : `cells[${n}]`)
  const cells = names.map((name, n) => `${JSON.stringify(name)}: ${cellOf(name, n)}`)
  const write = new Function('toFlag', `return (cells) => ({ ${cells.join(', ')} })`)
  return write(toFlag) as RowOf
})
