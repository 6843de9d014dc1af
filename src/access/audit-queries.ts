import { sql, type Selectable } from 'kysely'
import type { Reader, Writer } from '../db/database.ts'
import { inList } from '../db/in-list.ts'
import { prepared } from '../db/prepared.ts'
import { unscoped } from '../db/scoped.ts'
import type { AuditLogTable } from '../db/tables/audit.ts'

const ALL = 'one chain goes through the rows of every seller'

export type AuditRow = Selectable<AuditLogTable>

/** A row's place in the chain. */
export interface Link {
  readonly id: number
  readonly seq: number
  readonly hash: string
}

/** The first rows that have no place in the chain yet. */
export const unchainedRows = (db: Reader, limit: number): Promise<AuditRow[]> =>
  unscoped(db, ALL)
    .selectFrom('audit_log')
    .selectAll()
    .where('hash', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()

/** The newest link of the chain. */
export const findHead = (db: Reader): Promise<Link | undefined> =>
  unscoped(db, ALL)
    .selectFrom('audit_log')
    .select(['id', 'seq', 'hash'])
    .where('seq', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .$narrowType<{ seq: number; hash: string }>()
    .executeTakeFirst()

/** Writes links into their rows, all in one statement. */
export async function saveLinks(db: Writer, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return
  const places = inList(links.map((_, place) => place))
  const padded = places.flatMap((place) => links.slice(place, place + 1))
  const values = padded.map(
    ({ id, seq, hash }) => sql`(cast(${id} as bigint), cast(${seq} as bigint), cast(${hash} as text))`,
  )
  const { numAffectedRows } = await sql`
    with links (id, seq, hash) as (values ${sql.join(values)})
    update audit_log set seq = links.seq, hash = links.hash
    from links where audit_log.id = links.id`.execute(db)
  if (numAffectedRows !== BigInt(links.length)) throw new Error('An audit row vanished while it was chained.')
}

/** Chained rows behind `seq`, in their order. */
export const chainedRows = (db: Reader, seq: number, limit: number): Promise<AuditRow[]> =>
  unscoped(db, ALL)
    .selectFrom('audit_log')
    .selectAll()
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute()

/** Rows that say what others are since a secret was taken out of them, a few at a time. */
export const redactionsAfter = (db: Reader, id: number): Promise<Pick<AuditRow, 'id' | 'details'>[]> =>
  unscoped(db, ALL)
    .selectFrom('audit_log')
    .select(['id', 'details'])
    .where('action', '=', 'keywright/redact-audit')
    .where('actor_kind', '=', 'system')
    .where('id', '>', id)
    .orderBy('id')
    .limit(100)
    .execute()

/** Rows about an account or nobody's, chained or not, that were written after `id`. */
export const auditsAfter = (
  db: Reader,
  { developerId, id, limit }: { readonly developerId: number; readonly id: number; readonly limit: number },
): Promise<AuditRow[]> =>
  unscoped(db, 'what is read is redacted')
    .selectFrom('audit_log')
    .selectAll()
    .where((or) => or.or([or('developer_id', '=', developerId), or('developer_id', 'is', null)]))
    .where('id', '>', id)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Takes out of a chained row what is not to stand there any more, as the database lets it (`db/dialect.ts`). */
export const redactRow = (
  db: Writer,
  { id, details, ip }: Pick<AuditRow, 'id' | 'details' | 'ip'>,
): Promise<unknown> =>
  unscoped(db, ALL).updateTable('audit_log').set({ details, ip }).where('id', '=', id).execute()

/** The link at a place of the chain; empty before the first. */
export async function linkAt(db: Reader, seq: number): Promise<string> {
  const row = await unscoped(db, ALL)
    .selectFrom('audit_log')
    .select('hash')
    .where('seq', '=', seq)
    .executeTakeFirst()
  return row?.hash ?? ''
}

export async function countUnchained(db: Reader): Promise<number> {
  const { count } = await unscoped(db, ALL)
    .selectFrom('audit_log')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('seq', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** The account that was named, else that of the product. */
const accountOf = (developerId: unknown, productId: unknown) =>
  sql<number | null>`coalesce(cast(${developerId} as bigint),
    (select developer_id from products where products.id = cast(${productId} as bigint)))`

const valuesOf = (row: NewAuditRow) => ({
  at: row.at,
  action: row.action,
  actor_kind: row.actor_kind,
  actor_id: row.actor_id,
  credential: row.credential,
  product_id: row.product_id,
  developer_id: accountOf(row.developer_id, row.product_id),
  ip: row.ip,
  request_id: row.request_id,
  details: row.details,
  seq: null,
  hash: null,
})

export const insertAudit = prepared((db: Writer, row: NewAuditRow) =>
  db.insertInto('audit_log').values(valuesOf(row)),
)

/** The ids of things that a row of the audit log names. */
export interface Named {
  readonly user: number | null
  readonly license: number | null
  readonly install: number | null
  readonly payment: number | null
  readonly subscription: number | null
  readonly trial: number | null
}

const THINGS = {
  install: 'installs',
  payment: 'payments',
  subscription: 'subscriptions',
  trial: 'trials',
} as const

/** A column of what is named, of the first of them that has one. */
const columnOf = (column: 'user_id' | 'license_id', tables: readonly (readonly [string, unknown])[]) =>
  tables.map(
    ([table, id]) =>
      sql`(select ${sql.ref(column)} from ${sql.table(table)} where id = cast(${id} as bigint))`,
  )

/** One that is about a user or a license, so that it stands in the timelines of both. */
export const insertNamedAudit = prepared((db: Writer, row: NewAuditRow & Named) => {
  const things = Object.entries(THINGS).map(
    ([thing, table]) => [table, row[thing as keyof typeof THINGS]] as const,
  )
  const ofUser = columnOf('user_id', [['licenses', row.license], ...things])
  const ofLicense = columnOf('license_id', things)
  return db.insertInto('audit_log').values({
    ...valuesOf(row),
    user_id: sql<number | null>`coalesce(cast(${row.user} as bigint), ${sql.join(ofUser)})`,
    license_id: sql<number | null>`coalesce(cast(${row.license} as bigint), ${sql.join(ofLicense)})`,
  })
})

/** Rows of one statement. */
const AUDIT_ROWS = 25

const AUDIT_COLUMNS = [
  'at',
  'action',
  'actor_kind',
  'actor_id',
  'credential',
  'product_id',
  'developer_id',
  'ip',
  'request_id',
  'details',
] as const satisfies (keyof NewAuditRow)[]

const insertManyAudits = prepared((db: Writer, values: Readonly<Record<string, unknown>>) =>
  db.insertInto('audit_log').values(
    Array.from({ length: AUDIT_ROWS }, (_, n) => ({
      ...(Object.fromEntries(
        AUDIT_COLUMNS.map((name) => [name, values[name + n]]),
      ) as unknown as NewAuditRow),
      developer_id: accountOf(values[`developer_id${n}`], values[`product_id${n}`]),
      seq: null,
      hash: null,
    })),
  ),
)

/** Many rows cost half of what they cost one by one. */
export async function insertAudits(db: Writer, rows: readonly NewAuditRow[]): Promise<void> {
  let at = 0
  for (; at + AUDIT_ROWS <= rows.length; at += AUDIT_ROWS) {
    const page = rows.slice(at, at + AUDIT_ROWS)
    const values = page.flatMap((row, n) => AUDIT_COLUMNS.map((name) => [name + n, row[name]] as const))
    await insertManyAudits(db, Object.fromEntries(values))
  }
  for (const row of rows.slice(at)) await insertAudit(db, row)
}

export interface NewAuditRow {
  readonly at: number
  readonly action: string
  readonly actor_kind: string
  readonly actor_id: number
  readonly credential: string
  readonly product_id: number | null
  readonly developer_id: number | null
  readonly ip: string | null
  readonly request_id: string | null
  readonly details: string
}
