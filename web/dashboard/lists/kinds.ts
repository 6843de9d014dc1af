import type { ExportKind } from '../../../src/lists/exports/schema.ts'
import type { TotalOf } from '../../../src/lists/totals/schema.ts'

/** Lists that can be exported, by the name of the rows in their replies. */
export const EXPORTED = [
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
] as const satisfies readonly ExportKind[]

const COUNTED: readonly string[] = [
  ...EXPORTED.filter((kind) => kind !== 'audit'),
  'products',
  'stores',
  'reviews',
  'disputes',
  'mails',
  'webhooks',
  'deliveries',
] satisfies readonly TotalOf['kind'][]

/** The kind of a list that can be counted, and the path that it is counted at, by its own path; undefined: none. */
export function countedAt(path: string): { readonly kind: string; readonly at: string } | undefined {
  const [, place = '', kind = ''] = /^(.*)\/(\w+)\.json$/.exec(path) ?? []
  const isCounted = COUNTED.includes(kind) && /^\/developers\/\d+(\/products\/\d+)?$/.test(place)
  return isCounted ? { kind, at: `${place}/list_total.json` } : undefined
}
