import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entity, Fields } from '../../src/http/entity.ts'

/** Text that people and sites give, by the table that keeps it, and what each must be read as on some page. */
export const FREE: Readonly<Record<string, readonly string[]>> = {
  users: ['first', 'last'],
  developers: ['first', 'last'],
  stores: ['title'],
  products: ['title', 'selling_unit_singular', 'selling_unit_plural', 'type_alias'],
  product_info: ['description', 'short_description', 'selling_point_0', 'selling_point_1', 'selling_point_2'],
  plans: ['title', 'description', 'support_phone'],
  features: ['title', 'description'],
  feature_values: ['value'],
  notes: ['note'],
  reviews: ['title', 'text', 'name', 'job_title', 'company', 'external_id'],
  bank_accounts: ['name', 'bank_name', 'address_street', 'address_city'],
  installs: [
    'title',
    'version',
    'platform_version',
    'language',
    'sdk_version',
    'programming_language_version',
  ],
  license_sites: ['pattern'],
  payments: ['refund_reason'],
  carts: ['first', 'last'],
  tax_settings: ['legal_name', 'address'],
  email_addresses: ['general_name', 'support_name'],
  deployments: ['slug'],
  imports: ['file_name'],
  api_tokens: ['name'],
  members: ['invited_first', 'invited_last'],
  mails: ['last_error'],
  delivery_attempts: ['answer'],
  refusals: ['url'],
}

/** Parts of a column of JSON. The reason for which a subscription is cancelled stands in its event alone. */
export const WITHIN = {
  events: ['text', 'reason'],
  own_mail_texts: ['subject', 'body', 'closing'],
} as const

const SRC = join(import.meta.dirname, '../../src')

/** A line or more of any text, as `Text` makes its schema. */
const IS_FREE = /"format":"(line|text)"/

/** Each column that an entity lets callers give as free text, as `table.column`. */
export async function freeInEntities(): Promise<string[]> {
  const found: string[] = []
  for (const file of globSync('**/*.entity.ts', { cwd: SRC })) {
    const table = /entity\(\s*'(\w+)'/.exec(readFileSync(join(SRC, file), 'utf8'))?.[1] ?? ''
    const made = Object.values((await import(join(SRC, file))) as Record<string, unknown>)
    for (const one of made.filter(isEntity)) found.push(...freeIn(table, one))
  }
  return [...new Set(found)]
}

const isEntity = (one: unknown): one is Entity<Fields> =>
  typeof one === 'object' && one !== null && 'fields' in one && 'givenOf' in one

const freeIn = (table: string, { fields, ...made }: Entity<Fields>) =>
  Object.entries(fields).flatMap(([column, { options }]) =>
    (['create', 'update'] as const).flatMap((giving) => {
      const given = options[giving]
      const name = typeof given === 'object' ? (given.name ?? column) : column
      const schema = (made[giving] as Readonly<Record<string, unknown>>)[name]
      return given && IS_FREE.test(JSON.stringify(schema)) ? [`${options.table ?? table}.${column}`] : []
    }),
  )
