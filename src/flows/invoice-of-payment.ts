import type { ReadContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import type { Invoice, InvoiceLine, Party } from '../invoices/invoice.ts'
import { notFound } from '../lib/errors.ts'
import { findBought, findInvoice, type Bought } from '../resources/invoices/queries.ts'
import { findBillingInReach } from '../resources/users/billing-queries.ts'
import { numberText, type InvoiceRow } from '../resources/invoices/schema.ts'
import { discountsOf, findPayment } from '../resources/payments/queries.ts'
import type { DiscountRow, PaymentRow } from '../resources/payments/schema.ts'
import { isTakenBack } from './number-payment.ts'

interface Wanted {
  readonly paymentId: number
  /** Whose it must be; absent: anybody's whom the scope lets see. */
  readonly userId?: number
}

/**
 * The invoice of a payment, or the credit note of what takes one back, with the addresses as they are now; its
 * number and date stay. 404 when there is no such payment, or it has no invoice here (`number-payment.ts`).
 */
export async function invoiceOfPayment(ctx: ReadContext, scope: Scope, wanted: Wanted): Promise<Invoice> {
  const [payment] = await findPayment(ctx.db, scope, { id: wanted.paymentId })
  if (!payment || (wanted.userId ?? payment.user_id) !== payment.user_id) throw notFound('payment')
  const invoice = await findInvoice(ctx.db, scope, payment.id)
  if (!invoice) throw notFound('invoice')
  const bought = await boughtAsTold(ctx, scope, payment.id)
  const { bound_payment_id: boundId } = payment
  const corrected = boundId === null ? undefined : await findInvoice(ctx.db, scope, boundId)
  const discounts = await discountsOf(ctx.db, 'payment', [payment.id])
  return {
    ...amounts(payment, { bought, discounts }),
    ...documentOf(invoice),
    correctedNumber: corrected ? numberText(corrected) : null,
    seller: sellerOf(bought),
    buyer: buyerOf(bought, payment),
    currency: payment.currency,
    taxName: taxName(bought, payment),
    taxRate: payment.tax_rate,
    isReverseCharged: payment.tax_rule === 'reverse_charge',
    method: methodOf(bought, payment),
  }
}

/** To who is not proven to be the buyer: made out to the address that it wrote itself, or to the name alone. */
async function boughtAsTold({ db }: ReadContext, { reach }: Scope, paymentId: number): Promise<Bought> {
  const bought = await findBought(db, paymentId)
  if (!reach) return bought
  const { first, last, ...told } = (await findBillingInReach(db, reach)) ?? NO_ADDRESS
  const address = { ...NO_ADDRESS, ...told, user_email: '', billing_first: first, billing_last: last }
  return { ...bought, ...address }
}

const NO_ADDRESS = {
  business_name: '',
  first: '',
  last: '',
  tax_id: '',
  address_street: '',
  address_apt: '',
  address_city: '',
  address_country: '',
  address_country_code: '',
  address_state: '',
  address_zip: '',
}

const documentOf = (invoice: InvoiceRow) => ({
  kind: invoice.kind,
  number: numberText(invoice),
  issuedAt: invoice.issued_at,
  isTest: invoice.environment === 1,
})

/** What taxes on sales are called outside of the countries that say VAT. */
const TAX_NAMES: ReadonlyMap<string, string> = new Map([
  ['US', 'Sales tax'],
  ...['AU', 'CA', 'IN', 'NZ', 'SG'].map((country) => [country, 'GST'] as const),
])

function taxName({ seller_country }: Bought, { tax_rule, country_code }: PaymentRow): string {
  const isAtHome = tax_rule === 'domestic' || tax_rule === 'origin'
  return TAX_NAMES.get((isAtHome ? seller_country : country_code)?.toUpperCase() ?? '') ?? 'VAT'
}

interface Parts {
  readonly bought: Bought
  readonly discounts: readonly DiscountRow[]
}

/** Credit notes say what is given back, positive; of a lost dispute that stands in what was lost. */
function amounts(payment: PaymentRow, parts: Parts): Pick<Invoice, 'lines' | 'tax'> {
  const { type, gross, tax, refunded_gross, refunded_tax } = payment
  if (type === 'payment') return { lines: linesOf(payment, gross, parts), tax }
  if (isTakenBack(payment)) return { lines: linesOf(payment, gross, { ...parts, discounts: [] }), tax }
  const isLost = type === 'lost_dispute'
  const back = isLost ? { gross: refunded_gross, tax: refunded_tax } : { gross: 0 - gross, tax: 0 - tax }
  return { lines: linesOf(payment, back.gross, { ...parts, discounts: [] }), tax: back.tax }
}

const DISCOUNTS: Readonly<Record<DiscountRow['type'], string>> = {
  prorate: 'Credit for what was left of the plan before',
  subscription_cancellation: 'Discount',
}

/** What was bought before discounts, and each discount; together what was paid without tax. */
function linesOf(payment: PaymentRow, gross: number, { bought, discounts }: Parts): InvoiceLine[] {
  const off = discounts.filter(({ discount }) => discount > 0)
  const before = off.reduce((sum, { discount }) => sum + discount, gross)
  return [
    { description: nameOf(bought, payment), amount: before },
    ...off.map(({ type, discount }) => ({ description: DISCOUNTS[type], amount: -discount })),
  ]
}

const CYCLES = { 0: 'for life', 1: 'a month', 12: 'a year' } as const

function nameOf(bought: Bought, { billing_cycle: cycle }: PaymentRow): string {
  const { product_title, plan_title, priced, licenses } = bought
  const parts = [product_title, plan_title]
  if (priced !== null) parts.push(licenses === null ? 'unlimited' : `licenses: ${licenses}`)
  return [...parts, CYCLES[cycle]].join(', ')
}

const lines = (...parts: readonly (string | null)[]): string[] =>
  parts.flatMap((part) => part?.split('\n') ?? []).filter((line) => line.trim() !== '')

const joined = (...parts: readonly (string | null)[]) => lines(...parts).join(' ')

const countryName = (code: string | null): string =>
  /^[a-z]{2}$/i.test(code ?? '') ? (countries.of(code?.toUpperCase() ?? '') ?? '') : ''

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

function sellerOf(bought: Bought): Party {
  const { seller_name, seller_first, seller_last, seller_address, seller_country, seller_vat_id } = bought
  return {
    name: seller_name || joined(seller_first, seller_last) || bought.seller_email,
    lines: lines(seller_address, countryName(seller_country)),
    vatId: seller_vat_id ?? '',
  }
}

/** A business by its name, with who ordered below it; the VAT id is the one that the tax went by. */
function buyerOf(bought: Bought, { vat_id, country_code }: PaymentRow): Party {
  const person =
    joined(bought.billing_first, bought.billing_last) || joined(bought.user_first, bought.user_last)
  const country = countryName(bought.address_country_code || country_code) || bought.address_country
  return {
    name: bought.business_name || person || bought.user_email,
    lines: lines(
      bought.business_name ? person : '',
      bought.address_street,
      bought.address_apt,
      joined(bought.address_zip, bought.address_city),
      bought.address_state,
      country,
      bought.user_email,
    ),
    vatId: vat_id || bought.tax_id || '',
  }
}

const KINDS = { card: 'Card', paypal: 'PayPal', ideal: 'iDEAL' } as const

/** How it was paid, `Visa •••• 4242`; null: nothing was. */
export function methodOf(
  { method_kind, method_brand, method_last4 }: Bought,
  { gateway }: PaymentRow,
): string | null {
  if (method_kind === null) return gateway
  const name = method_brand
    ? method_brand.charAt(0).toUpperCase() + method_brand.slice(1)
    : KINDS[method_kind]
  return method_last4 ? `${name} •••• ${method_last4}` : name
}
