import { fill } from '../../shared/language.ts'
import { usePage } from '../page.ts'
import type { Product } from '../product.ts'

export type Said = Product['reviews'][number]

/** What a customer says. */
export function Review({ review }: { readonly review: Said }) {
  const { texts } = usePage()
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
