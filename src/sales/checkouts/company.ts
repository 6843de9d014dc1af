import type { ReadContext, TxContext } from '../../context.ts'
import type { Reader } from '../../db/database.ts'
import type { Scope } from '../../access/scope.ts'
import { isState, isStateCode } from '../../lib/countries.ts'
import { findBilling } from '../../people/users/billing-rows.ts'
import { updateBilling } from '../../people/users/billing.ts'
import type { InvoicedCompany } from '../invoices/company.ts'
import type { Bought } from './action.ts'
import { companyAsked, isProvenBuyer } from './buyer.ts'
import type { CheckoutChange, CheckoutRow } from './schema.ts'

const STREET = ['address_street', 'address_apt', 'address_city'] as const
const COMPANY = ['business_name', ...STREET] as const
type Company = Pick<CheckoutRow, (typeof COMPANY)[number]>

const isAsked = (input: CheckoutChange) => Object.values(companyAsked(input)).some((one) => one !== undefined)

/** Whether anything is told of a company or its address. */
const isTold = (row: Company): boolean => COMPANY.some((name) => row[name] !== null)

type Place = Partial<Pick<CheckoutRow, 'country_code' | 'region' | 'zip_postal_code'>>

/**
 * What a checkout begins with of the billing record of a buyer who has proven to be that person; nothing where the
 * company is told. The address comes along where the checkout is in its country, or in none yet.
 */
export async function companyOfBuyer(
  { db }: ReadContext,
  userId: number,
  input: CheckoutChange,
  place: Place,
): Promise<Partial<Company & Place>> {
  const billing = isAsked(input) ? undefined : await findBilling(db, userId)
  if (!billing) return {}
  const business = { business_name: orNull(billing.business_name) }
  const at = billing.address_country_code.toUpperCase()
  if (at === '' || (place.country_code ?? at) !== at) return business
  return {
    ...business,
    address_street: orNull(billing.address_street),
    address_apt: orNull(billing.address_apt),
    address_city: orNull(billing.address_city),
    country_code: at,
    region: place.region ?? codeIn(at, billing.address_state),
    zip_postal_code: place.zip_postal_code ?? orNull(billing.address_zip),
  }
}

/** The VAT or tax id of a billing record, where the checkout is opened in its country or in none, and names no company. */
export async function vatIdOfBuyer(
  db: Reader,
  userId: number,
  input: CheckoutChange,
): Promise<string | null> {
  if (isAsked(input)) return null
  const { tax_id: vatId = '', address_country_code: at = '' } = (await findBilling(db, userId)) ?? {}
  const country = input.country_code?.toLowerCase() ?? at
  return vatId !== '' && country === at ? vatId : null
}

const orNull = (text: string): string | null => text || null

/** A state of a billing record is a code or a name; a checkout knows codes alone. */
function codeIn(country: string, state: string): string | null {
  const code = state.toUpperCase()
  return isStateCode(country, code) ? code : null
}

/**
 * What the invoice of a checkout says of the company that it was told of; left out: nothing was told. Beside it a buyer
 * who has not proven to be that person gets nothing that is known of the person on the invoice.
 */
export const companyOnInvoice = (row: CheckoutRow, isProven: boolean): InvoicedCompany | undefined =>
  isTold(row)
    ? {
        isProven,
        business_name: row.business_name ?? '',
        address_street: row.address_street ?? '',
        address_apt: row.address_apt ?? '',
        address_city: row.address_city ?? '',
      }
    : undefined

interface Paid {
  readonly scope: Scope
  readonly checkout: CheckoutRow
}

/** Writes the company of a checkout that is paid to the billing record of a buyer who has proven to be that person. */
export async function keepCompany(tx: TxContext, paid: Paid): Promise<void> {
  const { user_id: userId } = paid.checkout
  if (userId !== null && isProvenBuyer(paid.checkout)) await writeCompany(tx, paid, userId)
}

/** Writes it to that of a buyer whom this purchase made; of anybody else somebody could have typed address and company. */
export async function keepCompanyOfNew(
  tx: TxContext,
  paid: Paid,
  { userId, madeUser }: Pick<Bought, 'userId' | 'madeUser'>,
): Promise<void> {
  if (madeUser === true) await writeCompany(tx, paid, userId)
}

/** The address is written as a whole, a VAT id that no check refused beside it; what was not told stays. */
async function writeCompany(tx: TxContext, { scope, checkout }: Paid, userId: number): Promise<void> {
  if (!isTold(checkout)) return
  const { business_name: name, vat_id: vatId, vat_check: check } = checkout
  await updateBilling(tx, scope, userId, {
    ...(name !== null && { business_name: name }),
    ...(STREET.some((field) => checkout[field] !== null) && addressOf(checkout)),
    ...(vatId !== null && (check === 'valid' || check === 'unchecked') && { tax_id: vatId }),
  })
}

function addressOf(row: CheckoutRow) {
  const { country_code: country, region, zip_postal_code: zip } = row
  const state = region !== null && isState(country, region) ? region : ''
  return {
    address_street: row.address_street ?? '',
    address_apt: row.address_apt ?? '',
    address_city: row.address_city ?? '',
    address_zip: zip ?? '',
    ...(country !== null && { address_country_code: country.toLowerCase(), address_state: state }),
  }
}
