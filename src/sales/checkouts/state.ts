import type { Scope } from '../../access/scope.ts'
import type { ReadContext } from '../../context.ts'
import { settingsIn } from '../taxes/tax-of-sale.ts'
import type { TaxSettings } from '../taxes/tax.ts'
import type { OfferRow } from './queries.ts'
import type { CheckoutRow } from './schema.ts'
import { findSold, offerIn, type SoldRow } from './state-queries.ts'

/** What a checkout sells, as it is at the beginning of a transaction. */
export interface Sold {
  /** Undefined: it is gone. */
  readonly product: SoldRow | undefined
  /** Undefined: it is gone. */
  readonly offer: OfferRow | undefined
  /** What the plan of the offer says of its licenses. */
  readonly rules: LicenseRules | undefined
  readonly taxes: TaxSettings
}

interface LicenseRules {
  readonly is_free_localhost: boolean
  readonly is_block_features: boolean
  readonly is_block_features_monthly: boolean
}

/** A checkout with what it sells: read once in a transaction, and handed to whatever works with it. */
export interface CheckoutState {
  readonly scope: Scope
  readonly row: CheckoutRow
  readonly sold: Sold
}

/** Reads what a checkout sells, by one statement. */
export async function stateOf(
  { db }: Pick<ReadContext, 'db'>,
  scope: Scope,
  row: CheckoutRow,
): Promise<CheckoutState> {
  const product = await findSold(db, scope, row.pricing_id)
  const offer = product && offerIn({ ...product, product_id: product.id })
  return { scope, row, sold: { product, offer, rules: product && rulesIn(product), taxes: taxesOf(product) } }
}

function rulesIn({
  is_free_localhost,
  is_block_features,
  is_block_features_monthly,
}: SoldRow): LicenseRules | undefined {
  if (is_free_localhost === null || is_block_features === null || is_block_features_monthly === null)
    return undefined
  return { is_free_localhost, is_block_features, is_block_features_monthly }
}

const taxesOf = (product: SoldRow | undefined): TaxSettings =>
  settingsIn({
    country: product?.tax_country ?? null,
    registrations: product?.tax_registrations ?? '',
    is_format_enough: product?.is_format_enough ?? false,
  })
