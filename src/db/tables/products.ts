import type { Generated } from 'kysely'
import type { PRODUCT } from '../../catalogue/products/product.entity.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { ColumnsOf, Entity } from './columns.ts'

/** A product, an add-on or a bundle (`plugin` on the wire); its columns are described with the noun. */
export interface ProductsTable extends ColumnsOf<(typeof PRODUCT)['fields']> {}

/** The products that a bundle's license opens. */
export interface BundleMembersTable {
  bundle_id: number
  product_id: number
}

/** Sender addresses of a store, or of one of its products, which otherwise inherits them. */
export interface EmailAddressesTable extends Entity {
  store_id: number
  product_id: number | null
  general: string | null
  general_name: string | null
  dont_reply: string | null
  dont_reply_name: string | null
  personal: string | null
  personal_name: string | null
  personal_technical: string | null
  personal_technical_name: string | null
  personal_setup: string | null
  personal_setup_name: string | null
  support: string | null
  support_name: string | null
}

/** The settings a product has; their values are columns of the product. */
export interface SettingsTable extends Entity {
  product_id: number
  setting_type: number
}

/** What an add-on market shows of a product. */
export interface ProductInfoTable extends Entity {
  product_id: number
  url: string
  description: string
  short_description: string
  banner_url: string
  card_banner_url: string
  selling_point_0: string
  selling_point_1: string
  selling_point_2: string
  /** JSON object with keys screenshot_0, screenshot_1, … */
  screenshots: string
}

/** Icons and portraits, at most 200 KB each, found by the SHA-256 of their bytes. */
export interface PicturesTable {
  id: Generated<number>
  product_id: number
  sha256: string
  media_type: 'image/png' | 'image/jpeg' | 'image/gif'
  bytes: Uint8Array
  /** When they were last uploaded. */
  created: UtcTime
}
