import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { taxOn, type Tax, type TaxedBuyer, type TaxSettings } from './tax.ts'
import type { UtcTime } from '../../lib/time.ts'
import { findTaxSettingsOf } from './tax-settings-rows.ts'
import { placesOf } from './schema.ts'
import { taxRates } from './rates.ts'

/**
 * The tax on what the account of the scope sells to a buyer at a time (`docs/decisions.md` 5.8). The buyer's VAT id was
 * checked before, by `checkVatId` with `ctx.vatIds`: outside of transactions, it may take ten seconds.
 */
export async function taxOfSale(
  { db }: Pick<ReadContext, 'db'>,
  { developerId }: Pick<Scope, 'developerId'>,
  { buyer, at }: { readonly buyer: TaxedBuyer; readonly at: UtcTime },
): Promise<Tax> {
  const row = await findTaxSettingsOf(db, developerId)
  return taxWith(settingsIn(row ?? NO_SETTINGS), { buyer, at })
}

type SettingsRow = NonNullable<Awaited<ReturnType<typeof findTaxSettingsOf>>>
type SettingsColumns = Pick<SettingsRow, 'country' | 'registrations' | 'is_format_enough'>

const NO_SETTINGS: SettingsColumns = { country: null, registrations: '', is_format_enough: false }

/** What an account says of taxes, of its row. */
export const settingsIn = (row: SettingsColumns): TaxSettings => ({
  country: row.country,
  registrations: placesOf(row.registrations),
  isFormatEnough: row.is_format_enough,
})

/** `taxOfSale` of an account whose settings are read already. */
export const taxWith = (
  settings: TaxSettings,
  { buyer, at }: { readonly buyer: TaxedBuyer; readonly at: UtcTime },
): Tax => taxOn({ settings, buyer, at }, taxRates)
