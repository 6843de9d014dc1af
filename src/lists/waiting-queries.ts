import type { Reader } from '../db/database.ts'
import { unscoped } from '../db/scoped.ts'

/** How many of an account are not done yet. */
export async function countWaiting(
  db: Reader,
  table: 'bulks' | 'exports',
  developerId: number,
): Promise<number> {
  const { count } = await unscoped(db, 'the account is that of the scope')
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('developer_id', '=', developerId)
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
