import type { EventLog } from '../../../../src/events/log/schema.ts'
import { State, Time, type Tone } from '../../format.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { texts } from '../../texts/texts.ts'
import { wordOf } from '../timeline/entry.ts'
import { words } from '../timeline/words.ts'

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

/** What an event of this type is in words; null where there are none, as for an event of a client. */
export const eventWord = (type: string): string | null => wordOf({ kind: 'event', type }, words)

/** What happened in words, and as programs call it. */
const Type = ({ type }: Pick<EventLog, 'type'>) => (
  <>
    {eventWord(type)} <code className="muted">{type}</code>
  </>
)

/** Who made it happen, in words. */
export const triggerText = ({ event_trigger: by }: Pick<EventLog, 'event_trigger'>): string =>
  words.actors[by] ?? by

/** What lists of events are made of. */
export const EVENT = {
  type: { label: texts.event, show: Type },
  state: { label: texts.state, show: EventState },
  by: { label: texts.by, show: triggerText },
  happened: { label: texts.happened, show: ({ created }) => <Time time={created} /> },
} as const satisfies Readonly<Record<string, Column<EventLog>>>

/** Of a list in which what they are about is known. */
export const EVENT_COLUMNS = [EVENT.type, EVENT.happened]
