import { useParams } from '@tanstack/react-router'
import type { Delivery } from '../../../../src/events/listeners/schema.ts'
import type { EventLog } from '../../../../src/events/log/schema.ts'
import { Copy, nameOf, Time } from '../../format.tsx'
import { Part } from '../../lists/Part.tsx'
import { One } from '../../One.tsx'
import { CustomerLink } from '../../links.tsx'
import { ApiCall, PageHead, RawData } from '../../parts.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { DELIVERY } from '../webhooks/delivery-columns.tsx'
import { deliveryWords } from '../webhooks/delivery-words.ts'
import { useListenerNames } from '../webhooks/listeners.ts'
import { Changes } from './Changes.tsx'
import { EventState, eventWord, triggerText } from './columns.tsx'

/** One event, with all that it says. */
export function Event() {
  const { path } = usePlace()
  const { event: id = '' } = useParams({ strict: false })
  const own = `${path}/events/${id}`
  // Asked for with the event, and there before its deliveries are.
  useListenerNames()
  return (
    <One<EventLog> title={texts.event} path={own}>
      {(event) => <Told event={event} own={own} />}
    </One>
  )
}

const DELIVERIES = [DELIVERY.name, DELIVERY.state, DELIVERY.attempts, DELIVERY.next]

/** How it stands for each listener. */
function Deliveries({ id, state }: Pick<EventLog, 'id' | 'state'>) {
  const { path, wayTo } = usePlace()
  return (
    <Part<Delivery>
      title={deliveryWords.deliveries}
      path={`${path}/deliveries.json`}
      items="deliveries"
      query={{ event_id: id }}
      columns={DELIVERIES}
      wayTo={({ webhook_id: webhook }) => wayTo('webhook', webhook)}
      empty={state === 'pending' ? deliveryWords.notYet : deliveryWords.toNobody}
    />
  )
}

function Told({ event, own }: { readonly event: EventLog; readonly own: string }) {
  const { user = null } = event.objects as { readonly user?: { readonly email?: string } | null }
  return (
    <>
      <PageHead
        title={eventWord(event.type) ?? texts.event}
        state={<EventState {...event} />}
        about={<code>{event.type}</code>}
      />
      <div className="two">
        <div className="stack">
          <section className="panel facts">
            <h2>{texts.itSays}</h2>
            <pre>
              <code>{JSON.stringify(event.data, null, 2)}</code>
            </pre>
          </section>
          <Deliveries {...event} />
        </div>
        <Facts
          facts={[
            { label: texts.customer, value: <CustomerLink id={event.user_id} name={nameOf(user ?? {})} /> },
            { label: texts.happened, value: <Time time={event.created} /> },
            { label: texts.by, value: triggerText(event) },
            { label: texts.id, value: <Copy text={event.id} /> },
          ]}
        />
      </div>
      <Changes event={event} />
      <ApiCall path={`${own}.json`} />
      <RawData data={event} />
    </>
  )
}
