import type { Bought } from './invoice-rows.ts'
import type { PaymentRow } from '../payments/schema.ts'

/** The company that a payment was made for, as its checkout was told; empty text where nothing was. */
export interface InvoicedCompany {
  /** Whether the buyer has proven to be the person of the payment. */
  readonly isProven: boolean
  readonly business_name: string
  readonly address_street: string
  readonly address_apt: string
  readonly address_city: string
}

/**
 * Who bought, with the company that was told in the place of the address that is known, at the place of the payment.
 * Of a person who has not proven to be the buyer nothing else that is known stays but name and address for mails.
 */
export function boughtFor(
  bought: Bought,
  company: InvoicedCompany | undefined,
  { zip_postal_code: zip, region, country_code: country }: PaymentRow,
): Bought {
  if (!company) return bought
  const { isProven, ...told } = company
  return {
    ...bought,
    ...(!isProven && { billing_first: '', billing_last: '', tax_id: '' }),
    ...told,
    address_zip: zip ?? '',
    address_state: region ?? '',
    address_country: '',
    address_country_code: country ?? '',
  }
}
