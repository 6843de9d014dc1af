import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { PaymentMethodsTable } from '../../db/tables/payments.ts'
import { Arguments, Choice, Fields, Id, IdText, Nullable, Paging, Time } from '../../http/wire.ts'

export type CardRow = Omit<Selectable<PaymentMethodsTable>, 'token'>

/** A card or account that later payments are charged to; `user_card_id` of payments and subscriptions names it. */
export const Card = Type.Object(
  {
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    user_id: IdText(),
    plugin_id: IdText(),
    gateway: Type.String(),
    kind: Choice(['card', 'paypal', 'ideal']),
    brand: Nullable(Type.String({ description: 'Of a card: `visa`.' })),
    last4: Nullable(Type.String({ description: 'Of a card: its last four digits.' })),
    expiry_month: Nullable(Type.Integer()),
    expiry_year: Nullable(Type.Integer()),
    environment: Choice([0, 1]),
  },
  { title: 'Card' },
)
export type Card = Static<typeof Card>

const user = { user_id: Id('ID of the user.') }
export const CardsOfUser = Arguments(user)
export const CardOfUser = Arguments({ ...user, card_id: Id('ID of the card.') })
export const CardPage = Arguments({ ...Paging, ...Fields })

/** Row → wire. What opens it at the gateway is never shown. */
export const presentCard = (row: CardRow): Card => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  user_id: String(row.user_id),
  plugin_id: String(row.product_id),
  gateway: row.gateway,
  kind: row.kind,
  brand: row.brand,
  last4: row.last4,
  expiry_month: row.expiry_month,
  expiry_year: row.expiry_year,
  environment: row.environment,
})
