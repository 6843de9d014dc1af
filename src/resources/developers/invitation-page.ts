import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Context, transaction } from '../../context.ts'
import { argumentsOf } from '../../http/body.ts'
import { respondPage } from '../../http/page.ts'
import { ApiError } from '../../lib/errors.ts'
import { acceptInvitation, hashFirstPassword, INVITATION_PATH, readInvitation } from './invitations.ts'

type Invited = FastifyRequest<{ Params: { token: string } }>

/** The page behind an invitation: it opens by GET, and takes the chosen password by POST (DECISIONS 3.10). */
export function mountInvitationPage(server: FastifyInstance, ctx: Context): void {
  const url = `${INVITATION_PATH}:token`
  server.get(url, (request: Invited, reply) => orTooOld(reply, () => showPage(ctx, request, reply)))
  server.post(url, (request: Invited, reply) => orTooOld(reply, () => act(ctx, request, reply)))
}

async function showPage(
  ctx: Context,
  { params }: Invited,
  reply: FastifyReply,
  problem?: string,
): Promise<void> {
  const { email, account } = await readInvitation(ctx, params.token)
  respondPage(reply, problem === undefined ? 200 : 400, {
    title: 'Choose your password',
    text: `${problem ?? ''} ${account} has invited ${email}.`.trimStart(),
    password: 'Password, at least 8 characters',
    button: 'Set password',
  })
}

async function act(ctx: Context, request: Invited, reply: FastifyReply): Promise<void> {
  const { email } = await readInvitation(ctx, request.params.token)
  const { object } = await argumentsOf(request, {})
  const password = 'password' in object && typeof object.password === 'string' ? object.password : ''
  try {
    const hash = await hashFirstPassword(ctx, password)
    const from = { ip: request.ip, requestId: request.id }
    await transaction(ctx, (tx) => acceptInvitation(tx, request.params.token, hash, from))
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_password') throw error
    await showPage(ctx, request, reply, error.message)
    return
  }
  respondPage(reply, 200, { title: 'Thank you', text: `${email} can log in with this password now.` })
}

async function orTooOld(reply: FastifyReply, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    respondPage(reply, 404, {
      title: 'This link no longer works',
      text: 'It was used already, or it is older than 7 days. Ask to be invited again.',
    })
  }
}
