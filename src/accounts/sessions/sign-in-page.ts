import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Context, transaction } from '../../context.ts'
import { followLink, respondPage } from '../../http/page.ts'
import { loginHeaders } from '../../http/session.ts'
import { enterByLink } from './login.ts'
import { readSignInLink, SIGN_IN_PATH } from './mailed-sign-in.ts'

type Link = FastifyRequest<{ Params: { token: string } }>

const TOO_OLD = 'It was used already, or it is older than an hour. Log in again to get another one.'

/** The page behind a mailed link to log in: it opens by GET and acts by POST (`docs/decisions.md` 3.10). */
export function mountSignInPage(server: FastifyInstance, ctx: Context): void {
  const url = `${SIGN_IN_PATH}:token`
  server.get(url, (request: Link, reply) =>
    followLink(reply, TOO_OLD, async () => {
      const { email } = await readSignInLink(ctx, request.params.token)
      const { host } = new URL(ctx.baseUrl)
      respondPage(reply, 200, { title: 'Log in', text: `${email} – ${host}`, button: 'Log in' })
    }),
  )
  server.post(url, (request: Link, reply) => followLink(reply, TOO_OLD, () => act(ctx, request, reply)))
}

async function act(ctx: Context, { params, ip, id }: Link, reply: FastifyReply): Promise<void> {
  const link = { token: params.token, ip, requestId: id }
  const { person, token, seconds } = await transaction(ctx, (tx) => enterByLink(tx, link))
  respondPage(reply, 200, {
    title: 'Thank you',
    text: `${person.email} is logged in, and this address is known from now on.`,
    headers: loginHeaders(ctx, token, seconds),
  })
}
