import type { Reader } from './database.ts'
import { ROWS_OF_MARK } from './dialect.ts'
import { prepared } from './prepared.ts'
import type { Owner } from './scoped.ts'
import type { CountedList } from './tables/list-marks.ts'

/** Where a page is found: `offset` rows below the id `upTo`, which itself counts. */
export interface ListStart {
  readonly upTo: number
  readonly offset: number
}

/** At the newest row. */
export const fromNewest = (offset: number): ListStart => ({ upTo: Number.MAX_SAFE_INTEGER, offset })

/**
 * The start of a page of everything that a product has in a list, newest first. The marks of a deep offset are
 * summed, so that the rows of one at most are left to skip (DECISIONS 1.7); without marks all are left.
 */
export async function listStart(
  db: Reader,
  list: CountedList,
  { productId, userId, installId }: Owner,
  offset: number,
): Promise<ListStart> {
  let start = fromNewest(offset)
  if (offset < ROWS_OF_MARK || userId !== null || installId !== null) return start
  for (const mark of await findMarks(db, { list, productId })) {
    if (start.offset < mark.row_count) return start
    start = { upTo: mark.from_id - 1, offset: start.offset - mark.row_count }
  }
  return start
}

const findMarks = prepared((db, { list, productId }: { list: CountedList; productId: number }) =>
  db
    .selectFrom('list_marks')
    .select(['from_id', 'row_count'])
    .where('list', '=', list)
    .where('product_id', '=', productId)
    .orderBy('from_id', 'desc'),
)
