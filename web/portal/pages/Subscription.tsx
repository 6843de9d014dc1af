import { Button, TextInput } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Subscription as Shown } from '../../../src/sales/subscriptions/schema.ts'
import { fill } from '../../shared/language.ts'
import { Dialog, Said, useDoing } from '../../ui/doing.tsx'
import { Facts } from '../../ui/parts.tsx'
import { Amount, cycleText, dayText, SubscriptionState, Time } from '../format.tsx'
import { Head } from '../Head.tsx'
import { One } from '../One.tsx'
import { useHere } from '../place.ts'
import { texts } from '../texts/texts.ts'
import { ToCheckout } from '../ToCheckout.tsx'

/** One subscription: what is charged next, by another method where that is wanted, and its end. */
export function Subscription() {
  const { path } = useHere()
  const { id = '' } = useParams({ strict: false })
  return (
    <One<Shown> title={texts.subscription} path={`${path}/subscriptions/${id}`}>
      {(found) => <Known subscription={found} />}
    </One>
  )
}

function Known({ subscription: one }: { readonly subscription: Shown }) {
  const { path } = useHere()
  const [isEnding, setEnding] = useState(false)
  const [said, setSaid] = useState('')
  const isOn = one.canceled_at === null
  const isOwing = one.outstanding_balance > 0
  return (
    <>
      <Head
        title={`${texts.subscription} #${one.id}`}
        state={<SubscriptionState {...one} />}
        actions={
          isOn ? (
            <>
              <ToCheckout
                text={isOwing ? texts.payOwed : texts.otherMethod}
                license={`${path}/licenses/${one.license_id}`}
                wanted={{ is_payment_method_update: true }}
                isFirst={isOwing}
              />
              <Button variant="default" onClick={() => setEnding(true)}>
                {texts.cancel}
              </Button>
            </>
          ) : null
        }
      />
      <Said text={said} />
      <About subscription={one} />
      {isEnding ? (
        <Cancel
          subscription={one}
          close={() => setEnding(false)}
          done={() => {
            setEnding(false)
            setSaid(texts.cancelDone)
          }}
        />
      ) : null}
    </>
  )
}

function About({ subscription: one }: { readonly subscription: Shown }) {
  const { wayTo } = useHere()
  const { canceled_at: ended, outstanding_balance: owed, currency, license_id: license } = one
  return (
    <Facts
      facts={[
        { label: texts.cycle, value: cycleText(one.billing_cycle) },
        {
          label: texts.amount,
          value: <Amount amount={one.renewal_amount} currency={currency} />,
        },
        { label: texts.nextPayment, value: ended === null ? <Time time={one.next_payment} /> : null },
        ...(owed > 0
          ? [
              {
                label: texts.owed,
                value: <Amount amount={owed} currency={currency} />,
              },
            ]
          : []),
        { label: texts.created, value: <Time time={one.created} /> },
        {
          label: texts.license,
          value: license && <Link {...wayTo('licenses', license)}>#{license}</Link>,
        },
      ]}
    />
  )
}

interface Cancelling {
  readonly subscription: Shown
  readonly close: () => void
  readonly done: () => void
}

/** Says what the end means, and asks why, which need not be answered. */
function Cancel({ subscription: { id, next_payment: until }, close, done }: Cancelling) {
  const { path } = useHere()
  const doing = useDoing(done)
  return (
    <Dialog
      title={texts.cancel}
      isOpen
      close={close}
      act={texts.cancel}
      keep={texts.keep}
      isDangerous
      doing={doing}
      submit={(form) => {
        const reason = String(form.get('reason')).trim()
        doing.send({
          method: 'DELETE',
          path: `${path}/subscriptions/${id}.json`,
          query: reason === '' ? {} : { reason },
        })
      }}
    >
      <p>{fill(texts.cancelMore, { until: until === null ? texts.none : dayText(until) })}</p>
      <TextInput name="reason" label={texts.cancelWhy} maxLength={500} />
    </Dialog>
  )
}
