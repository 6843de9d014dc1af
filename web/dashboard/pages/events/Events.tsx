import type { EventLog } from '../../../../src/events/log/schema.ts'
import { State, Time, type Tone } from '../../format.tsx'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../lists/Rows.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'

const STATES: Readonly<Record<string, readonly [word: string, tone: Tone]>> = {
  pending: [texts.pending, 'warning'],
  processed: [texts.processed, 'good'],
  error: [texts.failedState, 'bad'],
  canceled: [texts.ignored, 'plain'],
}

/** What became of the deliveries of an event. */
export function EventState({ state }: Pick<EventLog, 'state'>) {
  const [word, tone] = STATES[state] ?? [state, 'plain']
  return <State word={word} tone={tone} />
}

const COLUMNS: readonly Column<EventLog>[] = [
  { label: texts.event, show: ({ type }) => <code>{type}</code> },
  { label: texts.state, show: EventState },
  { label: texts.by, show: ({ event_trigger: by }) => by },
  { label: texts.happened, show: ({ created }) => <Time time={created} /> },
]

export function Events() {
  const { account, path, product, environment } = usePlace()
  return (
    <List<EventLog>
      title={texts.events}
      about={texts.eventsAbout}
      path={`${path}/events.json`}
      items="events"
      query={{ environment }}
      columns={COLUMNS}
      wayTo={({ id }) => ({
        to: '/$account/$product/events/$event',
        params: { account: account.developer_id, product, event: id },
      })}
      empty={[texts.noEvents, texts.noEventsMore]}
    />
  )
}
