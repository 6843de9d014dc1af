import { boughtFor, type InvoicedCompany } from './company.ts'
import type { Bought } from './invoice-rows.ts'
import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { contentOf, insertInvoices, takeNumbers, type Series } from './queries.ts'
import { findBought } from './invoice-rows.ts'
import { DOCUMENTS } from './schema.ts'
import type { DiscountRow, PaymentRow } from '../payments/schema.ts'
import { isTakenBack, keptText, type KeptText } from './text.ts'

/**
 * Gives a payment the next number of its seller's invoices, what takes one back the next of the credit notes; in
 * the transaction that records it, so that a number is there exactly when its payment is. The sandbox has
 * series of its own. What was paid elsewhere has its invoice there. What it says is kept with it as it is at that
 * moment: an invoice that was issued never changes. Answers what it is made of; null: there is none.
 */
export async function numberPayment(
  ctx: TxContext,
  scope: Scope,
  { payment, discounts, company }: Issued,
): Promise<Bought | null> {
  const { environment, type } = payment
  const kind = isTakenBack(payment) ? 'invoice' : DOCUMENTS[type]
  if (kind === null || isPaidElsewhere(payment)) return null
  const bought = await findBought(ctx.db, payment.id)
  const text = {
    ...keptText(payment, { bought: boughtFor(bought, company, payment), discounts }),
    ...(await buyerOfCorrected(ctx, payment)),
  }
  const series = { developer_id: scope.developerId, environment, kind }
  ctx.atEnd(takeTheirs, { series, payment, content: JSON.stringify(text) })
  return bought
}

/** Who bought, as the invoice says that is corrected, whatever became of the person and the address since. */
async function buyerOfCorrected({ db }: TxContext, { bound_payment_id: boundId }: PaymentRow) {
  if (boundId === null) return {}
  const content = await contentOf(db, boundId)
  if (content === null) return {}
  const { buyer, named, method } = JSON.parse(content) as KeptText
  return { buyer, named, method }
}

interface Issued {
  readonly payment: PaymentRow
  readonly company?: InvoicedCompany | undefined
  readonly discounts: readonly Pick<DiscountRow, 'type' | 'discount'>[]
}

interface Numbered extends Pick<Issued, 'payment'> {
  readonly series: Series
  readonly content: string
}

/** Series one after another in the same order everywhere, so that no two transactions wait for each other. */
async function takeTheirs({ db, clock }: TxContext, items: readonly Numbered[]): Promise<void> {
  const bySeries = Map.groupBy(items, ({ series }) => Object.values(series).join(' '))
  for (const name of [...bySeries.keys()].toSorted()) {
    const [first, ...others] = bySeries.get(name) ?? []
    if (!first) continue
    const numbered = [first, ...others]
    const last = await takeNumbers(db, first.series, numbered.length)
    const created = clock.now()
    await insertInvoices(
      db,
      numbered.map(({ series, payment: { id, product_id, processed_at }, content }, index) => ({
        ...series,
        number: last - numbered.length + 1 + index,
        product_id,
        payment_id: id,
        issued_at: processed_at,
        content,
        created,
        updated: null,
      })),
    )
  }
}

/** What costs nothing is sold here; a dispute that is lost, which moves nothing any more, is of something paid. */
const isPaidElsewhere = ({ gateway, gross, tax, type }: PaymentRow) =>
  gateway === null && (gross + tax !== 0 || type === 'lost_dispute')
