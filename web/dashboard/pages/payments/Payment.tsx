import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { PaymentMoney } from '../../../../src/sales/ledger/schema.ts'
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
import { disputeOf, refundedOf, takenOf, totalOf } from './amounts.ts'
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
              <About payment={found} own={own} />
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
  const told = (amount: number) => {
    setRefunding(false)
    setSaid(fill(texts.refunded, { amount: amountText(amount, payment.currency) }))
  }
  return (
    <>
      <PageHead
        title={amountText(totalOf(payment), payment.currency)}
        state={<States payment={payment} bound={money?.bound ?? []} />}
        actions={
          <>
            {isPending ? <div className="skeleton" style={{ width: 120 }} /> : null}
            {number === null ? null : (
              <Button component="a" variant="default" href={pathOf(`${own}/invoice.pdf`)} target="_blank">
                {fill(texts.document, { number })}
              </Button>
            )}
            {payment.type === 'payment' && money?.left !== 0 ? (
              <Allowed group="refunds">
                {(barred) => (
                  <Button
                    disabled={money === undefined}
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
      {isRefunding && money ? (
        <RefundPayment
          left={money.left}
          payment={payment}
          own={own}
          close={() => setRefunding(false)}
          done={told}
        />
      ) : null}
    </>
  )
}

interface WithBound extends OfPayment {
  readonly bound: PaymentMoney['bound']
}

/** What a payment is, in a word how much of it was refunded, and whether its bank disputes it. */
function States({ payment, bound }: WithBound) {
  const refunded = refundedOf(bound)
  const dispute = disputeOf(bound)
  return (
    <>
      <PaymentState {...payment} />
      {refunded > 0 ? (
        <State
          word={refunded >= totalOf(payment) ? texts.whollyRefunded : texts.partlyRefunded}
          tone="warning"
        />
      ) : null}
      {dispute === 'open' ? <State word={texts.disputed} tone="warning" /> : null}
      {dispute === 'lost' ? <State word={texts.disputeWasLost} tone="bad" /> : null}
    </>
  )
}

/** An amount that was taken off a payment; null: nothing was. */
const off = (amount: number, { currency }: Shown) =>
  amount === 0 ? null : <Amount amount={-amount} currency={currency} />

function About({ payment, own }: OfPayment & { readonly own: string }) {
  const { currency, gateway_fee: fee } = payment
  const bound = useMoney(own).data?.bound ?? []
  return (
    <Facts
      facts={[
        { label: texts.customer, value: <Owner id={payment.user_id} /> },
        { label: texts.license, value: <NumberLink kind="license" id={payment.license_id} /> },
        { label: texts.subscription, value: <NumberLink kind="subscription" id={payment.subscription_id} /> },
        { label: texts.returned, value: off(refundedOf(bound), payment) },
        { label: texts.takenByBank, value: off(takenOf(bound), payment) },
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
