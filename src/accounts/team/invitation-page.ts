import { type Context, transaction } from '../../context.ts'
import type { PageOperation, Visit } from '../../http/other-replies.ts'
import type { Page } from '../../http/page.ts'
import { ApiError } from '../../lib/errors.ts'
import { acceptInvitation, hashFirstPassword, INVITATION_PATH, readInvitation } from './invitations.ts'

/** The page behind an invitation, which accepts it with a first password where there is none. */
export const invitationPage: PageOperation = {
  reply: 'page',
  id: 'keywright/invitation-page',
  path: `${INVITATION_PATH}{token}`,
  whyGone: 'It was used already, or it is older than 7 days. Ask to be invited again.',
  show: (ctx, visit) => show(ctx, visit),
  async act(ctx, visit) {
    const { token, ip, requestId } = visit
    const { email, account, developerId, needsPassword } = await readInvitation(ctx, token)
    try {
      const hash = needsPassword ? await chosenPassword(ctx, visit) : null
      await transaction(ctx, (tx) => acceptInvitation(tx, token, hash, { ip, requestId }))
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'invalid_password') throw error
      return show(ctx, visit, error.message)
    }
    const login = `POST ${ctx.baseUrl}/v1/developers/${developerId}/login.json`
    return { title: 'Thank you', text: `${email} can log in to ${account} now: ${login}` }
  },
}

async function show(ctx: Context, { token }: Visit, problem?: string): Promise<Page> {
  const { email, account, needsPassword } = await readInvitation(ctx, token)
  return {
    status: problem === undefined ? 200 : 400,
    title: `Join ${account}`,
    text: `${problem ?? ''} ${account} has invited ${email} to its team.`.trimStart(),
    ...(needsPassword
      ? { password: 'Choose a password, at least 8 characters', button: 'Set password and join' }
      : { button: 'Join' }),
  }
}

async function chosenPassword(ctx: Context, visit: Visit): Promise<string> {
  const form = await visit.form()
  const password = 'password' in form && typeof form.password === 'string' ? form.password : ''
  return hashFirstPassword(ctx, password)
}
