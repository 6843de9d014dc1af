import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import type { Payment } from '../../../../src/sales/payments/schema.ts'
import type { Subscription } from '../../../../src/sales/subscriptions/schema.ts'
import { fill } from '../../../shared/language.ts'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { ask } from '../../../ui/server.ts'
import { amountText } from '../../format.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { RENEWAL_ENDS, useEnding } from '../licenses/ending.ts'
import { useNextCharge } from '../subscriptions/next-charge.ts'

interface Refunding {
  /** What is left of the payment, with tax, in units of the currency. */
  readonly left: number
  readonly payment: Payment
  readonly own: string
  readonly close: () => void
  /** Told what was given back, in the units of the currency. */
  readonly done: (amount: number) => void
}

/** Gives a payment back, whole or in part: the dialog says before what that does to the license or subscription. */
export function RefundPayment({ left, payment, own, close, done }: Refunding) {
  const { currency, gateway } = payment
  const ends = useEndsWith(payment)
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
      isBarred={amount === left && ends === undefined}
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
      {gateway === null ? <p className="note">{texts.refundElsewhere}</p> : null}
      {amount === left ? (
        <Whole ends={ends} />
      ) : (
        <p className="note">
          {fill(texts.refundPart, { left: amountText(left - (isRight ? amount : 0), currency), whole })}
        </p>
      )}
    </Dialog>
  )
}

const Whole = ({ ends }: { readonly ends: string | undefined }) =>
  ends === undefined ? (
    <Loading lines={1} />
  ) : (
    <p className="note">{fill(texts.refundWhole, { more: ends }).trim()}</p>
  )

/** What ends where nothing is left of a payment: its license, or its subscription without one; undefined: asked for. */
function useEndsWith({ license_id: license, subscription_id: subscription }: Payment): string | undefined {
  const withLicense = useEndingOf(license)
  const alone = useSubscriptionEnd(license === null ? subscription : null)
  return license === null ? alone : withLicense
}

function useEndingOf(id: string | null): string | undefined {
  const own = `${usePlace().path}/licenses/${id}`
  const { data, error } = useQuery({
    queryKey: [own],
    enabled: id !== null,
    queryFn: () => ask<License>(`${own}.json`),
  })
  const ending = useEnding(data, own)
  return error ? texts.refundEnds : ending
}

function useSubscriptionEnd(id: string | null): string | undefined {
  const own = `${usePlace().path}/subscriptions/${id}`
  const { data, error } = useQuery({
    queryKey: [own],
    enabled: id !== null,
    queryFn: () => ask<Subscription>(`${own}.json`),
  })
  const charge = useNextCharge(data, RENEWAL_ENDS)
  if (id === null) return ''
  if (error) return texts.renewalUnknown
  return data && (charge === null ? texts.renewalOver : charge)
}

/** A decimal with a point or a comma; null: it is none. */
const amountIn = (text: string): number | null => {
  const plain = text.trim().replace(',', '.')
  return /^\d+(\.\d{1,2})?$/.test(plain) ? Number(plain) : null
}
