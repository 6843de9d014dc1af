import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { DeliveriesTable, DeliveryAttemptsTable, WebhooksTable } from '../../db/tables/webhooks.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  IdText,
  InEnvironment,
  Nullable,
  Optional,
  Paging,
  Text,
  Time,
} from '../../http/wire.ts'
import { classesIn } from '../../access/data-classes.ts'
import { EVENT_STATES } from '../../db/tables/event-types.ts'
import { toUtcTime, type UtcTime } from '../../lib/time.ts'

export type WebhookRow = Selectable<WebhooksTable>
export type DeliveryRow = Selectable<DeliveriesTable>
export type AttemptRow = Selectable<DeliveryAttemptsTable>

const webhook = {
  id: IdText(),
  created: Time(),
  updated: Nullable(Time()),
  plugin_id: IdText(),
  url: Type.String(),
  types: Nullable(Type.Array(Type.String(), { description: 'The types it is told of; null: all.' })),
  is_active: Type.Boolean(),
  off_reason: Nullable(
    Choice(['gone', 'failing'], { description: 'Why the server switched it off; null: it did not.' }),
  ),
  failures: Type.Integer({ minimum: 0, description: 'Attempts in a row that failed.' }),
  failing_since: Nullable(Time()),
  previous_secret_until: Nullable(Time()),
  hides: Type.Array(Type.String(), {
    description: 'What it is not sent, as the role that set its address may not see it.',
  }),
}

/** A listener (`docs/interface.md` 11.4). */
export const Webhook = Type.Object(webhook, { title: 'Webhook' })
export type Webhook = Static<typeof Webhook>

/** A listener with its secret, which is shown at no other time. */
export const NewWebhook = Type.Object(
  { ...webhook, secret: Type.String({ description: 'Of Standard Webhooks: `whsec_…`.' }) },
  { title: 'NewWebhook' },
)
export type NewWebhook = Static<typeof NewWebhook>

export const Delivery = Type.Object(
  {
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    webhook_id: IdText(),
    event_id: IdText(),
    type: Type.String({ description: 'Of the event.' }),
    state: Choice(EVENT_STATES),
    attempts: Type.Integer({ minimum: 0 }),
    next_attempt: Nullable(Time()),
  },
  { title: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

export const Attempt = Type.Object(
  {
    id: IdText(),
    created: Time(),
    webhook_id: IdText(),
    event_id: IdText(),
    duration_ms: Type.Integer({ minimum: 0 }),
    status: Nullable(Type.Integer({ description: 'Null: there was no answer.' })),
    answer: Nullable(Type.String({ description: 'The first 4 KiB of it.' })),
    error: Nullable(Type.String()),
    next_attempt: Nullable(Time()),
  },
  { title: 'DeliveryAttempt' },
)
export type Attempt = Static<typeof Attempt>

export const WebhookId = Arguments({ webhook_id: Id('ID of the listener.') })
export const WebhookPage = Arguments({ ...Paging, ...Fields })

const settings = {
  types: Optional(
    Text({
      max: 10_000,
      format: 'event-types',
      description: 'Types of events, with commas between them; empty or absent: all.',
    }),
  ),
  is_active: Optional(Type.Boolean({ description: 'Whether it is told of anything.' })),
}
const url = (description: string) => Text({ max: 2000, format: 'http-url', description })

export const WebhookInput = Arguments({ url: url('Where events are posted to.'), ...settings })
export type WebhookInput = Static<typeof WebhookInput>

export const WebhookChange = Arguments({ url: Optional(url('Where events are posted to.')), ...settings })
export type WebhookChange = Static<typeof WebhookChange>

export const Rotation = Arguments({
  overlap_hours: Type.Integer({
    minimum: 0,
    maximum: 168,
    default: 24,
    description: 'How long the secret so far signs too.',
  }),
})

export const DeliveryFilter = Arguments({
  state: Optional(Choice(EVENT_STATES, { description: 'Keeps one state.' })),
  environment: InEnvironment,
  ...Paging,
  ...Fields,
})
export type DeliveryFilter = Static<typeof DeliveryFilter>

export const DeliveriesFilter = Arguments({
  webhook_id: Optional(Id('Keeps those of one listener.')),
  type: Optional(Text({ max: 100, description: 'Keeps those of events of one type.' })),
  from: Optional(Text({ max: 19, description: 'Those from this time on, `YYYY-MM-DD HH:MM:SS` in UTC.' })),
  to: Optional(Text({ max: 19, description: 'Those up to this time.' })),
  ...DeliveryFilter.properties,
})
export type DeliveriesFilter = Static<typeof DeliveriesFilter>

export const AttemptFilter = Arguments({
  event_id: Optional(Id('Keeps those of one event.')),
  environment: InEnvironment,
  ...Paging,
  ...Fields,
})
export type AttemptFilter = Static<typeof AttemptFilter>

export const Resend = Arguments({
  event_id: Optional(Id('One event; without it those that the other arguments keep.')),
  from: Optional(Text({ max: 19, description: 'Events from this time on, `YYYY-MM-DD HH:MM:SS` in UTC.' })),
  to: Optional(Text({ max: 19, description: 'Events up to this time.' })),
  state: Optional(
    Choice(EVENT_STATES, { description: 'How events stand for this listener; absent: canceled and error.' }),
  ),
  after_id: Optional(Id('Events after this one: `last_id` of the reply before.')),
})
export type Resend = Static<typeof Resend>

export const Resent = Type.Object(
  {
    count: Type.Integer({ minimum: 0, description: 'How many are sent again.' }),
    last_id: Nullable(IdText()),
    more: Type.Boolean({
      description: 'Whether events after `last_id` are left to look at: call again with `after_id`.',
    }),
  },
  { title: 'Resent' },
)
export type Resent = Static<typeof Resent>

/** The types that a text names, each once; null: all. */
export function parseTypes(text: string): string[] | null {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  return names.length === 0 ? null : names
}

/** Types → as the table keeps them. */
export const storedTypes = (types: readonly string[] | null): string | null =>
  types === null ? null : `,${types.join(',')},`

/** What a listener is told of; null: all. */
export const typesOf = ({ types }: WebhookRow): string[] | null =>
  types === null ? null : types.slice(1, -1).split(',')

const timeOrNull = (ms: number | null): UtcTime | null => (ms === null ? null : toUtcTime(ms))

/** Row → wire, at real time `now`. */
export const presentWebhook = (row: WebhookRow, now: number): Webhook => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  plugin_id: String(row.product_id),
  url: row.url,
  types: typesOf(row),
  is_active: row.is_active,
  off_reason: row.off_reason,
  failures: row.failures,
  failing_since: timeOrNull(row.failing_since),
  previous_secret_until: timeOrNull((row.previous_until ?? 0) > now ? row.previous_until : null),
  hides: [...classesIn(row.hides)],
})

export const presentDelivery = (row: DeliveryRow & { readonly type: string }): Delivery => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  webhook_id: String(row.webhook_id),
  event_id: String(row.event_id),
  type: row.type,
  state: row.state,
  attempts: row.attempts,
  next_attempt: timeOrNull(row.due_at),
})

export const presentAttempt = (row: AttemptRow): Attempt => ({
  id: String(row.id),
  created: toUtcTime(row.at),
  webhook_id: String(row.webhook_id),
  event_id: String(row.event_id),
  duration_ms: row.duration_ms,
  status: row.status,
  answer: row.answer,
  error: row.error,
  next_attempt: timeOrNull(row.next_at),
})
