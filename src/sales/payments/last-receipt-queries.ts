import { hasBought } from '../../db/bought.ts'
import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'

/** What the owner of a license bought with last of which there is an invoice. */
export const lastInvoicedPayment = (db: Reader, { id, user_id: userId }: LicenseRow) =>
  unscoped(db, 'of a license that the caller has found')
    .selectFrom('payments')
    .innerJoin('invoices', 'invoices.payment_id', 'payments.id')
    .selectAll('payments')
    .where('payments.license_id', '=', id)
    .where('payments.user_id', '=', userId)
    .where('payments.type', '=', 'payment')
    .where(hasBought)
    .orderBy('payments.id', 'desc')
    .limit(1)
    .executeTakeFirst()
