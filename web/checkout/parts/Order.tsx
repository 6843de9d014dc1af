import { usePage } from '../page.ts'
import { Choices } from './Choices.tsx'
import { Coupon } from './Coupon.tsx'
import { Lines } from './Lines.tsx'
import { Refunds } from './Refunds.tsx'
import { Review } from './Review.tsx'

/** What is bought and what it comes to. */
export function Order() {
  const { texts, state, product, address } = usePage()
  const { checkout } = state
  if (!checkout) return null
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
      {!address.look.refundsBelowForm && <Refunds />}
      <Review />
    </section>
  )
}
