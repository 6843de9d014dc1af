import type { Entity, Flag, KeyPairColumns } from './columns.ts'

/** A product or an add-on (`plugin` on the wire). */
export interface ProductsTable extends Entity, KeyPairColumns {
  developer_id: number
  store_id: number
  parent_plugin_id: number | null
  title: string
  slug: string
  type: 'plugin' | 'theme' | 'widget' | 'template'
  /** DECISIONS 3.2. */
  can_create_users: Flag
  /** JSON list of host names that links of this product may lead to (DECISIONS 3.10). */
  redirect_hosts: string
}
