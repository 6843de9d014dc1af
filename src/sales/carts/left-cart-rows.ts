import { sql } from 'kysely'
import type { Writer } from '../../db/database.ts'
import type { UtcTime } from '../../lib/time.ts'

/**
 * Removes up to `limit` carts that were never bought and last visited by `until`, the oldest first; returns how many.
 * Of an address that wants no mails the newest one stays, as it says so. The time stands in the outer condition too:
 * one that is visited or bought meanwhile stays.
 */
export async function deleteLeftCarts(
  db: Writer,
  { until, limit }: { readonly until: UtcTime; readonly limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from carts where completed is null and last_visit <= ${until} and id in (
      select id from carts as old
      where completed is null and last_visit <= ${until}
        and (is_unsubscribed = 0 or exists (select 1 from carts as newer
          where newer.product_id = old.product_id and newer.email_folded = old.email_folded
            and newer.id > old.id and newer.is_unsubscribed = 1))
      order by last_visit limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}
