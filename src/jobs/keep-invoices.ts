import { transaction } from '../context.ts'
import { presentText } from '../flows/invoice-of-payment.ts'
import { systemScope } from '../http/scope.ts'
import { HOUR, MINUTE } from '../lib/time.ts'
import { keepContent, unkeptInvoices } from '../resources/invoices/queries.ts'
import { findPayment } from '../resources/payments/queries.ts'
import type { RecurringJob } from './job.ts'

const BATCH = 50

/** Keeps what invoices say that were issued before this was kept with each (`docs/taxes.md`, Invoices). */
export const keepInvoices: RecurringJob = {
  kind: 'recurring',
  name: 'keep-invoices',
  everyMs: HOUR,
  leaseMs: 5 * MINUTE,
  async run(ctx, lease) {
    const unkept = await unkeptInvoices(ctx.db, BATCH)
    if (unkept.length === 0) return 'done'
    await transaction(ctx, async (tx) => {
      await lease.guard(tx.db)
      for (const { id, payment_id: paymentId, ...of } of unkept) {
        const scope = systemScope({ developerId: of.developer_id, productId: of.product_id })
        const [payment] = await findPayment(tx.db, scope, { id: paymentId })
        if (payment) await keepContent(tx.db, id, JSON.stringify(await presentText(tx, payment)))
      }
    })
    return unkept.length === BATCH ? 'more' : 'done'
  },
}
