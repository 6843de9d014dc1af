import type { TxContext } from '../../context.ts'
import { presentText } from './of-payment.ts'
import { systemScope } from '../../access/scope.ts'
import { HOUR, MINUTE } from '../../lib/time.ts'
import { keepContent, unkeptInvoices } from './queries.ts'
import { findPayment } from '../payments/payment-rows.ts'
import type { RecurringJob } from '../../job.ts'
import { oneByOne } from '../../work/one-by-one.ts'
import { BATCH } from '../../work/step.ts'

type Unkept = Awaited<ReturnType<typeof unkeptInvoices>>[number]

/** Keeps what invoices say that were issued before this was kept with each (`docs/taxes.md`, Invoices). */
export const keepInvoices: RecurringJob = {
  kind: 'recurring',
  name: 'keep-invoices',
  everyMs: HOUR,
  leaseMs: 5 * MINUTE,
  async run(ctx, lease) {
    const found = await unkeptInvoices(ctx.db, ctx.clock.real(), BATCH)
    const isMore = await oneByOne(ctx, lease, { work: 'keep-invoices', found, give: keep })
    return isMore ? 'more' : 'done'
  },
}

async function keep(tx: TxContext, unkept: readonly Unkept[]): Promise<void> {
  for (const one of unkept) await keepInvoice(tx, one)
}

/** Keeps what an invoice says as things are now, unless that is kept already. */
export async function keepInvoice(
  tx: TxContext,
  { id, payment_id: paymentId, ...of }: Unkept,
): Promise<void> {
  const scope = systemScope({ developerId: of.developer_id, productId: of.product_id })
  const [payment] = await findPayment(tx.db, scope, { id: paymentId })
  if (!payment) throw new Error('An invoice has no payment.')
  await keepContent(tx.db, id, JSON.stringify(await presentText(tx, payment)))
}
