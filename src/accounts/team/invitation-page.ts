import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Context, transaction } from '../../context.ts'
import { argumentsOf } from '../../http/body.ts'
import { followLink, respondPage } from '../../http/page.ts'
import { ApiError } from '../../lib/errors.ts'
import { acceptInvitation, hashFirstPassword, INVITATION_PATH, readInvitation } from './invitations.ts'

type Invited = FastifyRequest<{ Params: { token: string } }>

const TOO_OLD = 'It was used already, or it is older than 7 days. Ask to be invited again.'

/**
 * The page behind an invitation: it opens by GET, and accepts by POST, with a first password where there is
 * none (`docs/decisions.md` 3.10).
 */
export function mountInvitationPage(server: FastifyInstance, ctx: Context): void {
  const url = `${INVITATION_PATH}:token`
  server.get(url, (request: Invited, reply) =>
    followLink(reply, TOO_OLD, () => showPage(ctx, request, reply)),
  )
  server.post(url, (request: Invited, reply) => followLink(reply, TOO_OLD, () => act(ctx, request, reply)))
}

async function showPage(
  ctx: Context,
  { params }: Invited,
  reply: FastifyReply,
  problem?: string,
): Promise<void> {
  const { email, account, needsPassword } = await readInvitation(ctx, params.token)
  respondPage(reply, problem === undefined ? 200 : 400, {
    title: `Join ${account}`,
    text: `${problem ?? ''} ${account} has invited ${email} to its team.`.trimStart(),
    ...(needsPassword
      ? { password: 'Choose a password, at least 8 characters', button: 'Set password and join' }
      : { button: 'Join' }),
  })
}

async function act(ctx: Context, request: Invited, reply: FastifyReply): Promise<void> {
  const { email, account, developerId, needsPassword } = await readInvitation(ctx, request.params.token)
  try {
    const hash = needsPassword ? await chosenPassword(ctx, request) : null
    const from = { ip: request.ip, requestId: request.id }
    await transaction(ctx, (tx) => acceptInvitation(tx, request.params.token, hash, from))
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_password') throw error
    await showPage(ctx, request, reply, error.message)
    return
  }
  const login = `POST ${ctx.baseUrl}/v1/developers/${developerId}/login.json`
  respondPage(reply, 200, { title: 'Thank you', text: `${email} can log in to ${account} now: ${login}` })
}

async function chosenPassword(ctx: Context, request: Invited): Promise<string> {
  const { object } = await argumentsOf(request, {})
  const password = 'password' in object && typeof object.password === 'string' ? object.password : ''
  return hashFirstPassword(ctx, password)
}
