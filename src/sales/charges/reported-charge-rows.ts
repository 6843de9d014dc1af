import type { Reader } from '../../db/database.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'

export const ALL = 'what a gateway reports, of every seller'

export const chargesAt = (db: Reader, gateway: string) =>
  unscoped(db, ALL)
    .selectFrom('charges')
    .innerJoin('products', 'products.id', 'charges.product_id')
    .selectAll('charges')
    .select('products.developer_id')
    .where('charges.gateway', '=', gateway)
    .where('charges.purpose', '<>', 'refund')

/** What was charged under an id of a gateway, with whose it is; undefined when nobody knows it yet. */
export const findChargeAt = (db: Reader, gateway: string, externalId: string) =>
  chargesAt(db, gateway).where('charges.external_id', '=', externalId).executeTakeFirst()
export type ReportedCharge = NonNullable<Awaited<ReturnType<typeof findChargeAt>>>

/** Whether a refund of a payment is begun and its gateway has not answered. */
export async function hasOpenRefund(db: Reader, owner: Owner, paymentId: number): Promise<boolean> {
  const found = await scoped(db, 'charges', owner)
    .select()
    .select('charges.id')
    .where('charges.payment_id', '=', paymentId)
    .where('charges.purpose', '=', 'refund')
    .where('charges.state', 'in', ['started', 'pending'])
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
