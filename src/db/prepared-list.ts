import type { CompiledQuery } from 'kysely'
import type { Reader } from './database.ts'
import { inList } from './in-list.ts'
import { prepared, preparedFor } from './prepared.ts'
import type { Owner } from './scoped.ts'

type Ids = Readonly<Record<string, number>>

const cellsOf = (ids: readonly number[]): Ids => Object.fromEntries(ids.map((id, n) => [String(n), id]))

const holesOf = (cells: Ids, length: number) =>
  Array.from({ length }, (_, n) => cells[String(n)] as unknown as number)

/** Prepares a query on the rows of some ids, one plan for each length of `inList`. */
export function preparedList<R>(
  build: (db: Reader, ids: number[]) => { compile(): CompiledQuery<R> },
): (db: Reader, ids: readonly number[]) => Promise<R[]> {
  const plans = new Map<number, ReturnType<typeof prepared<Ids, R>>>()
  return async (db, given) => {
    const ids = inList(given)
    const plan =
      plans.get(ids.length) ?? prepared((inner, cells: Ids) => build(inner, holesOf(cells, ids.length)))
    plans.set(ids.length, plan)
    return plan(db, cellsOf(ids))
  }
}

/** `preparedList` on the rows of an owner. */
export function preparedListFor<R>(
  build: (db: Reader, owner: Owner, ids: number[]) => { compile(): CompiledQuery<R> },
): (db: Reader, owner: Owner, ids: readonly number[]) => Promise<R[]> {
  const plans = new Map<number, ReturnType<typeof preparedFor<Ids, R>>>()
  return async (db, owner, given) => {
    const ids = inList(given)
    const plan =
      plans.get(ids.length) ??
      preparedFor((inner, of, cells: Ids) => build(inner, of, holesOf(cells, ids.length)))
    plans.set(ids.length, plan)
    return plan(db, owner, cellsOf(ids))
  }
}
