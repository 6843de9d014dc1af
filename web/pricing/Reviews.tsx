import type { CheckoutProduct } from '../../src/sales/pricing-table/checkout-product-schema.ts'
import { fill } from '../shared/language.ts'
import type { PricingTexts } from './texts/en.ts'

/** What customers say, in their own words. */
export function Reviews({
  reviews,
  texts,
}: Pick<CheckoutProduct, 'reviews'> & { readonly texts: PricingTexts }) {
  const told = reviews.filter(({ title, text }) => Boolean(title || text))
  if (told.length === 0) return null
  return (
    <section class="reviews">
      <h2>{texts.reviews}</h2>
      <div class="quotes">
        {told.map(({ id, rate, title, text, name, job_title: job, company }) => {
          const stars = Math.round(rate / 20)
          return (
            <figure key={id}>
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
        })}
      </div>
    </section>
  )
}
