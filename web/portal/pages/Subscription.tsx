import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Subscription as Shown, SubscriptionChoices } from '../../../src/sales/subscriptions/schema.ts'
import { fill } from '../../shared/language.ts'
import { Said } from '../../ui/doing.tsx'
import { Facts } from '../../ui/parts.tsx'
import { ask } from '../../ui/server.ts'
import { Amount, cycleText, dayText, SubscriptionState, Time } from '../format.tsx'
import { Head } from '../Head.tsx'
import { AskByMail } from '../Help.tsx'
import { One } from '../One.tsx'
import { useHere } from '../place.ts'
import { usePlans } from '../plans.ts'
import { texts } from '../texts/texts.ts'
import { ToCheckout } from '../ToCheckout.tsx'
import { Cancel } from './subscription/Cancel.tsx'
import { Resume } from './subscription/Resume.tsx'

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

const NOTHING: SubscriptionChoices = { next_amount: null, resumes_at: null, offer: null }

function Known({ subscription: one }: { readonly subscription: Shown }) {
  const { path, product, isOff } = useHere()
  const choices = `${path}/subscriptions/${one.id}/choices.json`
  const { data: { resumes_at: resumesAt, offer } = NOTHING } = useQuery({
    queryKey: [choices],
    queryFn: () => ask<SubscriptionChoices>(choices),
  })
  const [open, setOpen] = useState<'cancel' | 'resume' | null>(null)
  const [said, setSaid] = useState('')
  const close = () => setOpen(null)
  const done = (text: string) => {
    close()
    setSaid(text)
  }
  return (
    <>
      <Head
        title={`${texts.subscription} #${one.id}`}
        state={<SubscriptionState {...one} />}
        actions={<Actions subscription={one} resumesAt={resumesAt} open={setOpen} />}
      />
      <Said text={said} />
      {resumesAt === null || isOff('resume') ? null : (
        <p className="note">{fill(texts.resumeUntil, { date: dayText(resumesAt) })}</p>
      )}
      {isOff('cancel') && one.canceled_at === null ? (
        <AskByMail text={texts.cancelByMail} email={product.look.support_email} />
      ) : null}
      <About subscription={one} />
      {open === 'cancel' ? <Cancel subscription={one} offer={offer} close={close} done={done} /> : null}
      {open === 'resume' && resumesAt !== null ? (
        <Resume subscription={one} resumesAt={resumesAt} close={close} done={() => done(texts.resumeDone)} />
      ) : null}
    </>
  )
}

interface ActionsOf {
  readonly subscription: Shown
  readonly resumesAt: string | null
  readonly open: (dialog: 'cancel' | 'resume') => void
}

function Actions({ subscription: one, resumesAt, open }: ActionsOf) {
  const { path, isOff } = useHere()
  const isOwing = one.outstanding_balance > 0
  if (one.canceled_at !== null)
    return resumesAt === null || isOff('resume') ? null : (
      <Button onClick={() => open('resume')}>{texts.resume}</Button>
    )
  return (
    <>
      {isOff('payment_method') ? null : (
        <ToCheckout
          text={isOwing ? texts.payOwed : texts.otherMethod}
          license={`${path}/licenses/${one.license_id}`}
          wanted={{ is_payment_method_update: true }}
          isFirst={isOwing}
        />
      )}
      {isOff('cancel') ? null : (
        <Button variant="default" onClick={() => open('cancel')}>
          {texts.cancel}
        </Button>
      )}
    </>
  )
}

function About({ subscription: one }: { readonly subscription: Shown }) {
  const { wayTo } = useHere()
  const planOf = usePlans()
  const { canceled_at: ended, outstanding_balance: owed, currency, license_id: license } = one
  return (
    <Facts
      facts={[
        { label: texts.plan, value: planOf(one) },
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
