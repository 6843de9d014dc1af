import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Review } from '../../../../src/catalogue/reviews/schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { FormDialog } from '../../form.tsx'
import { numberText, Time } from '../../format.tsx'
import { BY_AGE } from '../../lists/by-age.ts'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { useCreating } from '../../creating.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { reviewFields, ReviewState } from './parts.tsx'

const COLUMNS: readonly Column<Review>[] = [
  { label: texts.review, show: ({ title, text }) => title || text },
  { label: texts.state, show: ReviewState },
  { label: texts.reviewer, show: ({ name }) => name },
  { label: texts.created, show: ({ created }) => <Time time={created} /> },
  { label: texts.reviewRate, show: ({ rate }) => numberText(rate), isNumber: true },
]

const FILTERS = [
  ['hidden', texts.reviewHidden],
  ['shown', texts.reviewShown],
  ['featured', texts.reviewFeatured],
] as const

export function Reviews() {
  const { path, wayTo } = usePlace()
  const navigate = useNavigate()
  const [isWriting, setWriting] = useCreating('catalogue')
  return (
    <>
      <List<Review>
        title={texts.reviews}
        about={texts.reviewsAbout}
        create={
          <Allowed group="catalogue">
            {(barred) => (
              <Button {...barred} onClick={() => setWriting(true)}>
                {texts.writeReview}
              </Button>
            )}
          </Allowed>
        }
        path={`${path}/reviews.json`}
        items="reviews"
        filters={FILTERS}
        hasSpan
        sorts={BY_AGE}
        columns={COLUMNS}
        wayTo={({ id }) => wayTo('review', id)}
        making={{ body: { rate: 100, name: 'Ada Lovelace', text: 'It does what it says.' } }}
        empty={[texts.noReviews, texts.noReviewsMore]}
      />
      {isWriting ? (
        <FormDialog<Review>
          title={texts.writeReview}
          fields={reviewFields(false)}
          before={{ is_verified: true, is_active: true }}
          act={texts.writeReview}
          sent={(body) => ({ method: 'POST', path: `${path}/reviews.json`, body })}
          close={() => setWriting(false)}
          done={({ id }) => void navigate(wayTo('review', id))}
        />
      ) : null}
    </>
  )
}
