import type { Subscription } from '../../../../src/sales/subscriptions/schema.ts'
import { fill } from '../../../shared/language.ts'
import { timeText } from '../../../ui/time.ts'
import { Dialog, useDoing } from '../../doing.tsx'
import { language, texts } from '../../texts/texts.ts'

interface Ending {
  readonly subscription: Subscription
  readonly own: string
  readonly close: () => void
}

/** Asks before nothing more is charged. */
export function CancelSubscription({ subscription, own, close }: Ending) {
  const doing = useDoing(close)
  const until =
    subscription.next_payment === null ? texts.never : timeText(subscription.next_payment, language)
  return (
    <Dialog
      title={texts.cancelSubscription}
      isOpen
      close={close}
      act={texts.cancelSubscription}
      keep={texts.keepSubscription}
      isDangerous
      doing={doing}
      submit={() => doing.send({ method: 'DELETE', path: `${own}.json` })}
    >
      <p>{fill(texts.cancelSubscriptionMore, { until })}</p>
    </Dialog>
  )
}
