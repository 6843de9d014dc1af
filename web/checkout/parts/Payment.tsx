import { useEffect } from 'preact/hooks'
import { needsMethod, usePage, type Page } from '../page.ts'
import { fill } from '../texts/texts.ts'
import { TestPayment } from './TestPayment.tsx'

/** How it is paid, and the one button that does it. */
export function Payment() {
  const page = usePage()
  const { texts, state } = page
  const { checkout } = state
  const isSandbox = checkout?.environment === 1
  useEffect(() => {
    if (!isSandbox) return
    page.form = { token: async () => ({ payment_token: page.state.input.testToken }) }
  }, [page, isSandbox])
  if (!checkout) return null
  if (!needsMethod(checkout)) return <p class="muted">{texts.noPayment}</p>
  return (
    <fieldset>
      <legend>{texts.payment}</legend>
      {isSandbox ? <TestPayment /> : <p class="muted">{texts.noGateway}</p>}
    </fieldset>
  )
}

export function PayButton() {
  const page = usePage()
  const { state, texts } = page
  const { checkout } = state
  if (!checkout) return null
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
