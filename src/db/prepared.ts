import type { CompiledQuery } from 'kysely'
import { goOn, type Soon } from '../lib/soon.ts'
import type { Reader } from './database.ts'
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
    const { developerId, productId, userId, installId, reach } = owner
    const name = `${userId !== null} ${installId !== null} ${reach?.of}`
    let run = variants.get(name)
    if (!run) {
      const limits = { ...(userId === null && { userId }), ...(installId === null && { installId }) }
      run = prepared((inner: Reader, held: V & Owner & Reached) => {
        const { developerId: developer, productId: product, userId: user, installId: install } = held
        const owned = {
          developerId: developer,
          productId: product,
          userId: user,
          installId: install,
          ...limits,
          ...(reach && { reach: { of: reach.of, id: held.reachId } }),
        }
        return build(inner, owned, held)
      })
      variants.set(name, run)
    }
    return run(db, { ...values, developerId, productId, userId, installId, reachId: reach?.id ?? 0 })
  }
}

interface Reached {
  readonly reachId: number
}
