import type { SelectQueryBuilder } from 'kysely'
import type { Reader } from './database.ts'
import { unscoped } from './scoped.ts'
import type { Tables } from './tables/tables.ts'

type Some<T extends keyof Tables> = SelectQueryBuilder<Tables, T, object>

/** How many rows a scoped query finds, counted no further than `most`; its order and its place do not matter. */
export async function countRows<T extends keyof Tables>(
  db: Reader,
  query: Some<T>,
  most: number,
): Promise<number> {
  const some = query.clearOrderBy().clearLimit().clearOffset().limit(most)
  const { count } = await unscoped(db, 'the rows are those of a scoped query')
    .selectFrom(some.as('found'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
