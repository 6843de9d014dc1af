import { Bounded } from '../lib/bounded.ts'
import { isFlag, toFlag } from './flags.ts'

export type Cells = readonly unknown[]

/** Makes a row out of its cells, in which flags are true or false. */
export type RowOf = (cells: Cells) => unknown

/** What makes rows whose columns have these names. */
export function rowOf(names: readonly string[]): RowOf {
  const list = JSON.stringify(names)
  return shapes.get(list) ?? shapes.keep(list, shapeOf(names))
}

/** By the names as a list in JSON. */
const shapes = new Bounded<RowOf>(1_000)

/**
 * An object that is written out is made and read in a fraction of the time that one takes which is filled name by name,
 * or those of node:sqlite, dictionaries whose names are looked up for each row.
 */
function shapeOf(names: readonly string[]): RowOf {
  const cellOf = (name: string, n: number) => (isFlag(name) ? `toFlag(cells[${n}])` : `cells[${n}]`)
  const cells = names.map((name, n) => `${JSON.stringify(name)}: ${cellOf(name, n)}`)
  const write = new Function('toFlag', `return (cells) => ({ ${cells.join(', ')} })`)
  return write(toFlag) as RowOf
}
