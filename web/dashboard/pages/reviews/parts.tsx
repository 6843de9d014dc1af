import type { Review } from '../../../../src/catalogue/reviews/schema.ts'
import type { Field } from '../../form.tsx'
import { State } from '../../format.tsx'
import { texts } from '../../texts/texts.ts'

/** Whether a review is shown, and whether first. */
export function ReviewState({ is_active, is_featured }: Pick<Review, 'is_active' | 'is_featured'>) {
  if (!is_active) return <State word={texts.reviewHidden} tone="warning" />
  return is_featured ? (
    <State word={texts.reviewFeatured} tone="good" />
  ) : (
    <State word={texts.reviewShown} tone="plain" />
  )
}

/** What is written of a review; the score is the customer's where one wrote it. */
export const reviewFields = (isOfCustomer: boolean): readonly Field[] => [
  { name: 'name', label: texts.reviewer },
  ...(isOfCustomer
    ? []
    : [{ name: 'rate', label: texts.reviewRate, help: texts.reviewRateHelp, kind: 'number' } as const]),
  { name: 'title', label: texts.reviewTitle },
  { name: 'text', label: texts.reviewText, kind: 'lines' },
  { name: 'job_title', label: texts.jobTitle },
  { name: 'company', label: texts.company },
  { name: 'company_url', label: texts.companyUrl, kind: 'url' },
  { name: 'profile_url', label: texts.profileUrl, kind: 'url' },
  { name: 'external_id', label: texts.reviewExternalId },
  { name: 'is_verified', label: texts.isVerified, kind: 'flag' },
  { name: 'is_featured', label: texts.isFeatured, kind: 'flag' },
  { name: 'is_active', label: texts.isShown, kind: 'flag' },
]
