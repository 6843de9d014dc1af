import { useParams } from '@tanstack/react-router'
import type { EventLog } from '../../../../src/events/log/schema.ts'
import { Copy, nameOf, Time } from '../../format.tsx'
import { One } from '../../One.tsx'
import { CustomerLink } from '../../links.tsx'
import { ApiCall, PageHead, RawData } from '../../parts.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { Changes } from './Changes.tsx'
import { EventState } from './columns.tsx'

/** One event, with all that it says. */
export function Event() {
  const { path } = usePlace()
  const { event: id = '' } = useParams({ strict: false })
  const own = `${path}/events/${id}`
  return (
    <One<EventLog> title={texts.event} path={own}>
      {(event) => <Told event={event} own={own} />}
    </One>
  )
}

function Told({ event, own }: { readonly event: EventLog; readonly own: string }) {
  const { user = null } = event.objects as { readonly user?: { readonly email?: string } | null }
  return (
    <>
      <PageHead title={event.type} state={<EventState {...event} />} />
      <div className="two">
        <section className="panel facts">
          <h2>{texts.itSays}</h2>
          <pre>
            <code>{JSON.stringify(event.data, null, 2)}</code>
          </pre>
        </section>
        <Facts
          facts={[
            { label: texts.customer, value: <CustomerLink id={event.user_id} name={nameOf(user ?? {})} /> },
            { label: texts.happened, value: <Time time={event.created} /> },
            { label: texts.by, value: event.event_trigger },
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
