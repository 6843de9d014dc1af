import { sql } from 'kysely'
import type { Writer } from '../../db/database.ts'
import { columnHasCome, dueWithin, type Due } from '../../db/has-come.ts'
import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'
import type { CheckoutGuardsTable } from '../../db/tables/checkouts.ts'
import { DAY } from '../../lib/time.ts'

const KEPT = 'what a checkout keeps that the caller has'

/** Longer than a bank has a payment in work: what is decided lets go at once of what it kept. */
export const PAYING_HELD_MS = 90 * DAY

/** What a checkout keeps for its address, for so many milliseconds. */
export interface Guard extends Omit<CheckoutGuardsTable, 'until_ms'> {
  readonly forMs: number
  /** It shows that something works once: also of a clock that was ahead it is kept until it is over. */
  readonly isSpent?: true
}

/**
 * Keeps an address from having the same under way twice, for a time; false when another checkout has it. `isProven`:
 * it is taken from a checkout whose buyer has proven nothing. One statement decides.
 */
export async function guard(
  db: Writer,
  { forMs, isSpent, ...row }: Guard,
  now: number,
  isProven = false,
): Promise<boolean> {
  const kind = `${isSpent === true} ${isProven}`
  const taking = takingOf.get(kind) ?? guarding(isSpent === true, isProven)
  takingOf.set(kind, taking)
  const { name, email_folded, checkout_id } = row
  const due = dueWithin(now, forMs)
  return (await taking(db, { name, email_folded, checkout_id, until_ms: now + forMs, ...due })).length > 0
}

const guarding = (isSpent: boolean, isProven: boolean) =>
  prepared((db: Writer, held: CheckoutGuardsTable & Due) => {
    const { name, email_folded, checkout_id, until_ms, now, past } = held
    return db
      .insertInto('checkout_guards')
      .values({ name, email_folded, checkout_id, until_ms })
      .onConflict((known) =>
        known
          .columns(['name', 'email_folded'])
          .doUpdateSet({ checkout_id, until_ms })
          .where((or) =>
            or.or([
              isSpent
                ? or('checkout_guards.until_ms', '<=', now)
                : columnHasCome('checkout_guards.until_ms', { now, past }),
              or('checkout_guards.checkout_id', '=', checkout_id),
              ...(isProven ? [isOfTyped] : []),
            ]),
          ),
      )
      .returning('checkout_id')
  })

const takingOf = new Map<string, ReturnType<typeof guarding>>()

/** As `isProvenBuyer` says of no checkout that has it. */
const isOfTyped = sql<boolean>`exists (select 1 from checkouts where checkouts.id = checkout_guards.checkout_id
  and (checkouts.is_readonly = 0 or checkouts.is_hidden = 1))`

/** Whether a checkout has what it took with `guard`, and nobody else. */
export const hasGuard = async (db: Writer, row: Guard, now: number): Promise<boolean> =>
  (await unscoped(db, KEPT)
    .updateTable('checkout_guards')
    .set({ until_ms: now + row.forMs })
    .where('name', '=', row.name)
    .where('email_folded', '=', row.email_folded)
    .where('checkout_id', '=', row.checkout_id)
    .returning('checkout_id')
    .executeTakeFirst()) !== undefined

/** Shortens what a checkout keeps whose names begin like that: it lets go of it at `until`, real milliseconds. */
export const guardUntil = (db: Writer, checkoutId: number, prefix: string, until: number) =>
  shortening(db, { checkoutId, names: `${prefix}%`, until })
const shortening = prepared(
  (db: Writer, { checkoutId, names, until }: { checkoutId: number; names: string; until: number }) =>
    unscoped(db, KEPT)
      .updateTable('checkout_guards')
      .set({ until_ms: until })
      .where('checkout_id', '=', checkoutId)
      .where('name', 'like', names),
)

/** Lets go of what a checkout kept, or of some of it. */
export function unguard(db: Writer, checkoutId: number, names?: readonly string[]) {
  const query = unscoped(db, KEPT).deleteFrom('checkout_guards').where('checkout_id', '=', checkoutId)
  return (names === undefined ? query : query.where('name', 'in', names)).execute()
}
