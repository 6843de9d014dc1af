import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { TaxSettingsTable } from '../../db/tables/invoices.ts'
import { Arguments, Nullable, Optional, Text, Time } from '../../http/wire.ts'

export type TaxSettingsRow = Selectable<TaxSettingsTable>

const WHERE =
  'Where tax is collected, separated by commas: countries, regions such as US-CA, EU for its one-stop shop.'

/** What a seller says of taxes, and how its invoices name it. */
export const TaxSettings = Type.Object(
  {
    country: Nullable(Type.String({ description: 'Where the seller is; null: nothing is taxed.' })),
    registrations: Type.String({ description: WHERE }),
    is_format_enough: Type.Boolean({
      description: 'Whether a VAT id of the right form is believed while it cannot be checked.',
    }),
    legal_name: Type.String(),
    address: Type.String({ description: 'Lines, as on an envelope, without the country.' }),
    vat_id: Type.String(),
    created: Nullable(Time()),
    updated: Nullable(Time()),
  },
  { title: 'TaxSettings' },
)
export type TaxSettings = Static<typeof TaxSettings>

/** What is left out stays as it is. */
export const TaxSettingsUpdate = Arguments({
  country: Optional(
    Nullable(Text({ max: 2, format: 'country-or-empty', description: 'ISO 3166-1 alpha-2.' })),
  ),
  registrations: Optional(Text({ max: 1000, description: WHERE })),
  is_format_enough: Optional(Type.Boolean()),
  legal_name: Optional(Text()),
  address: Optional(Text({ max: 500, format: 'text', description: 'Lines, without the country.' })),
  vat_id: Optional(Text({ max: 50 })),
})
export type TaxSettingsUpdate = Static<typeof TaxSettingsUpdate>

/** `DE, us-ca` → `['DE', 'US-CA']`. */
export const placesOf = (registrations: string): string[] =>
  registrations
    .split(',')
    .map((place) => place.trim().toUpperCase())
    .filter((place) => place !== '')

/** Of a seller that said nothing. */
export const NO_TAX_SETTINGS = {
  country: null,
  registrations: '',
  is_format_enough: false,
  legal_name: '',
  address: '',
  vat_id: '',
  created: null,
  updated: null,
} as const

/** Row → wire; a seller that said nothing has these without times. */
export function presentTaxSettings(row: TaxSettingsRow | undefined): TaxSettings {
  const { country, registrations, is_format_enough, legal_name, address, vat_id, created, updated } =
    row ?? NO_TAX_SETTINGS
  return {
    country,
    registrations,
    is_format_enough,
    legal_name,
    address,
    vat_id,
    created,
    updated,
  }
}
