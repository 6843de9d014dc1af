import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { BillingTable } from '../../db/tables/billing.ts'
import { Arguments, IdText, Nullable, Optional, Text, Time } from '../../http/wire.ts'

const address = {
  business_name: Text(),
  first: Text({ max: 100 }),
  last: Text({ max: 150 }),
  email: Text({ max: 254, format: 'email-or-empty' }),
  phone: Text({ max: 50 }),
  website: Text({ max: 2048, format: 'web-address' }),
  tax_id: Text({ max: 50, description: 'VAT id, in the form of its country, or another tax id.' }),
  address_street: Text(),
  address_apt: Text(),
  address_city: Text(),
  address_country: Text({ description: 'Name of a country, or its code (ISO 3166-1).' }),
  address_country_code: Text({ max: 2, format: 'country-or-empty', description: 'ISO 3166-1 alpha-2.' }),
  address_state: Text({ description: 'Of the country, by its code or name of ISO 3166-2.' }),
  address_zip: Text({ max: 20 }),
}

export type BillingField = keyof typeof address
export const BILLING_FIELDS = Object.keys(address) as BillingField[]

/** The billing address of a person; empty text where nothing is known. */
export const Billing = Type.Object(
  { id: IdText(), created: Time(), updated: Nullable(Time()), ...address },
  { title: 'Billing' },
)
export type Billing = Static<typeof Billing>

const optional = Object.fromEntries(
  Object.entries(address).map(([name, type]) => [name, Optional(type)]),
) as { [K in BillingField]: ReturnType<typeof Optional<(typeof address)[K]>> }

/** What is left out stays as it is. */
export const BillingUpdate = Arguments(optional)
export type BillingUpdate = Static<typeof BillingUpdate>

/** Row → wire. */
export const presentBilling = (row: Omit<Selectable<BillingTable>, 'user_id'>): Billing => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  business_name: row.business_name,
  first: row.first,
  last: row.last,
  email: row.email,
  phone: row.phone,
  website: row.website,
  tax_id: row.tax_id,
  address_street: row.address_street,
  address_apt: row.address_apt,
  address_city: row.address_city,
  address_country: row.address_country,
  address_country_code: row.address_country_code,
  address_state: row.address_state,
  address_zip: row.address_zip,
})
