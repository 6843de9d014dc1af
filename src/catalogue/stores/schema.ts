import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { StoresTable } from '../../db/tables/developers.ts'
import { Arguments, Fields, Id, IdText, Nullable, Optional, Paging, Text, Time } from '../../http/wire.ts'
import type { Keyring } from '../../lib/keyring.ts'

export type StoreRow = Selectable<StoresTable>

/** Where a developer sells; it groups products. */
export const Store = Type.Object(
  {
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    developer_id: IdText(),
    title: Type.String(),
    url: Type.String({ description: 'Where it sells; empty: not said.' }),
    dashboard_url: Type.String({ description: 'Where its buyers manage what they bought; empty: not said.' }),
    public_key: Type.String(),
    secret_key: Optional(
      Type.String({
        description: 'For tokens and signed calls with all rights; a login has it shown by its password.',
      }),
    ),
  },
  { title: 'Store' },
)
export type Store = Static<typeof Store>

export const StoreId = Arguments({ store_id: Id('ID of the store.') })

export const StoreList = Arguments({ ...Paging, ...Fields })
export type StoreList = Static<typeof StoreList>

const url = (description: string) =>
  Optional(Text({ max: 2048, format: 'http-url-or-empty', description: `${description}; empty: none.` }))

const ADDRESSES = {
  url: url('Where it sells'),
  dashboard_url: url('Where its buyers manage what they bought'),
}

export const StoreCreate = Arguments({ title: Text({ min: 1 }), ...ADDRESSES })
export type StoreCreate = Static<typeof StoreCreate>

export const StoreUpdate = Arguments({ title: Optional(Text({ min: 1 })), ...ADDRESSES })
export type StoreUpdate = Static<typeof StoreUpdate>

/** Row → wire; `keys` is null for a caller that may not see the secret key (`keysShownTo`). */
export const presentStore = (row: StoreRow, keys: Keyring | null): Store => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  developer_id: String(row.developer_id),
  title: row.title,
  url: row.url,
  dashboard_url: row.dashboard_url,
  public_key: row.public_key,
  ...(keys && { secret_key: keys.open(row.secret_key, 'stores.secret_key') }),
})
