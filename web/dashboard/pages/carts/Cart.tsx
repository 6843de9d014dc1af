import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Cart as Shown } from '../../../../src/sales/carts/schema.ts'
import type { EventLog } from '../../../../src/events/log/schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { Refusal } from '../../../ui/doing.tsx'
import { Copy, cycleText, Time } from '../../format.tsx'
import { Part } from '../../lists/Part.tsx'
import { One } from '../../One.tsx'
import { CustomerLink } from '../../links.tsx'
import { ApiCall, PageHead, RawData } from '../../parts.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { useSwitch } from '../../switching.ts'
import { texts } from '../../texts/texts.ts'
import { EVENT_COLUMNS } from '../events/columns.tsx'
import { CartState } from './Carts.tsx'

/** One cart: who left what behind, and whether mails try to win the buyer back. */
export function Cart() {
  const { path } = usePlace()
  const { cart = '' } = useParams({ strict: false })
  const own = `${path}/carts/${cart}`
  return (
    <One<Shown> title={texts.cart} path={own}>
      {(found) => (
        <>
          <Head cart={found} own={own} />
          <div className="two">
            <Part<EventLog>
              title={texts.events}
              path={`${own}/events.json`}
              items="events"
              columns={EVENT_COLUMNS}
              empty={texts.noEvents}
            />
            <Facts
              facts={[
                { label: texts.customer, value: <CustomerLink id={found.user_id} name={found.email} /> },
                { label: texts.email, value: found.email === '' ? null : <Copy text={found.email} /> },
                { label: texts.cycle, value: cycleText(found.billing_cycle) },
                { label: texts.country, value: found.country_code?.toUpperCase() },
                { label: texts.lastSeen, value: <Time time={found.visited} /> },
                { label: texts.created, value: <Time time={found.created} /> },
                { label: texts.id, value: <Copy text={found.id} /> },
              ]}
            />
          </div>
          <ApiCall path={`${own}.json`} />
          <RawData data={found} />
        </>
      )}
    </One>
  )
}

function Head({ cart, own }: { readonly cart: Shown; readonly own: string }) {
  const { change, problem } = useSwitch<Shown>({
    own,
    to: `${own}/recovery.json`,
    said: ({ is_disabled: isStopped }) =>
      `${texts.cart} #${cart.id}: ${isStopped ? texts.stopRecovery : texts.resumeRecovery}`,
  })
  const isOff = cart.is_disabled
  return (
    <>
      <PageHead
        title={`${texts.cart} #${cart.id}`}
        state={<CartState {...cart} />}
        actions={
          cart.completed === null ? (
            <Allowed group="customers">
              {(barred) => (
                <Button {...barred} variant="default" onClick={() => change({ is_disabled: !isOff })}>
                  {isOff ? texts.resumeRecovery : texts.stopRecovery}
                </Button>
              )}
            </Allowed>
          ) : null
        }
      />
      <Refusal problem={problem} />
    </>
  )
}
