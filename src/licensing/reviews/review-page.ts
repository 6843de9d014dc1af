import type { Static } from '../../lib/type.ts'
import { transaction, type ReadContext } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import { decode, Problems } from '../../http/decode.ts'
import type { PageOperation, Visit } from '../../http/other-replies.ts'
import type { Page } from '../../http/page.ts'
import { ApiError } from '../../lib/errors.ts'
import { UserReviewCreate } from '../../catalogue/reviews/schema.ts'
import { readReviewLink, REVIEW_PATH } from './review-link.ts'
import { reviewLicense } from './write-review.ts'

const ID = 'keywright/review-page'

const FIELDS = [
  {
    name: 'rate',
    label: 'How good is it?',
    choices: [
      ['100', '★★★★★'],
      ['80', '★★★★'],
      ['60', '★★★'],
      ['40', '★★'],
      ['20', '★'],
    ],
  },
  { name: 'title', label: 'In a few words' },
  { name: 'text', label: 'Your review', rows: 8 },
] as const

/** The page on which the owner of a license reviews the product. */
export const reviewPage: PageOperation = {
  reply: 'page',
  id: ID,
  path: `${REVIEW_PATH}{token}`,
  whyGone: 'It is older than 30 days, or the license is not yours any more.',
  show: (ctx, visit) => show(ctx, visit),
  async act(ctx, visit) {
    const { ids, scope, product } = await readReviewLink(ctx, visit.token)
    const form = await visit.form()
    try {
      const problems = new Problems()
      const given = decode(UserReviewCreate, form, 'text', problems) as Static<typeof UserReviewCreate>
      problems.refuse()
      await transaction(ctx, async (tx) => {
        const within = { ...scope, ip: visit.ip, requestId: visit.requestId }
        const body = { ...given, is_active: false, is_featured: false }
        const { id } = await reviewLicense(tx, within, ids, { body, files: {} })
        const { productId, actor, ip, requestId } = within
        await audit(tx, { action: ID, actor, productId, ip, requestId, details: { id } })
      })
    } catch (error) {
      if (!(error instanceof ApiError) || ![400, 402].includes(error.status)) throw error
      return show(ctx, visit, error.message)
    }
    return thanksFor(product)
  },
}

async function show(ctx: ReadContext, { token }: Visit, problem?: string): Promise<Page> {
  const { product, isReviewed } = await readReviewLink(ctx, token)
  if (isReviewed) return thanksFor(product)
  return {
    status: problem === undefined ? 200 : 400,
    title: `Review ${product}`,
    text: problem ?? 'What you write may be shown to others, under your name.',
    fields: FIELDS,
    button: 'Send',
  }
}

const thanksFor = (product: string): Page => ({
  title: 'Thank you',
  text: `Your review of ${product} has been written.`,
})
