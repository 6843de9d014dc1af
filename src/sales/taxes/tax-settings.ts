import type { ReadContext, TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { isMalformedVatId, VAT_FORM_MESSAGE } from '../../lib/vat-form.ts'
import { putTaxSettings } from './queries.ts'
import { findTaxSettingsOf } from './tax-settings-rows.ts'
import {
  NO_TAX_SETTINGS,
  placesOf,
  presentTaxSettings,
  type TaxSettings,
  type TaxSettingsUpdate,
} from './schema.ts'
import { isTaxPlace } from './rates.ts'

/** A place must be one whose rate is known, the VAT id of the form that its country wants. */
export async function checkTaxSettings(input: TaxSettingsUpdate, problems: Problems): Promise<void> {
  const { registrations = '', country } = input
  const unknown = placesOf(registrations).findIndex((place) => !isTaxPlace(place))
  if (unknown >= 0 && !problems.has('registrations')) {
    const message = `must be countries, regions such as US-CA, or EU; number ${unknown + 1} is none`
    problems.malformed.push({ field: 'registrations', message })
  }
  await checkVatForm(input, problems)
  if (country && !isTaxPlace(country.toUpperCase()) && !problems.has('country'))
    problems.malformed.push({ field: 'country', message: 'must be a country whose tax is known' })
}

/** A VAT id must have the form that its country wants, where that is known; empty text, and null, take it back. */
export async function checkVatForm(
  { vat_id: id }: { readonly vat_id?: string | null },
  problems: Problems,
): Promise<void> {
  if (!problems.has('vat_id') && isMalformedVatId(id ?? ''))
    problems.malformed.push({ field: 'vat_id', message: VAT_FORM_MESSAGE })
}

/** What the account says of taxes. */
export async function getTaxSettings({ db }: ReadContext, scope: Scope): Promise<TaxSettings> {
  return presentTaxSettings(await findTaxSettingsOf(db, scope.developerId))
}

/** Writes what was given. */
export async function updateTaxSettings(
  ctx: TxContext,
  scope: Scope,
  input: TaxSettingsUpdate,
): Promise<TaxSettings> {
  const now = ctx.clock.now()
  const change = columnsOf(input)
  const row = { ...NO_TAX_SETTINGS, ...change, developer_id: scope.developerId, created: now }
  return presentTaxSettings(await putTaxSettings(ctx.db, row, { ...change, updated: now }))
}

/** As they are kept: codes in upper case, each place once. */
function columnsOf(input: TaxSettingsUpdate) {
  const { country, registrations, is_format_enough: isEnough, vat_id, legal_name, address } = input
  return {
    ...(country !== undefined && { country: country ? country.toUpperCase() : null }),
    ...(registrations !== undefined && { registrations: [...new Set(placesOf(registrations))].join(',') }),
    ...(isEnough !== undefined && { is_format_enough: isEnough }),
    ...(vat_id !== undefined && { vat_id }),
    ...(legal_name !== undefined && { legal_name }),
    ...(address !== undefined && { address }),
  }
}
