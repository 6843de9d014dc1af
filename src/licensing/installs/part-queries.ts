import { sql, type Insertable, type Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { holding } from '../../db/hold.ts'
import { inList } from '../../db/in-list.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type {
  InstallClonesTable,
  InstallMetadataTable,
  MarketItemsTable,
  UninstallsTable,
} from '../../db/tables/installs.ts'
import type { UtcTime } from '../../lib/time.ts'

const OF_INSTALL = 'of an install that the caller was found to have'

/** Notes why an install was removed, in place of an earlier reason. */
export const upsertUninstall = (db: Writer, row: Insertable<UninstallsTable>, updated: UtcTime) =>
  db
    .insertInto('uninstalls')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('install_id').doUpdateSet({
        reason_id: row.reason_id,
        reason_info: row.reason_info,
        reason_folded: row.reason_folded,
        updated,
      }),
    )
    .execute()

/** Notes why a site was removed that is known by its uid only. */
export const upsertAnonymousUninstall = (db: Writer, row: Insertable<UninstallsTable>, updated: UtcTime) =>
  db
    .insertInto('uninstalls')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['product_id', 'uid']).where('install_id', 'is', null).doUpdateSet({
        reason_id: row.reason_id,
        reason_info: row.reason_info,
        reason_folded: row.reason_folded,
        updated,
      }),
    )
    .execute()

export const findUninstall = (db: Reader, owner: Owner, installId: number) =>
  scoped(db, 'uninstalls', owner).select().selectAll().where('install_id', '=', installId).executeTakeFirst()

/** Notes sites whose owners skipped the opt-in; one that is noted stays. */
export const insertSkipped = (db: Writer, productId: number, uids: readonly string[], created: UtcTime) =>
  db
    .insertInto('skipped_sites')
    .values(uids.map((uid) => ({ product_id: productId, uid, created })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** What an install lets itself be asked, which at first is everything; held until the end of the transaction. */
export async function holdMetadata(db: Writer, row: Insertable<InstallMetadataTable>) {
  await db
    .insertInto('install_metadata')
    .values(row)
    .onConflict((conflict) => conflict.column('install_id').doNothing())
    .execute()
  const held = unscoped(db, OF_INSTALL)
    .selectFrom('install_metadata')
    .selectAll()
    .where('install_id', '=', row.install_id)
  return holding(db, held).executeTakeFirstOrThrow()
}

export const updateMetadata = (db: Writer, id: number, change: Updateable<InstallMetadataTable>) =>
  unscoped(db, OF_INSTALL)
    .updateTable('install_metadata')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const findMetadata = (db: Reader, installId: number) =>
  unscoped(db, OF_INSTALL)
    .selectFrom('install_metadata')
    .selectAll()
    .where('install_id', '=', installId)
    .executeTakeFirst()

/** Plugins and themes of a site, in the order in which they were first told. */
export const listMarketItems = (db: Reader, installId: number) =>
  unscoped(db, OF_INSTALL)
    .selectFrom('market_items')
    .selectAll()
    .where('install_id', '=', installId)
    .orderBy('id')
    .execute()

export type NewMarketItem = Insertable<MarketItemsTable>

/** So many at once at most, and always a power of two, so that lists of any length make few different statements. */
const AT_ONCE = 64

/** Writes plugins and themes of sites, each once. */
export async function upsertMarketItems(
  db: Writer,
  rows: readonly NewMarketItem[],
  updated: UtcTime,
): Promise<void> {
  for (let at = 0; at < rows.length;) {
    const count = Math.min(AT_ONCE, 2 ** Math.floor(Math.log2(rows.length - at)))
    await upsertTogether(db, rows.slice(at, at + count), updated)
    at += count
  }
}

const upsertTogether = (db: Writer, rows: readonly NewMarketItem[], updated: UtcTime) =>
  db
    .insertInto('market_items')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['install_id', 'type', 'slug']).doUpdateSet(({ ref }) => ({
        title: ref('excluded.title'),
        version: ref('excluded.version'),
        is_active: ref('excluded.is_active'),
        updated,
      })),
    )
    .execute()

export const deleteMarketItems = (
  db: Writer,
  installId: number,
  { type, slugs }: Pick<MarketItemsTable, 'type'> & { readonly slugs: readonly string[] },
) =>
  unscoped(db, OF_INSTALL)
    .deleteFrom('market_items')
    .where('install_id', '=', installId)
    .where('type', '=', type)
    .where('slug', 'in', inList(slugs))
    .execute()

/** Notes a second site; one that is noted and not resolved stays. */
export const upsertClone = (db: Writer, row: Insertable<InstallClonesTable>) =>
  db
    .insertInto('install_clones')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['install_id', 'site_url'])
        .where('state', '=', sql.lit('pending'))
        .doUpdateSet({ install_url: row.install_url }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

export const findClone = (
  db: Reader,
  owner: Owner,
  { installId, id }: { readonly installId: number; readonly id: number },
) =>
  scoped(db, 'install_clones', owner)
    .select()
    .selectAll()
    .where('install_id', '=', installId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Resolves a clone, unless it is for good already; undefined then. */
export const resolveCloneRow = (
  db: Writer,
  owner: Owner,
  id: number,
  change: Updateable<InstallClonesTable>,
) =>
  scopedWrite(db, 'install_clones', owner)
    .update()
    .set({ ...change, state: 'resolved' })
    .where('id', '=', id)
    .where((or) => or.or([or('state', '=', 'pending'), or('resolution', '=', 'temporary_duplicate')]))
    .returningAll()
    .executeTakeFirst()
