import { sql } from 'kysely'
import type { Writer } from '../../db/database.ts'
import type { UtcTime } from '../../lib/time.ts'

interface Unused {
  /** Path under which pictures stand. */
  readonly under: string
  readonly until: UtcTime
  readonly limit: number
}

/**
 * Removes up to `limit` pictures that were last uploaded by `until` and that no product or review shows; returns
 * how many. The time stands in the outer condition too: one that is uploaded again meanwhile stays.
 */
export async function deleteUnusedPictures(db: Writer, { under, until, limit }: Unused): Promise<number> {
  // As `storePicture` writes it into a product's icon or a review's picture.
  const path = sql`cast(${under} as text) || unused.product_id || '/' || unused.sha256 || '.'
    || substr(unused.media_type, length('image/') + 1)`
  const { numAffectedRows } = await sql`
    delete from pictures where created <= ${until} and id in (
      select id from pictures as unused
      where created <= ${until}
        and not exists (select 1 from products where icon = ${path})
        and not exists (select 1 from reviews where picture = ${path} and picture <> '')
      order by created limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}
