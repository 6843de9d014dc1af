import { Type } from '../../lib/type.ts'
import { EVENT_STATES } from '../../db/tables/event-types.ts'
import { entity, type RowOf } from '../../http/entity.ts'
import { choice, derived, flag, id, integer, text, time } from '../../http/entity-fields.ts'
import { Nullable, Time } from '../../http/wire.ts'
import { timeOrNull, toUtcTime } from '../../lib/time.ts'

const count = Type.Integer({ minimum: 0 })

/** An event for one listener. Text times are for readers, milliseconds for the worker. */
export const DELIVERY = entity('deliveries', {
  id: id({ filled: true }),
  created: time({}),
  updated: time({ null: true }),
  webhook_id: id({}),
  event_id: id({}),
  type: derived(Type.String({ description: 'Of the event.' }), (row: { readonly type: string }) => row.type),
  state: choice(EVENT_STATES, {}),
  attempts: integer({ shown: count }),
  next_attempt: derived(Nullable(Time()), (row: { readonly due_at: number | null }) =>
    timeOrNull(row.due_at),
  ),
  product_id: id({ hidden: true }),
  /** Whose events stay in order: `u7`, `i3`, `c2`, `coupon:5`; `n9` of one that keeps none. */
  order_key: text({ hidden: true }),
  /** Null while it waits for an earlier one of its `order_key`, and when it has ended. */
  due_at: integer({ hidden: true, null: true }),
})

/** A try to reach a listener. */
export const ATTEMPT = entity('delivery_attempts', {
  id: id({ filled: true }),
  created: derived(Time(), (row: { readonly at: number }) => toUtcTime(row.at)),
  webhook_id: id({}),
  event_id: id({}),
  duration_ms: integer({ shown: count }),
  status: integer({ null: true, description: 'Null: there was no answer.' }),
  /** Sealed: it may repeat what was sent (`answerOf`). */
  answer: text({ null: true, description: 'The first 4 KiB of it.' }),
  error: text({ null: true }),
  next_attempt: derived(Nullable(Time()), (row: { readonly next_at: number | null }) =>
    timeOrNull(row.next_at),
  ),
  product_id: id({ hidden: true }),
  delivery_id: id({ hidden: true }),
  /** When it began, milliseconds. */
  at: integer({ hidden: true }),
  /** 0: nobody has judged the answer, which an earlier version may have left in clear. */
  is_sealed: flag({ hidden: true, filled: true }),
  /** When the next one is due, milliseconds; null: none is. */
  next_at: integer({ hidden: true, null: true }),
})

export type DeliveryRow = RowOf<(typeof DELIVERY)['fields']>
export type AttemptRow = RowOf<(typeof ATTEMPT)['fields']>
