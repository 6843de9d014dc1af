import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Context, transaction } from '../../context.ts'
import { confirmActivation } from './confirm-activation.ts'
import { CONFIRM_ACTIVATION_PATH, readPending } from './pending-activations.ts'
import { followLink, respondPage } from '../../http/page.ts'
import { respond } from '../../http/respond.ts'
import { ApiError } from '../../lib/errors.ts'

type Confirm = FastifyRequest<{ Params: { token: string } }>

const TOO_OLD = 'It was used already, or it is older than 24 hours. Connect once more to get another one.'

/**
 * The page behind a link that connects a site with a known person: it opens by GET, acts by POST
 * (`docs/decisions.md` 3.10).
 */
export function mountConfirmActivationPage(server: FastifyInstance, ctx: Context): void {
  const url = `${CONFIRM_ACTIVATION_PATH}:token`
  server.get(url, (request: Confirm, reply) =>
    followLink(reply, TOO_OLD, () => showPage(ctx, request, reply)),
  )
  server.post(url, (request: Confirm, reply) => followLink(reply, TOO_OLD, () => act(ctx, request, reply)))
}

async function showPage(ctx: Context, { params }: Confirm, reply: FastifyReply): Promise<void> {
  const { email, productTitle, site, work } = await readPending(ctx, params.token)
  respondPage(reply, 200, {
    title: `Connect ${site}`,
    text: `${productTitle} on ${site} asks to be connected with ${email}. Go on only if this is your site.`,
    button: 'Connect',
    leadsTo: work.returnUrl,
  })
}

async function act(ctx: Context, { params, ip, id }: Confirm, reply: FastifyReply): Promise<void> {
  try {
    const from = { ip, requestId: id }
    const url = await transaction(ctx, (tx) => confirmActivation(tx, params.token, from))
    if (url === null) respondPage(reply, 200, { title: 'Thank you', text: 'Your site is connected.' })
    else respond(reply, 303, '', { location: url })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    respondPage(reply, 400, { title: 'This did not work', text: error.message })
  }
}
