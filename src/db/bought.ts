import { sql, type RawBuilder } from 'kysely'

/** Of a query of payments: those that have bought something, and were not given back as they could not. */
export const hasBought: RawBuilder<boolean> = sql<boolean>`not exists (select 1 from charges as given where given.payment_id = payments.id
  and given.is_owed = 1 and given.is_unearned = 1)`
