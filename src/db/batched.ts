import type { Reader } from './database.ts'

/** A statement of many rows at once, and that of one where it is another. */
interface Statement<Db, Item, Result> {
  /** Absent: `many` of one. */
  readonly one?: (db: Db, item: Item) => PromiseLike<Result> | Result
  /** Answers of the rows in their order. */
  readonly many: (db: Db, items: readonly Item[]) => Promise<readonly Result[]>
  /** What rows must have in common to be done by one statement; absent: nothing. */
  readonly alike?: (item: Item) => string
}

interface Asked<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
}

/** Connections on which several works are done at once. */
const shared = new WeakSet<object>()

/**
 * Has works of one transaction go on side by side, step by step: what all of them ask for by a batched statement before
 * the next answer comes is one statement.
 */
export async function sideBySide<T>(db: Reader, works: () => Promise<T>): Promise<T> {
  shared.add(db)
  try {
    return await works()
  } finally {
    shared.delete(db)
  }
}

/** A statement that works which go on side by side do at once; for any other it is that of one row. */
export function batched<Db extends Reader, Item, Result>(
  statement: Statement<Db, Item, Result>,
): (db: Db, item: Item) => Promise<Result> {
  const waiting = new WeakMap<object, Map<string, Asked<Item, Result>[]>>()
  const flush = (db: Db) => {
    const lists = waiting.get(db)
    waiting.delete(db)
    for (const list of lists?.values() ?? []) void answer(statement, db, list)
  }
  return async (db, item) => {
    if (!shared.has(db)) return alone(statement, db, item)
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    let lists = waiting.get(db)
    if (!lists) {
      lists = new Map()
      waiting.set(db, lists)
      // After all that goes on with the last answer, which one statement may have given to many.
      process.nextTick(flush, db)
    }
    const name = statement.alike?.(item) ?? ''
    const list = lists.get(name)
    if (list) list.push({ item, resolve, reject })
    else lists.set(name, [{ item, resolve, reject }])
    return promise
  }
}

async function alone<Db, Item, Result>(
  { one, many }: Statement<Db, Item, Result>,
  db: Db,
  item: Item,
): Promise<Result> {
  if (one) return one(db, item)
  const [result] = await many(db, [item])
  return result as Result
}

async function answer<Db, Item, Result>(
  statement: Statement<Db, Item, Result>,
  db: Db,
  asked: readonly Asked<Item, Result>[],
): Promise<void> {
  const [first] = asked
  try {
    const items = asked.map(({ item }) => item)
    const results =
      first && asked.length === 1 ? [await alone(statement, db, first.item)] : await statement.many(db, items)
    asked.forEach(({ resolve }, n) => resolve(results[n] as Result))
  } catch (error) {
    for (const { reject } of asked) reject(error)
  }
}

/** The rows of some ids in the order of the ids, by what names them. */
export function inOrder<Row, Name extends string | number>(
  rows: readonly Row[],
  names: readonly Name[],
  nameOf: (row: Row) => Name,
): (Row | undefined)[] {
  const byName = new Map(rows.map((row) => [nameOf(row), row]))
  return names.map((name) => byName.get(name))
}
