import { Link } from '@tanstack/react-router'
import type { Delivery } from '../../../../src/events/listeners/schema.ts'
import { numberText, State, Time } from '../../format.tsx'
import { NumberLink } from '../../links.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { deliveryWords } from './delivery-words.ts'
import { useListenerNames } from './listeners.ts'

const TONES = { pending: 'warning', error: 'bad', canceled: 'plain', processed: 'good' } as const

/** A listener by where it is, with its page behind it. */
function Listener({ webhook_id: id }: Delivery) {
  const { wayTo } = usePlace()
  const nameOf = useListenerNames()
  return <Link {...wayTo('webhook', id)}>{nameOf?.(id) ?? `#${id}`}</Link>
}

/** As `Listener`, in a row that opens its page. */
const Name = ({ webhook_id: id }: Delivery) => useListenerNames()?.(id) ?? `#${id}`

/** What lists of deliveries are made of. */
export const DELIVERY = {
  event: { label: texts.event, show: ({ event_id: id }) => <NumberLink kind="event" id={id} /> },
  state: {
    label: texts.state,
    show: ({ state }) => <State word={deliveryWords.states[state]} tone={TONES[state]} />,
  },
  listener: { label: texts.webhook, show: Listener },
  name: { label: texts.webhook, show: Name },
  attempts: {
    label: deliveryWords.attempts,
    show: ({ attempts }) => numberText(attempts),
    isNumber: true,
  },
  next: { label: texts.nextAttempt, show: ({ next_attempt: time }) => <Time time={time} /> },
} as const satisfies Readonly<Record<string, Column<Delivery>>>
