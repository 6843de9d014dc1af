import { useEffect } from 'preact/hooks'
import { usePage, type Page } from '../page.ts'
import { needsMethod } from '../pay/form.ts'
import type { Checkout } from '../server.ts'
import { fill } from '../../shared/language.ts'
import { CardForm } from './CardForm.tsx'
import { TestPayment } from './TestPayment.tsx'

/** How it is paid. */
export function Payment() {
  const { texts, state } = usePage()
  const { checkout } = state
  if (!checkout) return null
  if (!needsMethod(checkout)) return <p class="muted">{texts.noPayment}</p>
  return (
    <fieldset>
      <legend>{texts.payment}</legend>
      <Form payment={checkout.payment} />
    </fieldset>
  )
}

/** The key of the card form; null: there is none. */
const stripeKey = (payment: Checkout['payment']) =>
  payment?.gateway === 'stripe' ? payment.publishable_key : null

/** Whether the page has a way to pay. */
const isTaken = (payment: Checkout['payment']) =>
  (payment !== null && payment.tokens.length > 0) || stripeKey(payment) !== null

function Form({ payment }: Pick<Checkout, 'payment'>) {
  const page = usePage()
  const isTest = payment !== null && payment.tokens.length > 0
  useEffect(() => {
    if (isTest) page.form = { token: async () => ({ payment_token: page.state.input.testToken }) }
  }, [page, isTest])
  if (payment !== null && isTest) return <TestPayment tokens={payment.tokens} />
  const stripe = stripeKey(payment)
  if (stripe !== null) return <CardForm stripe={stripe} />
  return <p class="muted">{page.texts.noGateway}</p>
}

/** The one button that pays; none where nothing takes the payment. */
export function PayButton() {
  const page = usePage()
  const { state, texts } = page
  const { checkout } = state
  if (checkout && needsMethod(checkout) && !isTaken(checkout.payment)) return null
  const isPaying = state.phase === 'paying'
  return (
    <button type="submit" class="primary" aria-busy={isPaying}>
      {isPaying ? texts.paying : labelOf(page)}
    </button>
  )
}

/** The act with its amount. */
function labelOf(page: Page): string {
  const { texts } = page
  const { checkout } = page.state
  if (!checkout) return ''
  const { quote, trial, renewal, action } = checkout
  if (trial !== null && quote.total === 0) return texts.startTrial
  if (action === 'payment_method_update' && quote.total === 0) return texts.saveCard
  if (quote.total === 0) return texts.getIt
  return fill(renewal ? texts.subscribeAmount : texts.payAmount, { amount: page.money(quote.total) })
}
