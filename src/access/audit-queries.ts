import { sql, type Selectable } from 'kysely'
import type { Reader, Writer } from '../db/database.ts'
import { inList } from '../db/in-list.ts'
import type { AuditLogTable } from '../db/tables/audit.ts'

export type AuditRow = Selectable<AuditLogTable>

/** A row's place in the chain. */
export interface Link {
  readonly id: number
  readonly seq: number
  readonly hash: string
}

/** The first rows that have no place in the chain yet. */
export const unchainedRows = (db: Reader, limit: number): Promise<AuditRow[]> =>
  db.selectFrom('audit_log').selectAll().where('hash', 'is', null).orderBy('id').limit(limit).execute()

/** The newest link of the chain. */
export const findHead = (db: Reader): Promise<Link | undefined> =>
  db
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
  db.selectFrom('audit_log').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit).execute()

/** Rows that say what others are since a secret was taken out of them, a few at a time. */
export const redactionsAfter = (db: Reader, id: number): Promise<Pick<AuditRow, 'id' | 'details'>[]> =>
  db
    .selectFrom('audit_log')
    .select(['id', 'details'])
    .where('action', '=', 'keywright/redact-audit')
    .where('actor_kind', '=', 'system')
    .where('id', '>', id)
    .orderBy('id')
    .limit(100)
    .execute()

export async function countUnchained(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom('audit_log')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('seq', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
