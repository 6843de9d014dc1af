import type { InvoiceLine, InvoiceText, Party } from './drawing/invoice.ts'
import { countryName } from '../../lib/countries.ts'
import type { Bought } from './invoice-rows.ts'
import type { DiscountRow, PaymentRow } from '../payments/schema.ts'

/** What is kept of an invoice; `named`: its buyer as those are told who are not proven to be that person. */
export interface KeptText extends InvoiceText {
  readonly named: Party
}

interface Parts {
  readonly bought: Bought
  readonly discounts: readonly Pick<DiscountRow, 'type' | 'discount'>[]
}

/** What the invoice of a payment says, or the credit note of what takes one back, as things are now. */
export function keptText(payment: PaymentRow, { bought, discounts }: Parts): KeptText {
  return {
    ...amounts(payment, { bought, discounts }),
    seller: sellerOf(bought),
    buyer: buyerOf(bought, payment),
    named: buyerOf({ ...bought, ...NO_ADDRESS }, payment),
    currency: payment.currency,
    taxName: taxName(bought, payment),
    taxRate: payment.tax_rate,
    isReverseCharged: payment.tax_rule === 'reverse_charge',
    method: methodOf(bought, payment),
  }
}

/** Of whose address nothing is told. */
export const NO_ADDRESS = {
  user_email: '',
  business_name: '',
  billing_first: '',
  billing_last: '',
  tax_id: '',
  address_street: '',
  address_apt: '',
  address_city: '',
  address_country: '',
  address_country_code: '',
  address_state: '',
  address_zip: '',
}

/** A refund that failed is sold again. */
export const isTakenBack = ({ type, gross, tax }: Pick<PaymentRow, 'type' | 'gross' | 'tax'>): boolean =>
  type === 'refund' && gross + tax > 0

/** What taxes on sales are called outside of the countries that say VAT. */
const TAX_NAMES: ReadonlyMap<string, string> = new Map([
  ['US', 'Sales tax'],
  ...['AU', 'CA', 'IN', 'NZ', 'SG'].map((country) => [country, 'GST'] as const),
])

function taxName({ seller_country }: Bought, { tax_rule, country_code }: PaymentRow): string {
  const isAtHome = tax_rule === 'domestic' || tax_rule === 'origin'
  return TAX_NAMES.get((isAtHome ? seller_country : country_code)?.toUpperCase() ?? '') ?? 'VAT'
}

/** Credit notes say what is given back, positive; of a lost dispute that stands in what was lost. */
function amounts(payment: PaymentRow, parts: Parts): Pick<InvoiceText, 'lines' | 'tax'> {
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

function sellerOf(bought: Bought): Party {
  const { seller_name, seller_first, seller_last, seller_address, seller_country, seller_vat_id } = bought
  return {
    name: seller_name || joined(seller_first, seller_last) || bought.seller_email,
    lines: lines(seller_address, countryName(seller_country)),
    vatId: seller_vat_id ?? '',
  }
}

type Buyer = Pick<Bought, 'user_first' | 'user_last' | keyof typeof NO_ADDRESS>
type BuyerPlace = Pick<PaymentRow, 'vat_id' | 'country_code'>

/** A business by its name, with who ordered below it; the VAT id is the one that the tax went by. */
export function buyerOf(bought: Buyer, { vat_id, country_code }: BuyerPlace): Party {
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
