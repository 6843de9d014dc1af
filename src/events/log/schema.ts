import { Type, type Static } from '../../lib/type.ts'
import type { Selectable } from 'kysely'
import type { EventsTable } from '../../db/tables/events.ts'
import {
  Arguments,
  Choice,
  FARTHEST,
  Fields,
  Id,
  IdText,
  MadeBetween,
  Nullable,
  Optional,
  Paging,
  Text,
  Time,
  Sorted,
} from '../../http/wire.ts'
import { withoutHidden, type DataClassName } from '../../access/data-classes.ts'
import { EVENT_STATES, EVENT_TRIGGERS } from '../../db/tables/event-types.ts'

export type EventRow = Selectable<EventsTable>

/**
 * An event (`docs/interface.md` 11.1). `objects` is always sent: null where a kind is not concerned, false where it was
 * deleted.
 */
export const EventLog = Type.Object(
  {
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    state: Choice(EVENT_STATES),
    type: Type.String(),
    developer_id: IdText(),
    plugin_id: Nullable(IdText()),
    user_id: Nullable(IdText()),
    install_id: Nullable(IdText()),
    data: Type.Unknown(),
    event_trigger: Choice(EVENT_TRIGGERS),
    process_time: Nullable(Time()),
    objects: Type.Object({}, { description: 'Related entities by kind, as they are now.' }),
  },
  { title: 'EventLog' },
)
export type EventLog = Static<typeof EventLog>

/** The entities that belong to an event, by kind (`docs/decisions.md` 6.2). */
export type EventObjects = Readonly<Record<string, object | null | false>>

export const EventId = Arguments({ event_id: Id('ID of the event.') })

export const EventFilter = Arguments({
  type: Optional(
    Text({
      max: 100,
      description: 'Exact dotted type, for instance license.created, or all that begin so: license.*.',
    }),
  ),
  state: Optional(Choice(EVENT_STATES, { description: 'Keeps one state.' })),
  environment: Optional(
    Choice([0, 1], {
      description: 'Only what is about the sandbox (1), or what is live or belongs to both (0).',
    }),
  ),
  user_id: Optional(Id('Keeps what is about one user.')),
  install_id: Optional(Id('Keeps what is about one install.')),
  license_id: Optional(Id('Keeps what is about one license.')),
  ...MadeBetween,
  ...Sorted,
  ...Paging,
  ...Fields,
})

/** Without products of what is about none. */
export const AccountEventFilter = Arguments({
  ...EventFilter.properties,
  product_ids: Optional(
    Text({
      max: 2000,
      format: 'ids',
      description: `Of these products, by commas, none beyond an offset of ${FARTHEST}; absent: of what is about none.`,
    }),
  ),
})
export type AccountEventFilter = Static<typeof AccountEventFilter>

export const CartEventPage = Arguments(Paging)

export const EventPage = Arguments({ ...Paging, ...Fields })

/** Row → wire; the data without the fields of `hides`. */
export const presentEvent = (
  row: EventRow,
  objects: EventObjects,
  hides: readonly DataClassName[],
): EventLog => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  state: row.state,
  type: row.type,
  developer_id: String(row.developer_id),
  plugin_id: row.product_id === null ? null : String(row.product_id),
  user_id: row.user_id === null ? null : String(row.user_id),
  install_id: row.install_id === null ? null : String(row.install_id),
  data: row.data === null ? null : withoutHidden(JSON.parse(row.data), hides),
  event_trigger: row.event_trigger,
  process_time: row.process_time,
  objects,
})

/** A page of events. */
export const Events = Type.Object({ events: Type.Array(EventLog) })

const Names = (description: string) => Type.Array(Type.String(), { description })

const EventTypeMeaning = Type.Object(
  {
    type: Type.String(),
    meaning: Type.String({ description: 'When it is recorded, in one sentence.' }),
    data: Names('The names that its `data` may have.'),
    objects: Names('The kinds of what it is about, as its `objects` may have them.'),
  },
  { title: 'EventTypeMeaning' },
)

/** The types that a listener may be sent, each with its meaning. */
export const EventTypes = Type.Object({ event_types: Type.Array(EventTypeMeaning) })
export type EventTypes = Static<typeof EventTypes>
