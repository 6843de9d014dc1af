import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { EmailAddressesTable } from '../../db/tables/products.ts'
import { Arguments, Id, IdText, Nullable, Optional, Text, Time } from '../../http/wire.ts'

export type AddressesRow = Selectable<EmailAddressesTable>

/** Who mail comes from, by its kind; `<kind>_name` is the sender's name. */
const SENDERS = [
  'general',
  'dont_reply',
  'personal',
  'personal_technical',
  'personal_setup',
  'support',
] as const
type Sender = (typeof SENDERS)[number]

export const ADDRESS_COLUMNS = SENDERS.flatMap((sender) => [sender, `${sender}_name`] as const)
type AddressColumn = (typeof ADDRESS_COLUMNS)[number]

const columns = <A, N>(address: () => A, name: () => N) =>
  Object.fromEntries(
    SENDERS.flatMap((sender) => [
      [sender, address()],
      [`${sender}_name`, name()],
    ]),
  ) as {
    [K in AddressColumn]: K extends Sender ? A : N
  }

const entity = { id: IdText(), created: Time(), updated: Nullable(Time()) }
const text = () => Nullable(Type.String())

/** Sender addresses of a product that has its own. */
export const PluginEmailAddress = Type.Object(
  { ...entity, plugin_id: IdText(), store_id: Type.Integer({ minimum: 1 }), ...columns(text, text) },
  { title: 'PluginEmailAddress' },
)
export type PluginEmailAddress = Static<typeof PluginEmailAddress>

/** Sender addresses of a store, which products inherit. */
export const StoreEmailAddress = Type.Object(
  { ...entity, store_id: Type.Integer({ minimum: 1 }), ...columns(text, text) },
  { title: 'StoreEmailAddress' },
)
export type StoreEmailAddress = Static<typeof StoreEmailAddress>

const addresses = columns(
  () => Optional(Nullable(Text({ max: 254, format: 'email' }))),
  () => Optional(Nullable(Text({ max: 100 }))),
)

export const AddressesUpdate = Arguments(addresses)
export type AddressesUpdate = Static<typeof AddressesUpdate>

export const ProductAddressesUpdate = Arguments({
  store_id: Optional(Id('Store of the developer from which it inherits the rest. Default: its own.')),
  ...addresses,
})

const presentColumns = (row: AddressesRow) =>
  Object.fromEntries(ADDRESS_COLUMNS.map((column) => [column, row[column]])) as Pick<
    AddressesRow,
    AddressColumn
  >

export const presentStoreAddresses = (row: AddressesRow): StoreEmailAddress => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  store_id: row.store_id,
  ...presentColumns(row),
})

export const presentProductAddresses = (row: AddressesRow): PluginEmailAddress => ({
  ...presentStoreAddresses(row),
  plugin_id: String(row.product_id),
})
