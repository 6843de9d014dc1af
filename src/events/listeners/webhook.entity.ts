import { Type } from '../../lib/type.ts'
import { classesIn } from '../../access/data-classes.ts'
import { entity, type RowOf } from '../../http/entity.ts'
import { choice, derived, flag, given, id, integer, sealed, text, time } from '../../http/entity-fields.ts'
import { Nullable, Optional, Text, Time } from '../../http/wire.ts'
import { timeOrNull } from '../../lib/time.ts'

const Url = () => Text({ max: 2000, format: 'http-url', description: 'Where events are posted to.' })

/** The types that a text names, each once; null: all. */
export function parseTypes(text: string): string[] | null {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  return names.length === 0 ? null : names
}

/** What a text names, as the table keeps it. */
function storedTypes(text: string): string | null {
  const types = parseTypes(text)
  return types === null ? null : `,${types.join(',')},`
}

/** What a listener is told of; null: all. */
export const typesOf = ({ types }: { readonly types: string | null }): string[] | null =>
  types === null ? null : types.slice(1, -1).split(',')

interface Previous {
  readonly previous_until: number | null
  /** Real time, milliseconds. */
  readonly now: number
}

/**
 * Who is told of a product's events (`docs/interface.md` 11.4). Its lease holds its whole queue: `due_at` is that of its
 * first delivery. Fields in the order of the reply.
 */
export const WEBHOOK = entity(
  'webhooks',
  {
    id: id({ filled: true }),
    created: time({}),
    updated: time({ null: true }),
    product_id: id({ wire: 'plugin_id' }),
    /** Many have a secret in them. */
    url: sealed({ create: { schema: Url() }, update: { schema: Optional(Url()) } }),
    /** `,license.created,license.expired,`; null: every type. */
    types: text({
      null: true,
      shown: Nullable(Type.Array(Type.String(), { description: 'The types it is told of; null: all.' })),
      present: typesOf,
      ...given({
        schema: Optional(
          Text({
            max: 10_000,
            format: 'event-types',
            description: 'Types of events, with commas between them; empty or absent: all.',
          }),
        ),
        read: storedTypes,
      }),
    }),
    is_active: flag({ initial: true, ...given('Whether it is told of anything.') }),
    /** Why it was switched off, when nobody did: what it answered, or that it failed too long. */
    off_reason: choice(['gone', 'failing'], {
      null: true,
      description: 'Why the server switched it off; null: it did not.',
    }),
    failures: integer({
      filled: true,
      shown: Type.Integer({ minimum: 0, description: 'Attempts in a row that failed.' }),
    }),
    /** When the first of them was, milliseconds. */
    failing_since: integer({
      null: true,
      shown: Nullable(Time()),
      present: (row: { readonly failing_since: number | null }) => timeOrNull(row.failing_since),
    }),
    previous_secret_until: derived(Nullable(Time()), ({ previous_until: until, now }: Previous) =>
      timeOrNull((until ?? 0) > now ? until : null),
    ),
    /** Classes of data that it is not sent, as its address was set by a role that may not see them. */
    hides: text({
      filled: true,
      shown: Type.Array(Type.String(), {
        description: 'What it is not sent, as the role that set its address may not see it.',
      }),
      present: ({ hides }: { readonly hides: string }): string[] => [...classesIn(hides)],
    }),
    developer_id: id({ hidden: true }),
    secret: sealed({ hidden: true }),
    /** Signs beside `secret` until `previous_until`, milliseconds. */
    previous_secret: sealed({ hidden: true, null: true }),
    previous_until: integer({ hidden: true, null: true }),
    deleted_at: time({ hidden: true, null: true }),
    /** Since when `hides` holds, milliseconds. */
    hides_since: integer({ hidden: true, filled: true }),
    due_at: integer({ hidden: true, null: true }),
    lease_until: integer({ hidden: true }),
    /** Grows with each claim; a holder whose number has passed writes nothing any more. */
    fence: integer({ hidden: true }),
  },
  { told: 'webhook.updated' },
)

export type WebhookRow = RowOf<(typeof WEBHOOK)['fields']>
