import { useQuery } from '@tanstack/react-query'
import type { Delivery } from '../../../../src/events/listeners/schema.ts'
import type { EventLog } from '../../../../src/events/log/schema.ts'
import { fill } from '../../../shared/language.ts'
import { numberText } from '../../format.tsx'
import { usePlace } from '../../place.ts'
import { deliveryWords } from '../webhooks/delivery-words.ts'
import { useListenerNames } from '../webhooks/listeners.ts'
import { EventState } from './columns.tsx'
import { deliveriesOf } from './deliveries-of.ts'
import './standing.css'

/** Listeners that are told in a row of a list. */
const IN_ROW = 3

/** Those first that want something done. */
const ORDER = ['error', 'pending', 'canceled', 'processed'] as const

/** How an event stands in a row of a list: in a word, and beside it for each listener, once that is known. */
export const Standing = (event: EventLog) => (
  <div className="standing">
    <EventState {...event} />
    <Listeners event={event} />
  </div>
)

/** Nothing where one listener alone is sent it, and took it. Its room is kept, so that nothing moves when it comes. */
function Listeners({ event: { id, state } }: { readonly event: EventLog }) {
  const { path } = usePlace()
  const nameOf = useListenerNames()
  const { data: deliveries = [] } = useQuery({
    // Read again with the list.
    queryKey: [`${path}/events.json`, 'deliveries', id, state],
    queryFn: () => deliveriesOf(path, id),
  })
  const isWorthTelling = deliveries.length > 1 || deliveries.some((one) => one.state !== 'processed')
  if (!isWorthTelling || nameOf === undefined) return <span className="listeners" />
  const told = deliveries
    .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
    .map((one) => `${nameOf(one.webhook_id)}: ${standsText(one)}`)
  return (
    <span className="listeners" title={told.join('\n')}>
      <span>{told.slice(0, IN_ROW).join(' · ')}</span>
      {told.length > IN_ROW ? <span>+{numberText(told.length - IN_ROW)}</span> : null}
    </span>
  )
}

/** `failed, 3 attempts`. */
function standsText({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): string {
  const word = deliveryWords.stands[state]
  if (state === 'processed' || attempts === 0) return word
  const { attemptOnce, attemptsSoFar } = deliveryWords
  return `${word}, ${attempts === 1 ? attemptOnce : fill(attemptsSoFar, { count: numberText(attempts) })}`
}
