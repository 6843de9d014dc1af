import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import { toUtcTime } from '../../lib/time.ts'
import type { Spot } from './position.ts'

/** Whose timeline, one of both; and which rows of it. */
export interface Part {
  readonly of: 'user' | 'license'
  readonly id: number
  /** Only rows before the one that stands there; absent: all. */
  readonly before: Spot | undefined
  readonly count: number
  /** Only what is of it, or of none; absent: all. */
  readonly environment?: Environment | undefined
}

const columnOf = ({ of }: Part) => `${of}_id` as const

/** All of a product are in the order of time too, in an index that a license must not be looked for in. */
const productIn = ({ of }: Part) => (of === 'license' ? sql<number>`product_id + 0` : 'product_id')

/** Above every row. */
const TOP: Spot = { at: 253_402_300_799_000, id: Number.MAX_SAFE_INTEGER }

/** Compared as a pair, which an index that has both finds. */
const isBefore = (column: string, time: string | number, { id }: Spot): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(column)}, id) < (${time}, ${id})`

/** Read by the index of the user or the license, in its order, and not by one of the environment. */
const isIn = (of: RawBuilder<unknown>, { environment }: Part): RawBuilder<SqlBool> =>
  environment === undefined ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${of} + 0 = ${environment}`

const OF_PRODUCT = 'the product is that of the scope, in which the user or the license was found'

/** What happened, newest first, in an index of the user or of the license, as each of these is. */
export const eventsIn = (db: Reader, { productId }: Owner, part: Part) =>
  unscoped(db, OF_PRODUCT)
    .selectFrom('events')
    .selectAll()
    .where(columnOf(part), '=', part.id)
    .where(productIn(part), '=', productId)
    .where(isBefore('created', toUtcTime((part.before ?? TOP).at), part.before ?? TOP))
    .where(isIn(sql.ref('environment'), part))
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(part.count)

/** What was mailed, without what it said. */
export const mailsIn = (db: Reader, { productId }: Owner, part: Part) =>
  unscoped(db, OF_PRODUCT)
    .selectFrom('mails')
    .select(['id', 'user_id', 'kind', 'state', 'environment', 'created_at', 'on_clock', 'last_error'])
    .where(columnOf(part), '=', part.id)
    .where(productIn(part), '=', productId)
    .where(isBefore('created_at', (part.before ?? TOP).at, part.before ?? TOP))
    .where(isIn(sql.ref('environment'), part))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(part.count)

/** Of what is done, that of the license it was done to; null: of none. */
const OF_LICENSE = sql<Environment | null>`(select environment from licenses where licenses.id = audit_log.license_id)`

/** Who did what. */
export const auditIn = (db: Reader, { productId }: Owner, part: Part) =>
  unscoped(db, OF_PRODUCT)
    .selectFrom('audit_log')
    .select(['id', 'at', 'action', 'actor_kind', 'actor_id', 'request_id', 'details'])
    .select(OF_LICENSE.as('environment'))
    .where(columnOf(part), '=', part.id)
    .where('product_id', '=', productId)
    .where(isBefore('at', (part.before ?? TOP).at, part.before ?? TOP))
    .where(isIn(sql`coalesce(${OF_LICENSE}, ${part.environment ?? 0})`, part))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(part.count)

/** What clients were refused. */
export const refusalsIn = (db: Reader, owner: Owner, part: Part) =>
  scoped(db, 'refusals', owner)
    .select()
    .selectAll()
    .where(columnOf(part), '=', part.id)
    .where('id', '<', (part.before ?? TOP).id)
    .where(isIn(sql.ref('environment'), part))
    .orderBy('id', 'desc')
    .limit(part.count)

/** The note on it: there is one at most. */
export const noteIn = (db: Reader, owner: Owner, part: Part) =>
  scoped(db, 'notes', owner)
    .select()
    .select(['id', 'note', 'created', 'updated'])
    .where('entity_type', '=', part.of)
    .where('entity_id', '=', part.id)
    .where('id', '<', (part.before ?? TOP).id)
    .orderBy('id', 'desc')
    .limit(1)

/** Names of people who may sign in: id → name. */
export async function namesOf(db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await unscoped(db, 'people who did something in the product')
    .selectFrom('developers')
    .select(['id', 'first', 'last', 'email'])
    .where('id', 'in', inList(ids))
    .execute()
  return new Map(rows.map(({ id, first, last, email }) => [id, `${first} ${last}`.trim() || email]))
}
