import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Dialog, useDoing } from '../../../ui/doing.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { ask } from '../../../ui/server.ts'
import { amountText } from '../../format.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { useEnding } from '../licenses/ending.ts'

interface Refunding {
  /** What is left of the payment, with tax, in units of the currency. */
  readonly left: number
  readonly currency: string
  /** Whether no gateway here has the money: it is written down, and given back by hand. */
  readonly isElsewhere: boolean
  /** The license that it paid for; null: none. */
  readonly license: string | null
  readonly own: string
  readonly close: () => void
  /** Told what was given back, in the units of the currency. */
  readonly done: (amount: number) => void
}

/** Gives a payment back, whole or in part: the dialog says before what that does to the license. */
export function RefundPayment({ left, currency, isElsewhere, license, own, close, done }: Refunding) {
  const [typed, setTyped] = useState(left.toFixed(2))
  const amount = amountIn(typed)
  const doing = useDoing(() => done(amount ?? 0))
  const isRight = amount !== null && amount > 0 && amount <= left
  const whole = amountText(left, currency)
  const submit = (form: FormData) => {
    if (!isRight) return
    const reason = String(form.get('reason')).trim()
    doing.send({
      method: 'POST',
      path: `${own}/refunds.json`,
      body: { amount, ...(reason !== '' && { reason }) },
    })
  }
  return (
    <Dialog
      title={texts.refundTitle}
      isOpen
      close={close}
      act={fill(texts.refundDo, { amount: isRight ? amountText(amount, currency) : '' }).trim()}
      isDangerous
      doing={doing}
      fields={['amount', 'reason']}
      submit={submit}
    >
      <TextInput
        label={`${texts.refundAmount} (${currency.toUpperCase()})`}
        description={fill(texts.refundAmountHelp, { amount: whole })}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        inputMode="decimal"
        error={isRight ? doing.faultOf('amount') : fill(texts.amountWrong, { amount: whole })}
      />
      <TextInput
        name="reason"
        label={texts.refundReason}
        description={texts.refundReasonHelp}
        error={doing.faultOf('reason')}
        maxLength={512}
      />
      {isElsewhere ? <p className="note">{texts.refundElsewhere}</p> : null}
      {amount === left ? (
        <Whole license={license} />
      ) : (
        <p className="note">
          {fill(texts.refundPart, { left: amountText(left - (isRight ? amount : 0), currency), whole })}
        </p>
      )}
    </Dialog>
  )
}

/** What ends where nothing is left of a payment. */
function Whole({ license: id }: { readonly license: string | null }) {
  const { path } = usePlace()
  const own = `${path}/licenses/${id}`
  const { data, error } = useQuery({
    queryKey: [own],
    enabled: id !== null,
    queryFn: () => ask<License>(`${own}.json`),
  })
  if (data) return <Ends license={data} own={own} />
  return id !== null && !error ? (
    <Loading lines={1} />
  ) : (
    <p className="note">{fill(texts.refundWhole, { more: id === null ? '' : texts.refundEnds })}</p>
  )
}

const Ends = ({ license, own }: { readonly license: License; readonly own: string }) => (
  <p className="note">{fill(texts.refundWhole, { more: useEnding(license, own) ?? '' })}</p>
)

/** A decimal with a point or a comma; null: it is none. */
const amountIn = (text: string): number | null => {
  const plain = text.trim().replace(',', '.')
  return /^\d+(\.\d{1,2})?$/.test(plain) ? Number(plain) : null
}
