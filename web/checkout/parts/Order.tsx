import { usePage } from '../page.ts'
import { fill } from '../../shared/language.ts'
import { Choices } from './Choices.tsx'
import { Coupon } from './Coupon.tsx'
import { Lines } from './Lines.tsx'

/** What is bought and what it comes to. */
export function Order() {
  const { texts, state, product, address } = usePage()
  const { checkout } = state
  if (!checkout) return null
  const { money_back_period: days } = checkout.product
  const picture = address.look.image ?? product?.logo ?? checkout.product.icon
  return (
    <section class="order" aria-label={texts.yourOrder}>
      <header>
        {picture !== null && <img src={picture} alt="" width={48} height={48} />}
        <div>
          <h1>{address.look.title ?? checkout.product.title}</h1>
          <p class="muted">{address.look.subtitle ?? checkout.plan.title}</p>
        </div>
      </header>
      <Choices />
      <Coupon />
      <Lines />
      {days > 0 && !address.hides.has('refund badge') && (
        <p class="muted">{fill(texts.refundDays, { days })}</p>
      )}
    </section>
  )
}
