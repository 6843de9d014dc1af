import { sql, type RawBuilder } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import type { Tables } from '../../db/tables/tables.ts'
import { fromUtcTime, SECOND } from '../../lib/time.ts'
import { formsOf, type Person } from './person.ts'
import { hasAny } from './scanned-rows.ts'

/** What is done with the rows of a table that are the person's. */
export interface OwnRows {
  readonly table: keyof Tables
  /** Which rows, of those that nothing was done with yet; the table's own columns alone. */
  readonly which: (person: Person) => RawBuilder<unknown>
  /** Columns and what they say from then on; absent: the rows are deleted. */
  readonly set?: RawBuilder<unknown>
  /** The columns that name a row; absent: its id. */
  readonly key?: readonly string[]
}

const ofUser = ({ userId }: Person) => sql`user_id = ${userId}`
const inProducts = ({ developerId }: Person) =>
  sql`product_id in (select id from products where developer_id = ${developerId})`
const isAddress = (column: string, { addresses }: Person) =>
  sql`${sql.ref(column)} in (${sql.join(inList(addresses))})`
/** Of nobody's, in the person's products, with the address and from before it was erased. */
const typed = (column: string, person: Person) =>
  sql`user_id is null and ${inProducts(person)} and created <= ${person.created} and ${isAddress(column, person)}`
const lower = (column: string, { addresses }: Person) =>
  sql`lower(${sql.ref(column)}) in (${sql.join(inList(addresses))})`
const typedAnyCase = (column: string, person: Person) =>
  sql`user_id is null and ${inProducts(person)} and created <= ${person.created} and ${lower(column, person)}`
const of = (table: 'licenses' | 'installs' | 'payments' | 'subscriptions', { userId }: Person) =>
  sql`(select id from ${sql.table(table)} where user_id = ${userId})`

/**
 * Every table with rows of a person, in the order in which they go: what refers to others before these. What is kept
 * stays with the number of the user alone, of whom nothing else is known.
 */
