import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { InstallsTable } from '../../db/tables/installs.ts'
import type { Scope } from '../../access/scope.ts'
import { Arguments, Id } from '../../http/wire.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { INSTALL } from './install.entity.ts'

export type InstallRow = Selectable<InstallsTable>

/** The contract's `Install`. */
export const Install = Type.Object(INSTALL.shown, { title: 'Install' })
export type Install = Static<typeof Install>

/** What lists installs, or made several. */
export const Installs = Type.Object({ installs: Type.Array(Install) }, { title: 'Installs' })

export const InstallId = Arguments({ install_id: Id('ID of the install.') })

/**
 * An install's row as the contract shows it; without `keys` its secret key is left out, and what was ever paid on it
 * for a reader of own reach (`docs/decisions.md` 3.12).
 */
export const presentInstall = (
  row: InstallRow,
  keys: Keyring | null,
  { reach }: Partial<Pick<Scope, 'reach'>>,
): Install => (reach ? INSTALL.presentWithheld(row, keys) : INSTALL.present(row, keys))
