import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Subscription, SubscriptionChoices } from '../../../../src/sales/subscriptions/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { type Sent } from '../../../ui/doing.tsx'
import { ask } from '../../../ui/server.ts'
import { Allowed } from '../../Allowed.tsx'
import { amountText, dayText } from '../../format.tsx'
import { texts } from '../../texts/texts.ts'

interface OfSubscription {
  readonly subscription: Subscription
  readonly own: string
}

interface Deed {
  readonly title: string
  readonly text: string
  readonly keep: string
  readonly sent: Sent
  readonly isDangerous: boolean
}

/** What a seller may do with a subscription: discount its renewals, end it, or let one that was ended go on. */
export function Deeds({ subscription, own }: OfSubscription) {
  const [asked, setAsked] = useState<Deed | null>(null)
  const path = `${own}/choices.json`
  const { data: choices } = useQuery({
    queryKey: [path, subscription.canceled_at],
    queryFn: () => ask<SubscriptionChoices>(path),
  })
  return (
    <>
      {deedsOf(subscription, own, choices).map((deed) => (
        <Allowed key={deed.title} group="sales">
          {(barred) => (
            <Button {...barred} variant="default" onClick={() => setAsked(deed)}>
              {deed.title}
            </Button>
          )}
        </Allowed>
      ))}
      {asked === null ? null : <Confirm {...asked} close={() => setAsked(null)} />}
    </>
  )
}

function deedsOf(one: Subscription, own: string, choices: SubscriptionChoices | undefined): readonly Deed[] {
  const { offer = null, resumes_at: until = null } = choices ?? {}
  const discount: Deed[] =
    offer === null
      ? []
      : [
          {
            title: texts.discountRenewals,
            text: fill(offer.is_lasting ? texts.discountLasting : texts.discountOnce, {
              amount: amountText(offer.amount, offer.currency),
              offered: amountText(offer.offered_amount, offer.currency),
            }),
            keep: texts.keepPrice,
            sent: { method: 'PUT', path: `${own}.json`, body: { coupon_id: offer.coupon_id } },
            isDangerous: false,
          },
        ]
  const resume: Deed[] =
    until === null
      ? []
      : [
          {
            title: texts.resumeSubscription,
            text: fill(texts.resumeSubscriptionMore, { at: dayText(until) }),
            keep: texts.keepCancelled,
            sent: { method: 'POST', path: `${own}/resume.json`, body: {} },
            isDangerous: false,
          },
        ]
  const cancel: Deed = {
    title: texts.cancelSubscription,
    text: fill(texts.cancelSubscriptionMore, {
      amount: amountText(one.renewal_amount, one.currency),
      until: one.next_payment === null ? texts.never : dayText(one.next_payment),
    }),
    keep: texts.keepSubscription,
    sent: { method: 'DELETE', path: `${own}.json` },
    isDangerous: true,
  }
  return [...discount, ...resume, ...(one.canceled_at === null ? [cancel] : [])]
}
