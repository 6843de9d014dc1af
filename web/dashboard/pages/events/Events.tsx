import type { EventLog } from '../../../../src/events/log/schema.ts'
import { activationOf } from '../../curl.ts'
import { ToIssuing } from '../../lists/starts.tsx'
import { BY_AGE } from '../../lists/by-age.ts'
import { List } from '../../lists/List.tsx'
import { useNarrowed } from '../../lists/narrowed.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { ABOUT } from './about.ts'
import { EVENT } from './columns.tsx'
import { Standing } from './Standing.tsx'

const COLUMNS = [EVENT.type, { ...EVENT.state, show: Standing }, EVENT.by, EVENT.happened]

export function Events() {
  const { path, product, environment, wayTo } = usePlace()
  const { filter } = useNarrowed()
  return (
    <List<EventLog>
      title={texts.events}
      about={texts.eventsAbout}
      path={`${path}/events.json`}
      items="events"
      query={{ environment, filter: undefined, type: filter && `${filter}.*` }}
      filters={ABOUT}
      hasSpan
      sorts={BY_AGE}
      columns={COLUMNS}
      wayTo={({ id }) => wayTo('event', id)}
      news="all"
      making={activationOf(product)}
      start={<ToIssuing />}
      empty={[texts.noEvents, texts.noEventsMore]}
    />
  )
}
