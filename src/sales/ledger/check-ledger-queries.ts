import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'

const ALL = 'the ledger of every seller is checked'

/** What all accounts of a currency come to, in an environment. */
export const sumsOfLedger = (db: Reader) =>
  unscoped(db, ALL)
    .selectFrom('postings')
    .select(['currency', 'environment', sql<string | number>`sum(amount)`.as('sum')])
    .groupBy(['currency', 'environment'])
    .orderBy('currency')
    .orderBy('environment')
    .execute()

/** Some payments, in the order of their ids. */
export const paymentsFrom = (db: Reader, afterId: number, limit: number) =>
  unscoped(db, ALL)
    .selectFrom('payments')
    .selectAll()
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()

/** The postings of the payments between two ids, the first not counted. */
export const postingsBetween = (db: Reader, afterId: number, upTo: number) =>
  unscoped(db, ALL)
    .selectFrom('postings')
    .select(['payment_id', 'account', 'currency', 'amount', 'environment', 'product_id'])
    .where('payment_id', '>', afterId)
    .where('payment_id', '<=', upTo)
    .orderBy('payment_id')
    .orderBy('id')
    .execute()

/** Payments that have bought nothing and of which something is neither given back nor asked for, the oldest first. */
export const unearnedPayments = (db: Reader, limit: number) =>
  unscoped(db, ALL)
    .selectFrom('payments')
    .select(['id', sql<number>`gross + tax - refunded_gross - refunded_tax`.as('left')])
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('charges')
        .select('payment_id')
        .where(sql<boolean>`is_owed = 1`)
        .where('is_unearned', '=', true),
    )
    .where(sql<boolean>`gross + tax > refunded_gross + refunded_tax`)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Charges that a gateway was paid and that are neither a payment nor given back whole, the oldest first. */
export const unbookedCharges = (db: Reader, limit: number) =>
  unscoped(db, ALL)
    .selectFrom('charges')
    .select(['id', 'key', 'gateway', 'amount', 'currency', 'settled_at'])
    .where('state', '=', 'settled')
    .where('outcome_id', 'is', null)
    .where('amount', '>', 0)
    .where('purpose', '<>', 'refund')
    .where(
      sql<boolean>`amount > (select coalesce(sum(given.amount), 0) from charges as given
        where given.of_charge_id = charges.id and given.state <> 'declined')`,
    )
    .orderBy('id')
    .limit(limit)
    .execute()
