import { sql } from 'kysely'
import type { Writer } from '../../db/database.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { CheckoutRow } from './schema.ts'

const PREFIX = 'checkout:'
const HASHED = 32

/** The key of what is charged when a checkout is paid, which no other try has, of whatever checkout. */
export const chargeKeyOf = ({ token_hash: hash, attempt }: Pick<CheckoutRow, 'token_hash' | 'attempt'>) =>
  `${PREFIX}${hash.slice(0, HASHED)}:${attempt}`

/** Whether the charge of any try to pay is looked up again: by its key, as a checkout names that of the last try only. */
const isLookedUp = sql<boolean>`${sql.lit(PREFIX)} || substr(token_hash, 1, ${sql.lit(HASHED)}) in (
  select substr(charges.key, 1, ${sql.lit(PREFIX.length + HASHED)}) from charges where charges.look_at is not null)`

/**
 * Removes up to `limit` checkouts in which nobody pays and that were over by `until`, the oldest first; returns how many.
 * One whose charge is looked up again stays, as that may buy it (`docs/decisions.md` 5.12). The state stands in the outer
 * condition too: one that is paid after all meanwhile stays.
 */
export async function deleteUnpaidCheckouts(
  db: Writer,
  { until, limit }: { readonly until: UtcTime; readonly limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from checkouts where state = 'open' and id in (
      select id from checkouts where state = 'open' and expires_at <= ${until} and not (${isLookedUp})
      order by expires_at limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}
