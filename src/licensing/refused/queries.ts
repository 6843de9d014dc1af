import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { RefusalsTable } from '../../db/tables/refusals.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import type { RefusalFilter } from './schema.ts'

export type NewRefusal = Insertable<RefusalsTable>

const OF_CALLS = 'what was refused is looked up for all products at once, after it was answered'

const byId = <T extends { readonly id: number }>(rows: readonly T[]) =>
  new Map(rows.map((row) => [row.id, row]))

export const installsOf = async (db: Reader, ids: readonly number[]) =>
  byId(
    await unscoped(db, OF_CALLS)
      .selectFrom('installs')
      .select(['id', 'product_id', 'license_id', 'user_id', 'environment', 'uid'])
      .where('id', 'in', inList(ids))
      .execute(),
  )

export const licensesOf = async (db: Reader, ids: readonly number[]) =>
  byId(
    await unscoped(db, OF_CALLS)
      .selectFrom('licenses')
      .select(['id', 'product_id', 'user_id', 'environment'])
      .where('id', 'in', inList(ids))
      .execute(),
  )

export const productsOf = async (db: Reader, ids: readonly number[]) =>
  byId(
    await unscoped(db, OF_CALLS).selectFrom('products').select('id').where('id', 'in', inList(ids)).execute(),
  )

/**
 * Puts refusals into their places: what is refused again counts, and what else is there gives way, so that a product
 * never has more of a day than there are places.
 */
export const putRefusals = (db: Writer, rows: readonly NewRefusal[]) =>
  db
    .insertInto('refusals')
    .values(rows as NewRefusal[])
    .onConflict((conflict) =>
      conflict.columns(['product_id', 'day', 'slot']).doUpdateSet((eb) => {
        const isSame = eb('refusals.same', '=', eb.ref('excluded.same'))
        const latest = (
          [
            'same',
            'occasion',
            'license_id',
            'install_id',
            'user_id',
            'environment',
            'uid',
            'url',
            'version',
            'code',
            'message',
            'last_at',
          ] as const
        ).map((name) => [name, eb.ref(`excluded.${name}`)])
        return {
          ...Object.fromEntries(latest),
          count: eb
            .case()
            .when(isSame)
            .then(eb('refusals.count', '+', eb.ref('excluded.count')))
            .else(eb.ref('excluded.count'))
            .end(),
          created: eb
            .case()
            .when(isSame)
            .then(eb.ref('refusals.created'))
            .else(eb.ref('excluded.created'))
            .end(),
        }
      }),
    )
    .execute()

/** Newest first. */
export function listRefusals(db: Reader, owner: Owner, filter: RefusalFilter) {
  const { license_id: license, uid, code, environment, from, count, offset } = filter
  let query = scoped(db, 'refusals', owner).select().selectAll()
  if (license !== undefined) query = query.where('license_id', '=', license)
  if (uid !== undefined) query = query.where('uid', '=', uid)
  if (code !== undefined) query = query.where('code', '=', code)
  if (environment !== undefined) query = query.where('environment', '=', environment)
  const since = from === undefined ? null : parseTimeText(from, 'first second')
  if (since !== null) query = query.where('last_at', '>=', since)
  return query.orderBy('id', 'desc').limit(count).offset(offset).execute()
}
