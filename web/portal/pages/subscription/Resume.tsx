import type { Subscription } from '../../../../src/sales/subscriptions/schema.ts'
import { fill } from '../../../shared/language.ts'
import { money } from '../../../shared/money.ts'
import { Dialog, useDoing } from '../../../ui/doing.tsx'
import { dayText } from '../../format.tsx'
import { useHere } from '../../place.ts'
import { language, texts } from '../../texts/texts.ts'

interface Resuming {
  readonly subscription: Subscription
  /** When it is paid then. */
  readonly resumesAt: string
  readonly close: () => void
  readonly done: () => void
}

/** Says when is paid what, and lets a subscription go on that was cancelled. */
export function Resume({ subscription: one, resumesAt, close, done }: Resuming) {
  const { path } = useHere()
  const doing = useDoing(done)
  const amount = money(one.renewal_amount, one.currency, language)
  return (
    <Dialog
      title={texts.resume}
      isOpen
      close={close}
      act={texts.resume}
      keep={texts.leaveCancelled}
      doing={doing}
      submit={() => doing.send({ method: 'POST', path: `${path}/subscriptions/${one.id}/resume.json` })}
    >
      <p>{fill(texts.resumeMore, { date: dayText(resumesAt), amount })}</p>
    </Dialog>
  )
}
