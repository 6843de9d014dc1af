import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Review as Shown } from '../../../../src/catalogue/reviews/schema.ts'
import { fill } from '../../../shared/language.ts'
import { AllowedButtons } from '../../AllowedButtons.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Refusal } from '../../../ui/doing.tsx'
import { FormDialog } from '../../form.tsx'
import { Copy, numberText, Time } from '../../format.tsx'
import { NumberLink, Owner } from '../../links.tsx'
import { One } from '../../One.tsx'
import { ApiCall, PageHead, RawData } from '../../parts.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { useSwitch } from '../../switching.ts'
import { texts } from '../../texts/texts.ts'
import { reviewFields, ReviewState } from './parts.tsx'

/** One review: what it says, who wrote it, and whether it is shown. */
export function Review() {
  const { path } = usePlace()
  const { review = '' } = useParams({ strict: false })
  const own = `${path}/reviews/${review}`
  return (
    <One<Shown> title={texts.review} path={own}>
      {(found) => (
        <>
          <Head review={found} own={own} />
          <div className="two">
            <section className="panel card stack">
              <h2>{found.title || texts.reviewText}</h2>
              <p className="prose">{found.text}</p>
            </section>
            <About review={found} />
          </div>
          <ApiCall path={`${own}.json`} />
          <RawData data={found} />
        </>
      )}
    </One>
  )
}

const isOfCustomer = ({ user_id: user }: Shown): boolean => user !== null

function About({ review }: { readonly review: Shown }) {
  return (
    <Facts
      facts={[
        { label: texts.reviewer, value: review.name },
        { label: texts.customer, value: <Owner id={review.user_id} /> },
        { label: texts.license, value: <NumberLink kind="license" id={review.license_id} /> },
        { label: texts.reviewRate, value: numberText(review.rate) },
        { label: texts.jobTitle, value: review.job_title || null },
        { label: texts.company, value: review.company || null },
        { label: texts.reviewVerified, value: review.is_verified ? texts.yes : texts.reviewNotVerified },
        { label: texts.created, value: <Time time={review.created} /> },
        { label: texts.id, value: <Copy text={review.id} /> },
      ]}
    />
  )
}

type Open = 'change' | 'remove' | null

interface OfReview {
  readonly review: Shown
  readonly own: string
}

function Head({ review, own }: OfReview) {
  const [open, setOpen] = useState<Open>(null)
  const { change, problem } = useSwitch<Shown>({
    own,
    said: (switched) => `${texts.review} #${review.id}: ${wordOf(switched)}`,
  })
  const buttons = [
    [review.is_active ? texts.hideReview : texts.showReview, () => change({ is_active: !review.is_active })],
    [
      review.is_featured ? texts.unfeatureReview : texts.featureReview,
      () => change({ is_featured: !review.is_featured }),
    ],
    [texts.change, () => setOpen('change')],
    [texts.removeReview, () => setOpen('remove')],
  ] as const
  return (
    <>
      <PageHead
        title={`${texts.review} #${review.id}`}
        state={<ReviewState {...review} />}
        actions={<AllowedButtons group="catalogue" buttons={buttons} />}
      />
      <Refusal problem={problem} />
      <Opened review={review} own={own} open={open} close={() => setOpen(null)} />
    </>
  )
}

const wordOf = ({ is_active: isShown, is_featured: isFeatured }: Partial<Shown>): string =>
  isShown === undefined
    ? isFeatured
      ? texts.featureReview
      : texts.unfeatureReview
    : isShown
      ? texts.reviewShown
      : texts.reviewHidden

/** The form of a change, or the question before it is gone. */
function Opened({
  review,
  own,
  open,
  close,
}: OfReview & { readonly open: Open; readonly close: () => void }) {
  const navigate = useNavigate()
  const { account, product } = usePlace()
  const params = { account: account.developer_id, product }
  if (open === 'change') {
    return (
      <FormDialog
        title={texts.changeReview}
        fields={reviewFields(isOfCustomer(review))}
        before={review}
        sent={(body) => ({ method: 'PUT', path: `${own}.json`, body })}
        close={close}
      />
    )
  }
  if (open === null) return null
  return (
    <Confirm
      title={texts.removeReview}
      text={fill(texts.removeReviewMore, { name: review.name, rate: review.rate })}
      keep={texts.keepReview}
      sent={{ method: 'DELETE', path: `${own}.json` }}
      close={close}
      done={() => void navigate({ to: '/$account/$product/reviews', params })}
    />
  )
}
