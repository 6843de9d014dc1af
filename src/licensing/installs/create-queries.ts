import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { pick, prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'
import type { InstallsTable } from '../../db/tables/installs.ts'
import type { UtcTime } from '../../lib/time.ts'
import { INSTALL } from './install.entity.ts'

const COLUMNS = Object.keys(INSTALL.fields).filter((name) => name !== 'id') as Exclude<
  keyof InstallsTable,
  'id'
>[]

type NewRow = Required<Omit<Insertable<InstallsTable>, 'id'>>

const inserting = prepared((db: Writer, row: NewRow) =>
  db
    .insertInto('installs')
    .values(pick(row, COLUMNS))
    .onConflict((conflict) => conflict.columns(['product_id', 'uid', 'user_id']).doNothing())
    .returningAll(),
)

/** Adds an install unless its user has one of this uid; undefined then. */
export const insertInstall = async (db: Writer, row: NewRow) => (await inserting(db, row))[0]

interface Site {
  readonly developer_id: number
  readonly address: string
  readonly created: UtcTime
}

const addSite = prepared((db: Writer, row: Site) =>
  db
    .insertInto('sites')
    .values(pick(row, ['developer_id', 'address', 'created']))
    .onConflict((conflict) => conflict.columns(['developer_id', 'address']).doNothing())
    .returning('id'),
)

const findSite = prepared((db: Reader, { developer_id: developerId, address }: Site) =>
  unscoped(db, 'a site belongs to a developer, in all of its products')
    .selectFrom('sites')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('address', '=', address),
)

/** The id of a site of a developer, which is added when there is none. */
export async function upsertSite(db: Writer, site: Site): Promise<number> {
  const kept = (await addSite(db, site))[0] ?? (await findSite(db, site))[0]
  if (!kept) throw new Error('A site that stands in the way of an insert is there.')
  return kept.id
}
