import { sql } from 'kysely'

/** Prices by number of licenses, unlimited last, as their index has them. */
export const LICENSES_IN_ORDER = sql`coalesce(pricing.licenses, 2147483647)`
