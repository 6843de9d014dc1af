import { sql, type Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { batched } from '../../db/batched.ts'
import { countRows } from '../../db/count-rows.ts'
import { listensTo } from '../../db/event-listeners.ts'
import { fromNewest, listStart, type GoingOn, type ListStart } from '../../db/list-start.ts'
import { prepared, preparedFor } from '../../db/prepared.ts'
import { scoped, type Owner } from '../../db/scoped.ts'
import type { EventsTable } from '../../db/tables/events.ts'
import type { Page } from './event-rows.ts'
import { isWhole, narrowEvents, NEWEST, readingOf, type EventNarrowing } from './narrow-events.ts'

export interface EventFilter extends Page, GoingOn, EventNarrowing {}

/** Newest first; the rows before the page are skipped in an index, which holds each filter's order. */
export async function listEvents(db: Reader, owner: Owner, filter: EventFilter) {
  const { offset, below } = filter
  const start = isWhole(filter)
    ? await listStart(db, 'events', owner, { offset, below })
    : fromNewest(offset, below)
  return pageOfEvents(db, owner, filter, start).execute()
}

export function pageOfEvents(db: Reader, owner: Owner, filter: EventFilter, { upTo, offset }: ListStart) {
  const reading = { ...readingOf(filter), below: filter.below }
  const page = narrowed(db, owner, filter).where('id', '<=', upTo).limit(filter.count).offset(offset)
  const all = scoped(db, 'events', owner).select().selectAll()
  return NEWEST.rows(all.where('id', 'in', NEWEST.ids(page, reading)), reading)
}

/** How many events there are, counted no further than `filter.count`. */
export const countEvents = (db: Reader, owner: Owner, filter: EventFilter) =>
  countRows(db, narrowed(db, owner, filter), filter.count)

const narrowed = (db: Reader, owner: Owner, filter: EventFilter) =>
  narrowEvents(scoped(db, 'events', owner).select().select('events.id'), filter)

/** The events of one user, newest first. */
export const listEventsOfUser = preparedFor((db, owner, values: Page & { userOfEvents: number }) =>
  scoped(db, 'events', owner)
    .select()
    .selectAll()
    .where(
      'id',
      'in',
      scoped(db, 'events', owner)
        .select()
        .select('id')
        .where('user_id', '=', values.userOfEvents)
        .orderBy('created', 'desc')
        .orderBy('id', 'desc')
        .limit(values.count)
        .offset(values.offset),
    )
    .orderBy('created', 'desc')
    .orderBy('id', 'desc'),
)

/** The events of one cart, newest first. */
export const listEventsOfCart = (
  db: Reader,
  owner: Owner,
  { cartId, count, offset }: Page & { readonly cartId: number },
) =>
  scoped(db, 'events', owner)
    .select()
    .selectAll()
    .where('cart_id', '=', cartId)
    .orderBy('id', 'desc')
    .limit(count)
    .offset(offset)
    .execute()

/** Its state follows from who listens. */
export type NewEvent = Required<Omit<Insertable<EventsTable>, 'id' | 'is_spread' | 'state' | 'process_time'>>

const EVENT_COLUMNS = [
  'developer_id',
  'product_id',
  'user_id',
  'install_id',
  'cart_id',
  'license_id',
  'on_clock',
  'thing',
  'environment',
  'type',
  'data',
  'event_trigger',
  'created',
  'updated',
] as const satisfies readonly (keyof NewEvent)[]

type Cells = Readonly<Record<string, NewEvent[keyof NewEvent]>>

/** The name of a value of the n-th row. */
const cell = (name: string, n: number) => `${n} ${name}`

const inserting = (count: number) =>
  prepared((db: Writer, cells: Cells) => {
    const rows = Array.from({ length: count }, (_, n) => {
      const [product, type, now] = [
        cells[cell('product_id', n)],
        cells[cell('type', n)],
        cells[cell('created', n)],
      ]
      const awaited = sql`exists (select 1 from webhooks
        where product_id = ${product} and is_active = 1 and ${listensTo(sql`${type}`)})`
      return {
        ...Object.fromEntries(EVENT_COLUMNS.map((name) => [name, cells[cell(name, n)]])),
        state: sql`case when ${awaited} then 'pending' else 'canceled' end`,
        process_time: sql`case when ${awaited} then null else ${now} end`,
      }
    })
    return db
      .insertInto('events')
      .values(rows as unknown as Insertable<EventsTable>[])
      .returning('id')
  })

const insertingOf = new Map<number, ReturnType<typeof inserting>>()

/**
 * Adds events by one statement, in their order; their ids. One that nobody listens to is settled at once
 * (`docs/decisions.md` 6.3).
 */
export const insertEvents: (db: Writer, rows: readonly NewEvent[]) => Promise<number[]> = batched({
  async many(db: Writer, lists: readonly (readonly NewEvent[])[]) {
    const ids = (await insertTogether(db, lists.flat())).values()
    return lists.map((list) => [...ids.take(list.length)])
  },
})

async function insertTogether(db: Writer, rows: readonly NewEvent[]): Promise<number[]> {
  const insert = insertingOf.get(rows.length) ?? inserting(rows.length)
  insertingOf.set(rows.length, insert)
  const cells: Record<string, NewEvent[keyof NewEvent]> = {}
  rows.forEach((row, n) => {
    for (const name of EVENT_COLUMNS) cells[cell(name, n)] = row[name]
  })
  return (await insert(db, cells)).map(({ id }) => id)
}
