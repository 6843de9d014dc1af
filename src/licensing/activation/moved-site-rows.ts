import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'

/** How the uid of a site begins that was brought from another platform, and that no client has told of: none has this form. */
export const MOVED = 'moved:'

export interface MovedSite {
  readonly licenseId: number
  readonly host: string
}

const movedSite = (db: Reader, { licenseId, host }: MovedSite) =>
  unscoped(db, 'whoever has the key of a license says which of its sites it is')
    .selectFrom('installs')
    .select('id')
    .where('license_id', '=', licenseId)
    .where('host', '=', host)
    .where('uid', 'like', `${MOVED}%`)
    .orderBy('id')
    .limit(1)

/** Whether a license is active on a site of this host that was brought, and has not asked here yet. */
export const hasMovedSite = async (db: Reader, site: MovedSite): Promise<boolean> =>
  (await movedSite(db, site).execute()).length > 0

/** Gives the site that was brought the uid by which its client calls itself, so that it keeps its place. */
export const takeOverMovedSite = async (db: Writer, site: MovedSite, uid: string): Promise<void> => {
  await unscoped(db, 'whoever has the key of a license says which of its sites it is')
    .updateTable('installs')
    .set({ uid })
    .where('id', '=', movedSite(db, site))
    .where('uid', 'like', `${MOVED}%`)
    .execute()
}
