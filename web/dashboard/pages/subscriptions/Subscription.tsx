import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { User } from '../../../../src/people/users/schema.ts'
import type { Payment } from '../../../../src/sales/payments/schema.ts'
import type { Subscription as Shown } from '../../../../src/sales/subscriptions/schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { Amount, Copy, cycleText, nameOf, Time } from '../../format.tsx'
import { Part } from '../../lists/Part.tsx'
import { One } from '../../One.tsx'
import { ApiCall, CustomerLink, Facts, PageHead, RawData } from '../../parts.tsx'
import { usePlace } from '../../place.ts'
import { ask } from '../../server.ts'
import { texts } from '../../texts/texts.ts'
import { PAYMENT_COLUMNS } from '../payments/columns.tsx'
import { CancelSubscription } from './CancelSubscription.tsx'
import { PerCycle, SubscriptionState } from './columns.tsx'

/** One subscription: when what is charged next, what was paid, and the way to end it. */
export function Subscription() {
  const { account, path, product } = usePlace()
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
              wayTo={(one) => ({
                to: '/$account/$product/payments/$payment',
                params: { account: account.developer_id, product, payment: one.id },
              })}
            />
            <About subscription={found} />
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
  const [isEnding, setEnding] = useState(false)
  return (
    <>
      <PageHead
        title={`${texts.subscription} #${subscription.id}`}
        state={<SubscriptionState {...subscription} />}
        actions={
          subscription.canceled_at === null ? (
            <Allowed group="sales">
              {(barred) => (
                <Button {...barred} variant="default" onClick={() => setEnding(true)}>
                  {texts.cancelSubscription}
                </Button>
              )}
            </Allowed>
          ) : null
        }
      />
      {isEnding ? (
        <CancelSubscription subscription={subscription} own={own} close={() => setEnding(false)} />
      ) : null}
    </>
  )
}

function About({ subscription: one }: OfSubscription) {
  const { account, path, product } = usePlace()
  const { data: owner } = useQuery({
    queryKey: [`${path}/users/${one.user_id}`],
    queryFn: () => ask<User>(`${path}/users/${one.user_id}.json`),
  })
  return (
    <Facts
      facts={[
        {
          label: texts.customer,
          value: <CustomerLink id={one.user_id} name={owner ? nameOf(owner) : texts.loading} />,
        },
        {
          label: texts.license,
          value:
            one.license_id === null ? null : (
              <Link
                to="/$account/$product/licenses/$license"
                params={{ account: account.developer_id, product, license: one.license_id }}
              >
                #{one.license_id}
              </Link>
            ),
        },
        { label: texts.cycle, value: cycleText(one.billing_cycle) },
        { label: texts.perCycle, value: <PerCycle {...one} /> },
        {
          label: texts.nextPayment,
          value: <Time time={one.canceled_at === null ? one.next_payment : null} />,
        },
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
