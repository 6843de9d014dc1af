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

/** Where a list goes on that is read to its end, not by pages: below the last id that was read. */
export interface GoingOn {
  readonly below?: number | undefined
}

/** At the newest row; or at the one before an id. */
export const fromNewest = (offset: number, below?: number): ListStart => ({
  upTo: below === undefined ? Number.MAX_SAFE_INTEGER : below - 1,
  offset,
})

interface Place extends GoingOn {
  readonly offset: number
}

/**
 * The start of a page of everything that a product has in a list, newest first. The marks of a deep offset are
 * summed, so that the rows of one at most are left to skip (`docs/decisions.md` 1.7); without marks all are left.
 */
export const listStart = async (
  db: Reader,
  list: CountedList,
  owner: Owner,
  { offset, below }: Place,
): Promise<ListStart> =>
  below === undefined
    ? startAt(
        offset,
        (await marksOf(db, list, owner, offset)).map((mark) => ({
          from: mark.from_id,
          rows: mark.row_count,
        })),
      )
    : fromNewest(offset, below)

/** The start of a page of the list without the rows that it hides. */
export const shownStart = async (
  db: Reader,
  list: CountedList,
  owner: Owner,
  { offset, below }: Place,
): Promise<ListStart> =>
  below === undefined
    ? startAt(
        offset,
        (await marksOf(db, list, owner, offset)).map((mark) => ({
          from: mark.from_id,
          rows: mark.row_count - mark.hidden_count,
        })),
      )
    : fromNewest(offset, below)

async function marksOf(
  db: Reader,
  list: CountedList,
  { productId, userId, installId }: Owner,
  offset: number,
) {
  if (offset < ROWS_OF_MARK || userId !== null || installId !== null) return []
  return findMarks(db, { list, productId })
}

function startAt(offset: number, marks: readonly { from: number; rows: number }[]): ListStart {
  let start = fromNewest(offset)
  for (const { from, rows } of marks) {
    if (start.offset < rows) return start
    start = { upTo: from - 1, offset: start.offset - rows }
  }
  return start
}

const findMarks = prepared((db, { list, productId }: { list: CountedList; productId: number }) =>
  db
    .selectFrom('list_marks')
    .select(['from_id', 'row_count', 'hidden_count'])
    .where('list', '=', list)
    .where('product_id', '=', productId)
    .orderBy('from_id', 'desc'),
)
