import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Subscription, SubscriptionChoices } from '../../../../src/sales/subscriptions/schema.ts'
import { fill } from '../../../shared/language.ts'
import { money } from '../../../shared/money.ts'
import { Dialog, Refusal, useDoing } from '../../../ui/doing.tsx'
import { dayText } from '../../format.tsx'
import { useHere } from '../../place.ts'
import { language, texts } from '../../texts/texts.ts'

/** The reason that is given in words. */
const OTHER = '7'

interface Cancelling {
  readonly subscription: Subscription
  readonly offer: SubscriptionChoices['offer']
  readonly close: () => void
  /** Says what came of it. */
  readonly done: (text: string) => void
}

/** Says what the end means, offers to stay for less where the product does, and asks why, which need not be said. */
export function Cancel({ subscription: one, offer, close, done }: Cancelling) {
  const { path } = useHere()
  const [reason, setReason] = useState('')
  const doing = useDoing(() => done(texts.cancelDone))
  const { next_payment: until } = one
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
        const words = String(form.get('words') ?? '').trim()
        doing.send({
          method: 'DELETE',
          path: `${path}/subscriptions/${one.id}.json`,
          query: { reason_ids: reason, reason: words },
        })
      }}
    >
      {offer ? <Offer subscription={one} offer={offer} taken={() => done(texts.offerTaken)} /> : null}
      <p>{fill(texts.cancelMore, { until: until === null ? texts.none : dayText(until) })}</p>
      <NativeSelect
        label={texts.cancelWhy}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        data={[
          { value: '', label: texts.cancelSkip },
          ...ORDER.map((id) => ({ value: String(id), label: texts.reasons[id] })),
        ]}
      />
      {reason === OTHER ? <TextInput name="words" label={texts.cancelWords} maxLength={500} /> : null}
    </Dialog>
  )
}

/** Not as numbers are ordered, which an object's keys are. */
const ORDER = [1, 2, 3, 6, 11, 12, 10, 7] as const

interface Offered {
  readonly subscription: Subscription
  readonly offer: NonNullable<SubscriptionChoices['offer']>
  readonly taken: () => void
}

/** What the product offers to who stays, once. */
function Offer({ subscription: { id }, offer, taken }: Offered) {
  const { path } = useHere()
  const doing = useDoing(taken)
  const amount = money(offer.offered_amount, offer.currency, language)
  const before = money(offer.amount, offer.currency, language)
  return (
    <section className="note stack">
      <h3>{texts.offer}</h3>
      <p>{fill(offer.is_lasting ? texts.offerLasting : texts.offerNext, { amount, before })}</p>
      <Refusal problem={doing.problem} />
      <Button
        className="at-start"
        loading={doing.isBusy}
        onClick={() =>
          doing.send({
            method: 'PUT',
            path: `${path}/subscriptions/${id}.json`,
            body: { coupon_id: offer.coupon_id },
          })
        }
      >
        {fill(texts.offerTake, { amount })}
      </Button>
    </section>
  )
}
