import type { EventLog } from '../../../../src/events/log/schema.ts'
import { activationOf } from '../../curl.ts'
import { ToIssuing } from '../../lists/starts.tsx'
import { List } from '../../lists/List.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { EVENT } from './columns.tsx'

const COLUMNS = [EVENT.type, EVENT.state, EVENT.by, EVENT.happened]

export function Events() {
  const { path, product, environment, wayTo } = usePlace()
  return (
    <List<EventLog>
      title={texts.events}
      about={texts.eventsAbout}
      path={`${path}/events.json`}
      items="events"
      query={{ environment }}
      hasSpan
      columns={COLUMNS}
      wayTo={({ id }) => wayTo('event', id)}
      news="all"
      making={activationOf(product)}
      create={<ToIssuing />}
      empty={[texts.noEvents, texts.noEventsMore]}
    />
  )
}
