import { fill } from '../../shared/language.ts'
import { usePage } from '../page.ts'

/** For how long the money is given back. */
export function Refunds() {
  const { texts, state, address } = usePage()
  const days = state.checkout?.product.money_back_period ?? 0
  if (days === 0 || address.hides.has('refund badge')) return null
  return <p class="muted">{fill(texts.refundDays, { days })}</p>
}
