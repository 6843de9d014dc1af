import { sql } from 'kysely'
import type { Writer } from '../db/database.ts'
import { unscoped } from '../db/scoped.ts'
import type { Demo } from './part.ts'

/** What stays where it is: the row, and whose it is. */
const PLACE = ['id', 'seq', 'developer_id', 'product_id']

/**
 * Gives the events of the demo that no listener was told of yet ids in the order of their times, as those of a shop have
 * that goes on while they happen: its parts are written one after the other, each with times of its own.
 */
export async function orderDemoEvents(db: Writer, { developerId }: Demo): Promise<void> {
  const first = await unscoped(db, 'of the account of the demo')
    .selectFrom('events')
    .selectAll()
    .where('developer_id', '=', developerId)
    .limit(1)
    .executeTakeFirst()
  const columns = Object.keys(first ?? {}).filter((name) => !PLACE.includes(name))
  if (columns.length === 0) return
  const untold = sql`select events.*,
      row_number() over (partition by product_id order by id) as by_id,
      row_number() over (partition by product_id order by created, id) as by_time
    from events where developer_id = ${developerId} and id > (select coalesce(max(deliveries.event_id), 0)
      from deliveries join events as told on told.id = deliveries.event_id where told.developer_id = ${developerId})`
  const moved = columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`moved.${name}`)}`)
  await sql`with untold as (${untold})
    update events set ${sql.join(moved)}
    from (select place.id as place, untold.* from untold as place
      join untold on untold.by_time = place.by_id
        and coalesce(untold.product_id, 0) = coalesce(place.product_id, 0)) as moved
    where events.id = moved.place and moved.id <> moved.place`.execute(db)
}
