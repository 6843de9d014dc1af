import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { LicenseSitesTable } from '../../db/tables/licenses.ts'

/** What stands on the lists of a license, the earliest first. */
export const listSites = (db: Reader, owner: Owner, licenseId: number) =>
  scoped(db, 'license_sites', owner)
    .select()
    .selectAll()
    .where('license_sites.license_id', '=', licenseId)
    .orderBy('license_sites.id')
    .execute()

/** Adds an entry unless it is there; undefined then. */
export const insertSite = (db: Writer, row: Insertable<LicenseSitesTable>) =>
  db
    .insertInto('license_sites')
    .values(row)
    .onConflict((conflict) => conflict.columns(['license_id', 'kind', 'pattern']).doNothing())
    .returningAll()
    .executeTakeFirst()

/** Removes an entry; undefined when the license has no such one. */
export const deleteSite = (
  db: Writer,
  owner: Owner,
  { id, licenseId }: { readonly id: number; readonly licenseId: number },
) =>
  scopedWrite(db, 'license_sites', owner)
    .delete()
    .where('license_sites.id', '=', id)
    .where('license_sites.license_id', '=', licenseId)
    .returningAll()
    .executeTakeFirst()
