import type { Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'

/** Brings a license into the reach of the pairs with which an install was made. */
export const showLicenseOn = prepared((db: Writer, row: { install_id: number; license_id: number }) =>
  db
    .insertInto('user_key_licenses')
    .columns(['user_key_id', 'license_id'])
    .expression(({ selectFrom, val }) =>
      selectFrom('user_key_installs')
        .select(['user_key_installs.user_key_id', val(row.license_id).as('license_id')])
        .where('user_key_installs.install_id', '=', row.install_id)
        .where('user_key_installs.signs', '=', true),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/**
 * Takes a license out of the reach of the pairs whose holders have shown its key, but of those with an install on which
 * it, or what it opened, is active. `family` is its id and those of what it opened.
 */
export const forgetShown = (db: Writer, licenseId: number, family: readonly number[]) =>
  unscoped(db, 'pairs that reach a license which the caller holds')
    .deleteFrom('user_key_licenses')
    .where('license_id', '=', licenseId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('user_key_installs')
            .innerJoin('installs', 'installs.id', 'user_key_installs.install_id')
            .select('installs.id')
            .whereRef('user_key_installs.user_key_id', '=', 'user_key_licenses.user_key_id')
            .where('installs.license_id', 'in', inList(family)),
        ),
      ),
    )
    .execute()
