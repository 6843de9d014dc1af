import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Payment as Shown } from '../../../../src/sales/payments/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Allowed } from '../../Allowed.tsx'
import { Said } from '../../../ui/doing.tsx'
import { Amount, amountText, Copy, State, Time } from '../../format.tsx'
import { One } from '../../One.tsx'
import { NumberLink, Owner } from '../../links.tsx'
import { ApiCall, PageHead, RawData } from '../../parts.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { pathOf } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'
import { leftOf, totalOf, useReturned } from './amounts.ts'
import { Money, useMoney } from './Money.tsx'
import { PaymentState } from './columns.tsx'
import { RefundPayment } from './RefundPayment.tsx'
import { Note } from '../notes/Note.tsx'

/** One payment: what it is made of, and the way to give it back. */
export function Payment() {
  const { path } = usePlace()
  const { payment = '' } = useParams({ strict: false })
  const own = `${path}/payments/${payment}`
  return (
    <One<Shown> title={texts.payment} path={own}>
      {(found) => (
        <>
          <Head payment={found} own={own} />
          <div className="two">
            <Money payment={found} own={own} />
            <div className="stack">
              <About payment={found} />
              <Note own={own} group="sales" />
            </div>
          </div>
          <ApiCall path={`${own}/money.json`} />
          <RawData data={found} />
        </>
      )}
    </One>
  )
}

interface OfPayment {
  readonly payment: Shown
}

function Head({ payment, own }: OfPayment & { readonly own: string }) {
  const [isRefunding, setRefunding] = useState(false)
  const [said, setSaid] = useState('')
  const { data: money, isPending } = useMoney(own)
  const number = money?.invoice_number ?? null
  const returned = useReturned(payment)
  const left = leftOf(payment, returned ?? 0)
  const told = (amount: number) => {
    setRefunding(false)
    setSaid(fill(texts.refunded, { amount: amountText(amount, payment.currency) }))
  }
  return (
    <>
      <PageHead
        title={amountText(totalOf(payment), payment.currency)}
        state={<States payment={payment} returned={returned ?? 0} />}
        actions={
          <>
            {isPending ? <div className="skeleton" style={{ width: 120 }} /> : null}
            {number === null ? null : (
              <Button component="a" variant="default" href={pathOf(`${own}/invoice.pdf`)} target="_blank">
                {fill(texts.document, { number })}
              </Button>
            )}
            {payment.type === 'payment' && left > 0 ? (
              <Allowed group="refunds">
                {(barred) => (
                  <Button
                    disabled={returned === undefined}
                    {...barred}
                    variant="default"
                    onClick={() => setRefunding(true)}
                  >
                    {texts.refundPayment}
                  </Button>
                )}
              </Allowed>
            ) : null}
          </>
        }
      />
      <Said text={said} />
      {isRefunding ? (
        <RefundPayment
          left={left}
          currency={payment.currency}
          isElsewhere={payment.gateway === null}
          license={payment.license_id}
          own={own}
          close={() => setRefunding(false)}
          done={told}
        />
      ) : null}
    </>
  )
}

/** What a payment is, and in a word how much of it was given back. */
function States({ payment, returned }: OfPayment & { readonly returned: number }) {
  const isWhole = leftOf(payment, returned) <= 0
  return (
    <>
      <PaymentState {...payment} />
      {payment.type === 'payment' && returned > 0 ? (
        <State word={isWhole ? texts.whollyRefunded : texts.partlyRefunded} tone="warning" />
      ) : null}
    </>
  )
}

function About({ payment }: OfPayment) {
  const { currency, gateway_fee: fee } = payment
  const returned = useReturned(payment) ?? 0
  return (
    <Facts
      facts={[
        { label: texts.customer, value: <Owner id={payment.user_id} /> },
        { label: texts.license, value: <NumberLink kind="license" id={payment.license_id} /> },
        { label: texts.subscription, value: <NumberLink kind="subscription" id={payment.subscription_id} /> },
        {
          label: texts.returned,
          value: returned === 0 ? null : <Amount amount={-returned} currency={currency} />,
        },
        { label: texts.fee, value: <Amount amount={-(fee ?? 0)} currency={currency} /> },
        { label: texts.created, value: <Time time={payment.created} /> },
        { label: texts.gateway, value: payment.gateway },
        {
          label: texts.gatewayId,
          value: payment.external_id === null ? null : <Copy text={payment.external_id} />,
        },
        { label: texts.country, value: payment.country_code?.toUpperCase() },
        { label: texts.id, value: <Copy text={payment.id} /> },
      ]}
    />
  )
}
