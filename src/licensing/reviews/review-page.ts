import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { type Context, transaction } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import { argumentsOf } from '../../http/body.ts'
import { decode, Problems } from '../../http/decode.ts'
import { followLink, respondPage } from '../../http/page.ts'
import { ApiError } from '../../lib/errors.ts'
import { UserReviewCreate } from '../../catalogue/reviews/schema.ts'
import { readReviewLink, REVIEW_PATH } from './review-link.ts'
import { reviewLicense } from './write-review.ts'

type Asked = FastifyRequest<{ Params: { token: string } }>

const TOO_OLD = 'It is older than 30 days, or the license is not yours any more.'
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

/**
 * The page on which the owner of a license reviews the product: it opens by GET and writes by POST
 * (`docs/decisions.md` 3.10).
 */
export function mountReviewPage(server: FastifyInstance, ctx: Context): void {
  const url = `${REVIEW_PATH}:token`
  server.get(url, (request: Asked, reply) => followLink(reply, TOO_OLD, () => showPage(ctx, request, reply)))
  server.post(url, (request: Asked, reply) => followLink(reply, TOO_OLD, () => act(ctx, request, reply)))
}

async function showPage(
  ctx: Context,
  { params }: Asked,
  reply: FastifyReply,
  problem?: string,
): Promise<void> {
  const { product, isReviewed } = await readReviewLink(ctx, params.token)
  if (isReviewed) {
    respondPage(reply, 200, { title: 'Thank you', text: `Your review of ${product} has been written.` })
    return
  }
  respondPage(reply, problem === undefined ? 200 : 400, {
    title: `Review ${product}`,
    text: problem ?? 'What you write may be shown to others, under your name.',
    fields: FIELDS,
    button: 'Send',
  })
}

async function act(ctx: Context, request: Asked, reply: FastifyReply): Promise<void> {
  const { ids, scope, product } = await readReviewLink(ctx, request.params.token)
  const { object } = await argumentsOf(request, {})
  try {
    const problems = new Problems()
    const given = decode(UserReviewCreate, object, 'text', problems) as Static<typeof UserReviewCreate>
    problems.refuse()
    await transaction(ctx, async (tx) => {
      const within = { ...scope, ip: request.ip, requestId: request.id }
      const body = { ...given, is_active: false, is_featured: false }
      const { id } = await reviewLicense(tx, within, ids, { body, files: {} })
      const { productId, actor, ip, requestId } = within
      await audit(tx, { action: 'keywright/review-page', actor, productId, ip, requestId, details: { id } })
    })
  } catch (error) {
    if (!(error instanceof ApiError) || ![400, 402].includes(error.status)) throw error
    await showPage(ctx, request, reply, error.message)
    return
  }
  respondPage(reply, 200, { title: 'Thank you', text: `Your review of ${product} has been written.` })
}
