import { transaction } from '../../context.ts'
import type { PageOperation } from '../../http/other-replies.ts'
import { loginHeaders } from '../../http/session.ts'
import { enterByLink } from './login.ts'
import { readSignInLink, SIGN_IN_PATH } from './mailed-sign-in.ts'

/** Where who was let in goes on, on the host that the link names: the cookie is that host's alone. */
const DASHBOARD = '../dashboard/'

/** The page behind a mailed link to log in. */
export const signInPage: PageOperation = {
  reply: 'page',
  id: 'keywright/sign-in-page',
  path: `${SIGN_IN_PATH}{token}`,
  isLogin: true,
  whyGone: 'It was used already, or it is older than an hour. Log in again to get another one.',
  async show(ctx, { token }) {
    const { email } = await readSignInLink(ctx, token)
    const { host } = new URL(ctx.baseUrl)
    return { title: 'Log in', text: `${email} – ${host}`, button: 'Log in' }
  },
  async act(ctx, { token: linked, ip, requestId }) {
    const link = { token: linked, ip, requestId }
    const { person, token, seconds } = await transaction(ctx, (tx) => enterByLink(tx, link))
    return {
      status: 303,
      title: 'Thank you',
      text: `${person.email} is logged in, and this address is known from now on.`,
      headers: { ...loginHeaders(ctx, token, seconds), location: DASHBOARD },
    }
  },
}
