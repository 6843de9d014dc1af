import type { CompiledQuery } from 'kysely'
import { goOn, type Soon } from '../lib/soon.ts'
import type { Reader, Writer } from './database.ts'
import type { Owner } from './scoped.ts'
import { runnerOf } from './runner.ts'

/** Stands for a value that is given at each run. */
class Hole {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

interface Plan {
  readonly sql: string
  /** A fixed value, or the name of the one given at the run. */
  readonly parameters: readonly (unknown | Hole)[]
}

/**
 * A query that is built and compiled once per engine and then only run: Kysely's builder costs more than
 * the statement itself on a hot path. `build` gets the names of `values` as placeholders of their types.
 */
export function prepared<V extends object, R, D extends Reader = Reader>(
  build: (db: D, values: V) => { compile(): CompiledQuery<R> },
): (db: D, values: V) => Soon<R[]> {
  const plans = new Map<unknown, Plan>()
  const planOf = (db: D): Plan => {
    const engine = db.getExecutor().adapter.constructor
    const known = plans.get(engine)
    if (known) return known
    const { sql, parameters } = build(db, holes as V).compile()
    const plan = { sql, parameters }
    plans.set(engine, plan)
    return plan
  }
  return (db, values) => {
    const { sql, parameters } = planOf(db)
    const given = parameters.map((value) => (value instanceof Hole ? values[value.name as keyof V] : value))
    return goOn(runnerOf(db)(sql, given), ({ rows }) => rows as R[])
  }
}

/** These of a row's values by name: a placeholder for a row cannot be spread. */
export const pick = <R extends object, K extends keyof R>(row: R, names: readonly K[]): Pick<R, K> =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<R, K>

const holes: object = new Proxy(
  {},
  {
    get: (_, name) => new Hole(String(name)),
  },
)

/** Prepares a query on the rows of an owner; the plans with and without a user, install or own reach are different. */
export function preparedFor<V extends object, R>(
  build: (db: Reader, owner: Owner, values: V) => { compile(): CompiledQuery<R> },
): (db: Reader, owner: Owner, values: V) => Soon<R[]> {
  const variants = new Map<string, (db: Reader, values: V & Owner & Reached) => Soon<R[]>>()
  return (db, owner, values) => {
    const name = variantOf(owner)
    let run = variants.get(name)
    if (!run) {
      run = prepared((inner: Reader, held: V & Owner & Reached) => build(inner, heldOwner(owner, held), held))
      variants.set(name, run)
    }
    return run(db, { ...values, ...partsOf(owner) })
  }
}

/**
 * Prepares a write of rows, one plan for each list of their columns; those that are undefined are left out. `values` are
 * what else it depends on.
 */
export function preparedRows<Row extends object, R, V extends object = object>(
  build: (db: Writer, rows: Row[], values: V) => { compile(): CompiledQuery<R> },
): (db: Writer, rows: readonly Row[], values: V) => Promise<R[]> {
  const plans = new Map<string, (db: Writer, cells: object) => Soon<R[]>>()
  return async (db, rows, values) => {
    const lists = rows.map((row) => Object.keys(row).filter((name) => row[name as keyof Row] !== undefined))
    const shape = lists.map((names) => names.join(' ')).join(', ')
    let run = plans.get(shape)
    if (!run) {
      run = prepared((inner: Writer, held: object) => {
        const cells = held as Readonly<Record<string, unknown>>
        const holesOf = (names: readonly string[], n: number) =>
          Object.fromEntries(names.map((name) => [name, cells[cellOf(name, n)]])) as Row
        return build(inner, lists.map(holesOf), held as V)
      })
      plans.set(shape, run)
    }
    const cells = { ...values } as Record<string, unknown>
    lists.forEach((names, n) => {
      for (const name of names) cells[cellOf(name, n)] = rows[n]?.[name as keyof Row]
    })
    return run(db, cells)
  }
}

/** The name of a value of the n-th row. */
const cellOf = (name: string, n: number) => `${n} ${name}`

/** `preparedRows` of one row. */
export function preparedRow<Row extends object, R, V extends object = object>(
  build: (db: Writer, row: Row, values: V) => { compile(): CompiledQuery<R> },
): (db: Writer, row: Row, values: V) => Promise<R[]> {
  const run = preparedRows((db, [row]: Row[], values: V) => build(db, row as Row, values))
  return (db, row, values) => run(db, [row], values)
}

/** `preparedRow` on the rows of an owner. */
export function preparedRowFor<Row extends object, R, V extends object = object>(
  build: (db: Writer, owner: Owner, row: Row, values: V) => { compile(): CompiledQuery<R> },
): (db: Writer, owner: Owner, row: Row, values: V) => Promise<R[]> {
  const variants = new Map<string, ReturnType<typeof preparedRow<Row, R, V & Owner & Reached>>>()
  return (db, owner, row, values) => {
    const name = variantOf(owner)
    let run = variants.get(name)
    if (!run) {
      run = preparedRow((inner, cells: Row, held: V & Owner & Reached) =>
        build(inner, heldOwner(owner, held), cells, held),
      )
      variants.set(name, run)
    }
    return run(db, row, { ...values, ...partsOf(owner) })
  }
}

interface Reached {
  readonly reachId: number
}

const variantOf = ({ userId, installId, reach }: Owner) =>
  `${userId !== null} ${installId !== null} ${reach?.of}`

const partsOf = ({ developerId, productId, userId, installId, reach }: Owner) => ({
  developerId,
  productId,
  userId,
  installId,
  reachId: reach?.id ?? 0,
})

/** The owner with placeholders where it limits the rows. */
const heldOwner = ({ userId, installId, reach }: Owner, held: Owner & Reached): Owner => ({
  developerId: held.developerId,
  productId: held.productId,
  userId: userId === null ? null : held.userId,
  installId: installId === null ? null : held.installId,
  ...(reach && { reach: { of: reach.of, id: held.reachId } }),
})
