import type { Checker } from './check-rows.ts'
import type { Item } from './classify.ts'
import type { Kind, Values } from './kinds/column.ts'
import { TakenMeanwhile } from './write-rows.ts'

/** Rows that name another one of their kind come after it, wherever they stand. */
export class Order {
  readonly #columns: readonly string[]
  readonly #kind: Kind
  readonly #checker: Checker
  readonly #written = new Set<number>()
  #aside: Item[] = []

  constructor(kind: Kind, checker: Checker) {
    this.#kind = kind
    this.#checker = checker
    this.#columns = Object.entries(kind.columns).flatMap(([name, column]) =>
      column.type === 'reference' && column.to === kind.name ? [name] : [],
    )
  }

  /** Of some rows, those that can be written. */
  ready(items: readonly Item[]): readonly Item[] {
    if (this.#columns.length === 0) return items
    const ready: Item[] = []
    for (const item of items) {
      if (this.#waits(item.row)) this.#aside.push(item)
      else {
        ready.push(item)
        this.#written.add(Number(item.row['id']))
      }
    }
    return ready
  }

  /** Of those that were put aside, the ones that can be written now. */
  rest(): readonly Item[] {
    const aside = this.#aside
    this.#aside = []
    const ready = this.ready(aside)
    const [stuck] = this.#aside
    if (ready.length === 0 && stuck) {
      throw new TakenMeanwhile(`Line ${stuck.line} of ${this.#kind.name} names itself, by way of others.`)
    }
    return ready
  }

  #waits(row: Values): boolean {
    return this.#columns.some((column) => {
      const id = row[column]
      return typeof id === 'number' && this.#checker.has(this.#kind, id) && !this.#written.has(id)
    })
  }
}
