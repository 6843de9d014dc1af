import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'

/** The license that is active on an install, with the hash of its bundle's key: one statement, prepared once. */
export const findActiveByUid = prepared((db, { id, uid }: { id: number; uid: string }) =>
  unscoped(db, 'named by install and uid; the key, which is compared after it, proves the right')
    .selectFrom('installs')
    .innerJoin('licenses', 'licenses.id', 'installs.license_id')
    .leftJoin('licenses as parents', 'parents.id', 'licenses.parent_license_id')
    .selectAll('licenses')
    .select('parents.key_hash as parent_key_hash')
    .where('installs.id', '=', id)
    .where('installs.uid', '=', uid),
)
