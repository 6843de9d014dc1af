import { sql } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { columnHasCome, dueWithin } from '../../db/has-come.ts'
import { unscoped } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { ReportedCharge } from './reported-charge-rows.ts'

const TOLD = 'whoever runs the server is told of every charge that nobody knows the end of'
const LOOKED_UP = 'its gateway was asked for it, for every seller'

/** Charges of every product that were begun before a time and are not decided, or are to be looked up again, the oldest first. */
export function chargesLeftOpen(
  db: Reader,
  { before, limit }: { readonly before: UtcTime; readonly limit: number },
) {
  const begun = () =>
    unscoped(db, TOLD)
      .selectFrom('charges')
      .select(['id', 'key', 'purpose', 'gateway', 'environment', 'amount', 'currency', 'external_id'])
      .select(['subscription_id', 'payment_id', 'created'])
      .where('created', '<=', before)
  return begun()
    .where(sql<boolean>`state in ('started', 'pending')`)
    .unionAll(begun().where('look_at', 'is not', null))
    .orderBy('created')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Notes that its gateway does not find a charge, as of the first time; a time that is ahead is from a clock that was. */
export const noteMissed = (db: Writer, id: number, now: number) =>
  unscoped(db, LOOKED_UP)
    .updateTable('charges')
    .set({ missed_at: now })
    .where('id', '=', id)
    .where((or) => or.or([or('missed_at', 'is', null), or('missed_at', '>', now)]))
    .execute()

/** Has a charge looked up at a time that was let go; null: no more. Nothing is done of one that was settled meanwhile. */
export const lookAt = (db: Writer, id: number, at: number | null) =>
  unscoped(db, LOOKED_UP)
    .updateTable('charges')
    .set({ look_at: at })
    .where('id', '=', id)
    .where('state', 'in', ['declined', 'unmade'])
    .execute()

interface Looking {
  readonly now: number
  /** No look is set farther ahead: what is was set by a clock that was ahead. */
  readonly most: number
}

/** Charges that were let go and whose look is due, the longest due first. */
export const chargesToLookUp = (db: Reader, { now, most, limit }: Looking & { readonly limit: number }) =>
  unscoped(db, LOOKED_UP)
    .selectFrom('charges')
    .select('id')
    .where('look_at', 'is not', null)
    .where(columnHasCome('look_at', dueWithin(now, most)))
    .orderBy('look_at')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Takes one of them in hand until a time, with whose it is; undefined when somebody has it. One statement decides. */
export async function takeToLookUp(
  db: Writer,
  { id, now, most, until }: Looking & { readonly id: number; readonly until: number },
): Promise<ReportedCharge | undefined> {
  const charge = await unscoped(db, LOOKED_UP)
    .updateTable('charges')
    .set({ look_at: until })
    .where('id', '=', id)
    .where(columnHasCome('look_at', dueWithin(now, most)))
    .returningAll()
    .executeTakeFirst()
  if (!charge) return undefined
  const { developer_id } = await unscoped(db, LOOKED_UP)
    .selectFrom('products')
    .select('developer_id')
    .where('id', '=', charge.product_id)
    .executeTakeFirstOrThrow()
  return { ...charge, developer_id }
}

/** A charge of any product by its id, with whose it is. */
export const findLeft = (db: Reader, id: number) =>
  unscoped(db, TOLD)
    .selectFrom('charges')
    .innerJoin('products', 'products.id', 'charges.product_id')
    .selectAll('charges')
    .select('products.developer_id')
    .where('charges.id', '=', id)
    .executeTakeFirst()

/**
 * Writes what somebody has found out at its gateway of a charge that has no name there, and has it looked at now; false
 * when it was decided or named meanwhile. One statement decides.
 */
export async function tellLeft(
  db: Writer,
  id: number,
  told: { readonly external_id: string } | { readonly missed_at: number },
): Promise<boolean> {
  const { numUpdatedRows: count } = await unscoped(db, TOLD)
    .updateTable('charges')
    .set({ ...told, lease_until: 0, look_at: sql`case when look_at is null then null else 0 end` })
    .where('id', '=', id)
    .where('external_id', 'is', null)
    .where(sql<boolean>`(state in ('started', 'pending') or look_at is not null)`)
    .executeTakeFirst()
  return count === 1n
}
