import { transaction, type Context } from '../../context.ts'
import type { PageOperation, Visit } from '../../http/other-replies.ts'
import type { Page } from '../../http/page.ts'
import { ApiError } from '../../lib/errors.ts'
import { hashFirstPassword } from '../team/invitations.ts'
import { choosePasswordByLink, PASSWORD_PATH, readPasswordLink } from './forgotten-password.ts'

/** The page behind a mailed link, on which another password is chosen. */
export const passwordPage: PageOperation = {
  reply: 'page',
  id: 'keywright/password-page',
  path: `${PASSWORD_PATH}{token}`,
  whyGone: 'It was used already, or it is older than an hour. Ask for another one where you log in.',
  show: (ctx, visit) => show(ctx, visit),
  async act(ctx, visit) {
    await readPasswordLink(ctx, visit.token)
    const form = await visit.form()
    const password = 'password' in form && typeof form.password === 'string' ? form.password : ''
    try {
      const hash = await hashFirstPassword(ctx, password)
      const email = await transaction(ctx, (tx) => choosePasswordByLink(tx, visit, hash))
      return {
        title: 'Your password is changed',
        text: `${email} is logged out everywhere, and logs in with the new password.`,
        links: [{ to: '../dashboard/', text: 'Log in' }],
      }
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'invalid_password') throw error
      return show(ctx, visit, error.message)
    }
  },
}

async function show(ctx: Context, { token }: Visit, problem?: string): Promise<Page> {
  const { email } = await readPasswordLink(ctx, token)
  return {
    status: problem === undefined ? 200 : 400,
    title: 'Choose a new password',
    text: `${problem ?? ''} For ${email} at ${new URL(ctx.baseUrl).host}.`.trimStart(),
    password: 'New password, at least 8 characters',
    button: 'Change the password',
  }
}
