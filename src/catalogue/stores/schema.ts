import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { StoresTable } from '../../db/tables/developers.ts'
import { Arguments, Fields, Id, MadeBetween, Paging, SortedByTitle } from '../../http/wire.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { STORE } from './store.entity.ts'

export type StoreRow = Selectable<StoresTable>

export const Store = Type.Object(STORE.shown, { title: 'Store' })
export type Store = Static<typeof Store>

export const StoreId = Arguments({ store_id: Id('ID of the store.') })

export const StoreList = Arguments({ ...MadeBetween, ...SortedByTitle, ...Paging, ...Fields })
export type StoreList = Static<typeof StoreList>

export const StoreCreate = Arguments(STORE.create)
export type StoreCreate = Static<typeof StoreCreate>

export const StoreUpdate = Arguments(STORE.update)
export type StoreUpdate = Static<typeof StoreUpdate>

/** Row → wire; `keys` is null for a caller that may not see the secret key (`keysShownTo`). */
export const presentStore: (row: StoreRow, keys: Keyring | null) => Store = STORE.present
