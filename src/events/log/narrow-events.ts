import type { EventsTable } from '../../db/tables/events.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import { newestBy, type ListSort } from '../../db/newest-by.ts'
import { whereEqual } from '../../db/where-equal.ts'
import { prefixRange } from '../../lib/fold.ts'
import type { TimeSpan } from '../../lib/time-text.ts'

/** What a list of events is narrowed by. */
export interface EventNarrowing {
  /** A whole type, or how types begin: `license.*`. */
  readonly type?: string | undefined
  readonly state?: EventsTable['state'] | undefined
  readonly environment?: Environment | undefined
  readonly user_id?: number | undefined
  readonly install_id?: number | undefined
  readonly license_id?: number | undefined
  readonly made?: TimeSpan | undefined
  readonly sort?: ListSort | undefined
}

interface Comparable {
  where(column: string, operator: '=' | '>=' | '<', value: string): Comparable
}

const COLUMNS = ['state', 'environment', 'user_id', 'install_id', 'license_id'] as const

/** The columns that must have a value. */
const equalIn = (filter: EventNarrowing) =>
  COLUMNS.flatMap((column) => (filter[column] === undefined ? [] : [[column, filter[column]] as const]))

/** Whether nothing narrows a list, nor sorts it. */
export const isWhole = (filter: EventNarrowing): boolean =>
  (filter.type ?? filter.made) === undefined && filter.sort !== 'id' && equalIn(filter).length === 0

export const NEWEST = newestBy('events.id', 'events.created')

/** An install has an index of its own, in the order of ids; that of a user or a license is in the order of time. */
export const readingOf = ({ made, sort, install_id, environment }: EventNarrowing) => ({
  span: made,
  sort,
  isOfFew: install_id !== undefined || environment === 1,
})

/** Narrows a query of events. */
export function narrowEvents<Q>(query: Q, filter: EventNarrowing): Q {
  const equal = Object.fromEntries(equalIn(filter))
  return NEWEST.between(whereEqual(ofType(query, filter.type), 'events', equal), readingOf(filter))
}

function ofType<Q>(query: Q, type: string | undefined): Q {
  if (type === undefined) return query
  const all = query as Comparable
  if (!type.endsWith('.*')) return all.where('events.type', '=', type) as Q
  const { from, to } = prefixRange(type.slice(0, -1))
  const begun = all.where('events.type', '>=', from)
  return (to === null ? begun : begun.where('events.type', '<', to)) as Q
}
