import type { Writer } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'

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
