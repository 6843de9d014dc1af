import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'

/** What of a person no erasure takes away (`docs/privacy.md`), counted. */
export interface Kept {
  /** With refunds and disputes. */
  readonly payments: number
  /** Invoices and credit notes, each with the name and address that it was issued with. */
  readonly invoices: number
}

export async function keptOf(db: Reader, userId: number): Promise<Kept> {
  const { payments, invoices } = await unscoped(db, 'a person who is erased, in all products of the seller')
    .selectFrom('payments')
    .leftJoin('invoices', 'invoices.payment_id', 'payments.id')
    .select(({ fn }) => [
      fn.count<number>('payments.id').as('payments'),
      fn.count<number>('invoices.id').as('invoices'),
    ])
    .where('payments.user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { payments: Number(payments), invoices: Number(invoices) }
}
