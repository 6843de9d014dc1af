import { useParams } from '@tanstack/react-router'
import type { Payment } from '../../../../src/sales/payments/schema.ts'
import type { Subscription as Shown } from '../../../../src/sales/subscriptions/schema.ts'
import { Amount, Copy, cycleText, Time } from '../../format.tsx'
import { Part } from '../../lists/Part.tsx'
import { One } from '../../One.tsx'
import { NumberLink, Owner } from '../../links.tsx'
import { ApiCall, PageHead, RawData } from '../../parts.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { PAYMENT_COLUMNS } from '../payments/columns.tsx'
import { NextPayment, PerCycle, SubscriptionState } from './columns.tsx'
import { Deeds } from './Deeds.tsx'
import { Note } from '../notes/Note.tsx'

/** One subscription: when what is charged next, what was paid, and the way to end it. */
export function Subscription() {
  const { path, wayTo } = usePlace()
  const { subscription = '' } = useParams({ strict: false })
  const own = `${path}/subscriptions/${subscription}`
  return (
    <One<Shown> title={texts.subscription} path={own}>
      {(found) => (
        <>
          <Head subscription={found} own={own} />
          <div className="two">
            <Part<Payment>
              title={texts.payments}
              path={`${own}/payments.json`}
              items="payments"
              columns={PAYMENT_COLUMNS}
              wayTo={({ id }) => wayTo('payment', id)}
              empty={texts.noPaymentsOfSubscription}
            />
            <div className="stack">
              <About subscription={found} />
              <Note own={own} group="sales" />
            </div>
          </div>
          <ApiCall path={`${own}.json`} />
          <RawData data={found} />
        </>
      )}
    </One>
  )
}

interface OfSubscription {
  readonly subscription: Shown
}

function Head({ subscription, own }: OfSubscription & { readonly own: string }) {
  return (
    <PageHead
      title={`${texts.subscription} #${subscription.id}`}
      state={<SubscriptionState {...subscription} />}
      actions={<Deeds subscription={subscription} own={own} />}
    />
  )
}

function About({ subscription: one }: OfSubscription) {
  return (
    <Facts
      facts={[
        { label: texts.customer, value: <Owner id={one.user_id} /> },
        { label: texts.license, value: <NumberLink kind="license" id={one.license_id} /> },
        { label: texts.cycle, value: cycleText(one.billing_cycle) },
        { label: texts.perCycle, value: <PerCycle {...one} /> },
        { label: texts.nextPayment, value: <NextPayment {...one} /> },
        { label: texts.paidSoFar, value: <Amount amount={one.total_gross} currency={one.currency} /> },
        { label: texts.failedPayments, value: one.failed_payments },
        { label: texts.endedAt, value: <Time time={one.canceled_at} /> },
        { label: texts.gateway, value: one.gateway },
        { label: texts.created, value: <Time time={one.created} /> },
        { label: texts.id, value: <Copy text={one.id} /> },
      ]}
    />
  )
}
