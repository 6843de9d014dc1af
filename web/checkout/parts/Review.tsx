import { fill } from '../../shared/language.ts'
import { usePage, type Page } from '../page.ts'

/** What a customer says: the review that the address names, else the newest one that the seller features. */
export function Review() {
  const page = usePage()
  const { texts } = page
  const review = reviewOf(page)
  if (!review) return null
  const { rate, title, text, name, job_title: job, company } = review
  const stars = Math.round(rate / 20)
  return (
    <figure aria-label={texts.review} class="review">
      <p role="img" aria-label={fill(texts.stars, { count: stars })} class="stars">
        {'★'.repeat(stars)}
        {'☆'.repeat(5 - stars)}
      </p>
      <blockquote>
        {title && <p class="strong">{title}</p>}
        <p>{text}</p>
      </blockquote>
      <figcaption class="muted">{[name, job, company].filter(Boolean).join(', ')}</figcaption>
    </figure>
  )
}

function reviewOf({ product, address: { look } }: Page) {
  if (!look.hasReview) return undefined
  const told = product?.reviews.filter(({ title, text }) => Boolean(title || text)) ?? []
  return look.reviewId === null ? told[0] : told.find(({ id }) => id === look.reviewId)
}
