import { Type, type Static } from '../../lib/type.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  IdText,
  InEnvironment,
  MadeBetween,
  Nullable,
  Optional,
  OverProducts,
  Paging,
  Sorted,
  Time,
} from '../../http/wire.ts'
import { idText } from '../../lib/id-text.ts'
import { toDecimal } from '../../lib/money.ts'
import type { DisputeRow } from './queries.ts'

const DISPUTE_STATES = ['open', 'won', 'lost'] as const
export type DisputeState = (typeof DISPUTE_STATES)[number]

/** Ours: a payment that a buyer's bank disputes, and how that ended. */
export const Dispute = Type.Object(
  {
    id: IdText('Of the row that took the money away.'),
    plugin_id: IdText(),
    payment_id: IdText('What is disputed.'),
    user_id: IdText(),
    license_id: Nullable(IdText()),
    email: Type.String(),
    amount: Type.Number({ description: 'What was taken away until it is settled, with tax.' }),
    missing: Type.Number({ description: 'What is disputed beside that and was not left of the payment.' }),
    fee: Type.Number({ description: 'What the gateway took for it.' }),
    currency: Type.String(),
    gateway: Nullable(Type.String()),
    state: Choice(DISPUTE_STATES),
    created: Time(),
    closed: Nullable(Time('Null: it is open.')),
    environment: Choice([0, 1]),
  },
  { title: 'Dispute' },
)
export type Dispute = Static<typeof Dispute>

export const DisputeList = Arguments({
  filter: Optional(Choice(DISPUTE_STATES, { description: 'By state.' })),
  user_id: Optional(Id('Only of this user.')),
  ...MadeBetween,
  ...Sorted,
  environment: InEnvironment,
  ...Paging,
  ...Fields,
})
export type DisputeList = Static<typeof DisputeList>

/** Of an account: over its products. */
export const AccountDisputeList = Arguments({ ...DisputeList.properties, ...OverProducts })
export type AccountDisputeList = Static<typeof AccountDisputeList>

const stateOf = ({ end }: DisputeRow): DisputeState =>
  end === null ? 'open' : end === 'won_dispute' ? 'won' : 'lost'

export const presentDispute = (row: DisputeRow): Dispute => ({
  id: String(row.id),
  plugin_id: String(row.product_id),
  payment_id: String(row.bound_payment_id),
  user_id: String(row.user_id),
  license_id: idText(row.license_id),
  email: row.email,
  amount: toDecimal(0 - row.gross - row.tax),
  missing: toDecimal(row.refunded_gross),
  fee: toDecimal(row.gateway_fee),
  currency: row.currency,
  gateway: row.gateway,
  state: stateOf(row),
  created: row.processed_at,
  closed: row.closed_at,
  environment: row.environment,
})
