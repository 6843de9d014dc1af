import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import type { Subscription, SubscriptionChoices } from '../../../../src/sales/subscriptions/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { type Sent } from '../../../ui/doing.tsx'
import { ask } from '../../../ui/server.ts'
import { Allowed } from '../../Allowed.tsx'
import { amountText, useWhen } from '../../format.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { useNow } from '../sandbox/clock.tsx'
import { choicesQuery, useNextCharge } from './next-charge.ts'

interface OfSubscription {
  readonly subscription: Subscription
  readonly own: string
}

interface Deed {
  readonly title: string
  readonly text: string
  readonly keep: string
  readonly sent: Sent
}

/** What a seller may do with a subscription: discount its renewals, end it, or let one that was ended go on. */
export function Deeds({ subscription, own }: OfSubscription) {
  const [asked, setAsked] = useState<Deed | 'cancel' | null>(null)
  const when = useWhen()
  const { data: choices } = useQuery(choicesQuery(own, subscription))
  const close = () => setAsked(null)
  return (
    <>
      {deedsOf(own, choices, when).map((deed) => (
        <Do key={deed.title} title={deed.title} press={() => setAsked(deed)} />
      ))}
      {subscription.canceled_at === null ? (
        <Do title={texts.cancelSubscription} press={() => setAsked('cancel')} />
      ) : null}
      {asked === 'cancel' ? <Cancel subscription={subscription} own={own} close={close} /> : null}
      {asked === null || asked === 'cancel' ? null : <Confirm {...asked} isDangerous={false} close={close} />}
    </>
  )
}

const Do = ({ title, press }: { readonly title: string; readonly press: () => void }) => (
  <Allowed group="sales">
    {(barred) => (
      <Button {...barred} variant="default" onClick={press}>
        {title}
      </Button>
    )}
  </Allowed>
)

const CANCELLED = {
  due: texts.cancelSubscriptionMore,
  pastDue: texts.cancelPastDueMore,
  elsewhere: texts.cancelElsewhereMore,
  unknown: texts.cancelUnknownMore,
}

/** Asks before a subscription ends, with what is not charged then and until when its license works. */
function Cancel({ subscription, own, close }: OfSubscription & { readonly close: () => void }) {
  const charge = useNextCharge(subscription, CANCELLED)
  const end = useLicenseEnd(subscription)
  const text =
    charge === undefined || end === undefined ? undefined : `${charge ?? texts.cancelUnknownMore} ${end}`
  return (
    <Confirm
      title={texts.cancelSubscription}
      text={text?.trim()}
      keep={texts.keepSubscription}
      sent={{ method: 'DELETE', path: `${own}.json` }}
      close={close}
    />
  )
}

/** Until when a license works that nothing renews any more; empty: it has ended, or there is none; undefined: asked for. */
function useLicenseEnd(one: Subscription): string | undefined {
  const { path } = usePlace()
  const when = useWhen()
  const now = useNow()
  const own = `${path}/licenses/${one.license_id}`
  const { data, isPending } = useQuery({
    queryKey: [own],
    enabled: one.license_id !== null,
    queryFn: () => ask<License>(`${own}.json`),
  })
  if (one.license_id === null) return ''
  if (isPending || now === undefined) return undefined
  const until = data && endWithout(one, data)
  if (!data || until === undefined || data.is_cancelled || (until !== null && until <= now)) return ''
  return until === null ? texts.licenseHasNoEnd : fill(texts.licenseWorksUntil, { until: when(until) })
}

/** Its own end; before the first payment that of the trial. */
function endWithout({ trial_ends: trial, next_payment: next }: Subscription, { expiration }: License) {
  const isInTrial = trial !== null && trial === next
  return isInTrial && expiration !== null && trial < expiration ? trial : expiration
}

type When = ReturnType<typeof useWhen>

function deedsOf(own: string, choices: SubscriptionChoices | undefined, when: When): readonly Deed[] {
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
          },
        ]
  const resume: Deed[] =
    until === null
      ? []
      : [
          {
            title: texts.resumeSubscription,
            text: fill(texts.resumeSubscriptionMore, { at: when(until) }),
            keep: texts.keepCancelled,
            sent: { method: 'POST', path: `${own}/resume.json`, body: {} },
          },
        ]
  return [...discount, ...resume]
}
