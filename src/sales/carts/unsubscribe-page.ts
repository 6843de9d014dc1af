import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { transaction, type Context } from '../../context.ts'
import { unsubscribeCart } from './unsubscribe-cart.ts'
import { followLink, respondPage } from '../../http/page.ts'
import { linkedCart, UNSUBSCRIBE_PATH } from './unsubscribe.ts'

type Link = FastifyRequest<{ Params: { token: string } }>

const NONE = 'It is not complete, or what it was about is gone.'

/** The page behind the link that ends recovery mails: it opens by GET and acts by POST (`docs/decisions.md` 3.10). */
export function mountUnsubscribePage(server: FastifyInstance, ctx: Context): void {
  const url = `${UNSUBSCRIBE_PATH}:token`
  server.get(url, (request: Link, reply) => followLink(reply, NONE, () => show(ctx, request, reply)))
  server.post(url, (request: Link, reply) => followLink(reply, NONE, () => act(ctx, request, reply)))
}

async function show(ctx: Context, { params }: Link, reply: FastifyReply): Promise<void> {
  const { email, title } = await linkedCart(ctx, params.token)
  respondPage(reply, 200, {
    title: 'No more mails',
    text: `${email} – ${title}: no more mails about orders that were left.`,
    button: 'Unsubscribe',
  })
}

async function act(ctx: Context, { params, ip, id }: Link, reply: FastifyReply): Promise<void> {
  await transaction(ctx, (tx) => unsubscribeCart(tx, params.token, { ip, requestId: id }))
  respondPage(reply, 200, { title: 'Done', text: 'You get no more mails about orders that were left.' })
}
