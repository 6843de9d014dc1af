import type { Entity } from './columns.ts'

export interface ReviewsTable extends Entity {
  product_id: number
  /** Null when the developer wrote it down. */
  user_id: number | null
  license_id: number | null
  /** Id in a former system, or empty. */
  external_id: string
  /** 0 to 100. */
  rate: number
  title: string
  text: string
  name: string
  job_title: string
  company: string
  company_url: string
  /** Path or address, or empty. */
  picture: string
  profile_url: string
  /** Written by a real user. */
  is_verified: boolean
  is_featured: boolean
  /** 0 hides it. */
  is_active: boolean
}
