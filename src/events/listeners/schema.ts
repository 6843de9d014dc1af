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
  Paging,
  Sorted,
  Text,
} from '../../http/wire.ts'
import { EVENT_STATES } from '../../db/tables/event-types.ts'
import { ATTEMPT, DELIVERY } from './delivery.entity.ts'
import { WEBHOOK } from './webhook.entity.ts'

/** A listener (`docs/interface.md` 11.4). */
export const Webhook = Type.Object(WEBHOOK.shown, { title: 'Webhook' })
export type Webhook = Static<typeof Webhook>

/** A listener with its secret, which is shown at no other time. */
export const NewWebhook = Type.Object(
  { ...WEBHOOK.shown, secret: Type.String({ description: 'Of Standard Webhooks: `whsec_…`.' }) },
  { title: 'NewWebhook' },
)
export type NewWebhook = Static<typeof NewWebhook>

export const Delivery = Type.Object(DELIVERY.shown, { title: 'Delivery' })
export type Delivery = Static<typeof Delivery>

export const Attempt = Type.Object(ATTEMPT.shown, { title: 'DeliveryAttempt' })
export type Attempt = Static<typeof Attempt>

export const WebhookId = Arguments({ webhook_id: Id('ID of the listener.') })
export const WebhookPage = Arguments({ ...MadeBetween, ...Sorted, ...Paging, ...Fields })
export type WebhookPage = Static<typeof WebhookPage>

export const WebhookInput = Arguments(WEBHOOK.create)
export type WebhookInput = Static<typeof WebhookInput>

export const WebhookChange = Arguments(WEBHOOK.update)
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
  ...Sorted,
  ...Paging,
  ...Fields,
})
export type DeliveryFilter = Static<typeof DeliveryFilter>

/** So many events at most have their deliveries listed at a time. */
export const MOST_EVENTS = 100

export const DeliveriesFilter = Arguments({
  webhook_id: Optional(Id('Keeps those of one listener.')),
  event_id: Optional(
    Text({
      max: 2000,
      format: 'ids',
      description: `Keeps those of one event, or of several by commas, at most ${MOST_EVENTS}.`,
    }),
  ),
  type: Optional(Text({ max: 100, description: 'Keeps those of events of one type.' })),
  from: Optional(Text({ max: 19, description: 'Those from this time on, `YYYY-MM-DD HH:MM:SS` in UTC.' })),
  to: Optional(Text({ max: 19, description: 'Those up to this time.' })),
  ...DeliveryFilter.properties,
})
export type DeliveriesFilter = Static<typeof DeliveriesFilter>

export const AttemptFilter = Arguments({
  event_id: Optional(Id('Keeps those of one event.')),
  environment: InEnvironment,
  ...Sorted,
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