export const OWN_ROWS: readonly OwnRows[] = [
  {
    table: 'refusals',
    which: (person) => sql`user_id = ${person.userId} or license_id in ${of('licenses', person)}`,
  },
  {
    table: 'reviews',
    which: (person) =>
      sql`user_id = ${person.userId} or (user_id is null and license_id in ${of('licenses', person)})`,
  },
  {
    table: 'notes',
    which: (person) => sql`(entity_type = 'user' and entity_id = ${person.userId} and ${inProducts(person)})
      or (entity_type = 'license' and entity_id in ${of('licenses', person)})
      or (entity_type = 'payment' and entity_id in ${of('payments', person)})
      or (entity_type = 'subscription' and entity_id in ${of('subscriptions', person)})`,
  },
  { table: 'license_sites', which: (person) => sql`license_id in ${of('licenses', person)}` },
  { table: 'tried_sites', which: ofUser },
  {
    table: 'trials',
    which: (person) => sql`${ofUser(person)} and uid not like 'erased:%' and uid not like 'checkout:%'`,
    set: sql`uid = 'erased:' || id`,
  },
  {
    table: 'ownership_changes',
    which: (person) =>
      sql`from_user_id = ${person.userId} or (${inProducts(person)} and created <= ${person.created}
        and ${isAddress('email_folded', person)})`,
  },
  {
    table: 'email_confirmations',
    which: (person) =>
      sql`user_id = ${person.userId} or (${inProducts(person)} and created <= ${person.created}
        and ${lower('email', person)})`,
  },
  { table: 'pending_activations', which: ofUser },
  {
    table: 'key_requests',
    which: (person) =>
      sql`${inProducts(person)} and created <= ${person.created} and ${isAddress('email_folded', person)}`,
  },
  { table: 'mails', which: ofUser },
  {
    table: 'mails',
    which: (person) => sql`user_id is null and developer_id = ${person.developerId}
      and created_at < ${fromUtcTime(person.created) + SECOND} and ${lower('recipient', person)}`,
  },
  {
    table: 'carts',
    which: (person) => sql`completed is null and (${ofUser(person)} or (${typed('email_folded', person)}))`,
  },
  {
    table: 'carts',
    which: (person) =>
      sql`completed is not null and email <> '' and (${ofUser(person)} or (${typed('email_folded', person)}))`,
    set: sql`email = '', email_folded = '', first = '', last = '', ip = '', zip_postal_code = '', vat_id = null,
      url = '', visitor = null, is_disabled = 1, recover_at = null`,
  },
  {
    table: 'checkouts',
    which: (person) => sql`state = 'open' and (${ofUser(person)} or (${typedAnyCase('email', person)}))`,
  },
  {
    table: 'checkouts',
    which: (person) =>
      sql`state = 'paid' and (email <> '' or ip is not null) and (${ofUser(person)} or (${typedAnyCase('email', person)}))`,
    set: sql`email = '', first = '', last = '', zip_postal_code = null, vat_id = null,
      business_name = null, address_street = null, address_apt = null, address_city = null, ip = null, visitor = null,
      url = '', redirect_url = null, buyer_token = null, language = null`,
  },
  {
    table: 'charges',
    which: (person) =>
      sql`${ofUser(person)} and token is not null and state in ('declined', 'unmade', 'settled')`,
    set: sql`token = null`,
  },
  { table: 'payment_methods', which: ofUser },
  {
    table: 'subscriptions',
    which: (person) =>
      sql`${ofUser(person)} and (ip is not null or zip_postal_code is not null or vat_id is not null
        or resumes_at is not null)`,
    set: sql`ip = null, zip_postal_code = null, vat_id = null, resumes_at = null`,
  },
  { table: 'deployment_users', which: ofUser, key: ['deployment_id', 'user_id'] },
  { table: 'user_keys', which: ofUser },
  { table: 'billing', which: ofUser },
  { table: 'access_tokens', which: ofUser },
  { table: 'product_users', which: ofUser, key: ['product_id', 'user_id'] },
  {
    table: 'bulk_items',
    which: (person) => sql`bulk_id in (select id from bulks where developer_id = ${person.developerId})
      and (${hasAny('message', formsOf(person.addresses))} or ${hasAny('changes', formsOf(person.addresses))})`,
    set: sql`message = null, changes = null`,
    key: ['bulk_id', 'item_id'],
  },
  // Emptied at once, unless a change that had begun before came after it.
  {
    table: 'users',
    which: ({ userId }) =>
      sql`id = ${userId} and (first <> '' or last <> '' or picture <> '' or email <> '' or ip is not null)`,
    set: sql`email = '', email_folded = 'erased ' || id, first = '', last = '', picture = '', ip = null`,
  },
]

const namesOf = ({ key = ['id'] }: OwnRows) => sql.join(key.map((name) => sql.ref(name)))

/** Does at once what is to be done with all rows, looking for them where it writes. */
export async function clearAll(db: Writer, rows: OwnRows, person: Person): Promise<void> {
  await clear(db, rows, rows.which(person))
}

/** What names a row, in the order of its key. */
export type RowKey = readonly number[]

/** Up to `limit` rows with which something is to be done; give it `database.background`, as it looks at many. */
export async function rowsToClear(
  db: Reader,
  rows: OwnRows,
  { person, limit }: { readonly person: Person; readonly limit: number },
): Promise<RowKey[]> {
  const { rows: found } = await sql<Readonly<Record<string, number>>>`select ${namesOf(rows)}
    from ${sql.table(rows.table)} where ${rows.which(person)} limit ${limit}`.execute(db as Writer)
  const { key = ['id'] } = rows
  return found.map((row) => key.map((name) => Number(row[name])))
}

/** Does what is to be done with these rows, of those that are still such. */
export async function clearRows(
  db: Writer,
  rows: OwnRows,
  { person, keys }: { readonly person: Person; readonly keys: readonly RowKey[] },
): Promise<void> {
  if (keys.length === 0) return
  const listed = sql.join(keys.map((key) => sql`(${sql.join(key)})`))
  const among =
    rows.key === undefined
      ? sql`id in (${sql.join(inList(keys.flat()))})`
      : sql`(${namesOf(rows)}) in (values ${listed})`
  await clear(db, rows, sql`${among} and (${rows.which(person)})`)
}

const clear = (db: Writer, { table, set }: OwnRows, which: RawBuilder<unknown>) =>
  (set
    ? sql`update ${sql.table(table)} set ${set} where ${which}`
    : sql`delete from ${sql.table(table)} where ${which}`
  ).execute(db)
