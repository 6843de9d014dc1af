import type { EventLog } from '../../../../src/events/log/schema.ts'
import { State, Time, type Tone } from '../../format.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { texts } from '../../texts/texts.ts'

const STATES: Readonly<Record<string, readonly [word: string, tone: Tone]>> = {
  pending: [texts.pending, 'warning'],
  processed: [texts.processed, 'good'],
  error: [texts.failedState, 'bad'],
  canceled: [texts.noWebhook, 'plain'],
}

/** What became of the deliveries of an event. */
export function EventState({ state }: Pick<EventLog, 'state'>) {
  const [word, tone] = STATES[state] ?? [state, 'plain']
  return <State word={word} tone={tone} />
}

/** What lists of events are made of. */
export const EVENT = {
  type: { label: texts.event, show: ({ type }) => <code>{type}</code> },
  state: { label: texts.state, show: EventState },
  by: { label: texts.by, show: ({ event_trigger: by }) => by },
  happened: { label: texts.happened, show: ({ created }) => <Time time={created} /> },
} as const satisfies Readonly<Record<string, Column<EventLog>>>

/** Of a list in which what they are about is known. */
export const EVENT_COLUMNS = [EVENT.type, EVENT.happened]
