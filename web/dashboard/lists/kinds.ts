import type { ExportKind } from '../../../src/lists/exports/schema.ts'

/** Lists that can be exported and, in a product, counted, by the name of the rows in their replies. */
export const LISTS: readonly string[] = [
  'licenses',
  'users',
  'payments',
  'subscriptions',
  'installs',
  'trials',
  'coupons',
  'carts',
  'events',
  'audit',
] satisfies ExportKind[]
