import type { Entity } from './columns.ts'

/** One billing address a person. */
export interface BillingTable extends Entity {
  user_id: number
  business_name: string
  first: string
  last: string
  email: string
  phone: string
  website: string
  tax_id: string
  address_street: string
  address_apt: string
  address_city: string
  address_country: string
  address_country_code: string
  address_state: string
  address_zip: string
}
