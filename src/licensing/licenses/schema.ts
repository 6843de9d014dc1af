import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { LicensesTable } from '../../db/tables/licenses.ts'
import { Arguments, Id } from '../../http/wire.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { LICENSE } from './license.entity.ts'

export type LicenseRow = Selectable<LicensesTable>

/** The contract's `License`. */
export const License = Type.Object(LICENSE.shown, { title: 'License' })
export type License = Static<typeof License>

export const LicenseId = Arguments({ license_id: Id('ID of the license.') })

/**
 * A license's row as the contract shows it, its key in clear (`docs/interface.md` 5.2): `known` where the
 * caller has named it, whose hash is the license's.
 */
export const presentLicense = (row: LicenseRow, keys: Keyring, known: string | null = null): License =>
  LICENSE.present(row, keys, { secret_key: known })
