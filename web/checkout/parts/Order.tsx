import { usePage, type Page } from '../page.ts'
import { Choices } from './Choices.tsx'
import { Coupon } from './Coupon.tsx'
import { Lines } from './Lines.tsx'
import { Refunds } from './Refunds.tsx'
import { useLoaded } from './loaded.ts'
import type { Said } from './Review.tsx'

/** What is bought and what it comes to. */
export function Order() {
  const page = usePage()
  const { texts, state, product, address } = page
  const { checkout } = state
  const review = reviewOf(page)
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
      {review && <LateReview review={review} />}
    </section>
  )
}

function LateReview({ review }: { readonly review: Said }) {
  const Review = useLoaded(async () => (await import('./Review.tsx')).Review)
  return Review && <Review review={review} />
}

/** The review that the address names, else the newest one that the seller features. */
function reviewOf({ product, address: { look } }: Page): Said | undefined {
  if (!look.hasReview) return undefined
  const told = product?.reviews.filter(({ title, text }) => Boolean(title || text)) ?? []
  return look.reviewId === null ? told[0] : told.find(({ id }) => id === look.reviewId)
}
