import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Context, transaction } from '../../context.ts'
import { confirmEmail } from './confirm-email.ts'
import { followLink, respondPage } from '../../http/page.ts'
import { ApiError } from '../../lib/errors.ts'
import { respond } from '../../http/respond.ts'
import { CONFIRM_PATH, readConfirmation } from '../../people/proof/confirm-email.ts'

type Confirm = FastifyRequest<{ Params: { token: string } }>

const TOO_OLD = 'It was used already, or it is older than 24 hours. Ask for another one.'

/** The page behind a confirmation link: it opens by GET and acts by POST (`docs/decisions.md` 3.10). */
export function mountConfirmPage(server: FastifyInstance, ctx: Context): void {
  const url = `${CONFIRM_PATH}:token`
  server.get(url, (request: Confirm, reply) =>
    followLink(reply, TOO_OLD, () => showPage(ctx, request, reply)),
  )
  server.post(url, (request: Confirm, reply) => followLink(reply, TOO_OLD, () => act(ctx, request, reply)))
}

async function showPage(ctx: Context, { params }: Confirm, reply: FastifyReply): Promise<void> {
  const { email, productTitle, site, redirectUrl } = await readConfirmation(ctx, params.token)
  const asks = `${site} asks for this, and can do nothing more by it.`
  respondPage(reply, 200, {
    title: 'Confirm your address',
    text: site === null ? `${email} – ${productTitle}` : `${email} – ${productTitle}: ${asks}`,
    button: 'Confirm',
    leadsTo: redirectUrl,
  })
}

async function act(ctx: Context, { params, ip, id }: Confirm, reply: FastifyReply): Promise<void> {
  const { email, redirectUrl } = await readConfirmation(ctx, params.token)
  const refusal = await refusalOf(() =>
    transaction(ctx, (tx) => confirmEmail(tx, params.token, { ip, requestId: id })),
  )
  if (refusal) {
    respondPage(reply, refusal.status, { title: 'This address is taken', text: refusal.message })
    return
  }
  if (redirectUrl !== null) {
    respond(reply, 303, '', { location: redirectUrl })
    return
  }
  respondPage(reply, 200, { title: 'Thank you', text: `${email} is confirmed.` })
}

/** What is refused for another reason than the link. */
async function refusalOf(work: () => Promise<void>): Promise<ApiError | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof ApiError && error.code === 'user_exist') return error
    throw error
  }
}
