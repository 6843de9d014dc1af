import { transaction } from '../../context.ts'
import { confirmEmail } from './confirm-email.ts'
import { elsewhere } from '../../http/answer.ts'
import type { PageOperation } from '../../http/other-replies.ts'
import { ApiError } from '../../lib/errors.ts'
import { CONFIRM_PATH, readConfirmation } from '../../people/proof/confirm-email.ts'

/** The page behind a confirmation link. */
export const confirmPage: PageOperation = {
  reply: 'page',
  id: 'keywright/confirm-page',
  path: `${CONFIRM_PATH}{token}`,
  whyGone: 'It was used already, or it is older than 24 hours. Ask for another one.',
  async show(ctx, { token }) {
    const { email, productTitle, site, redirectUrl } = await readConfirmation(ctx, token)
    const asks = `${site} asks for this, and can do nothing more by it.`
    return {
      title: 'Confirm your address',
      text: site === null ? `${email} – ${productTitle}` : `${email} – ${productTitle}: ${asks}`,
      button: 'Confirm',
      leadsTo: redirectUrl,
    }
  },
  async act(ctx, { token, ip, requestId }) {
    const { email, redirectUrl } = await readConfirmation(ctx, token)
    const refusal = await refusalOf(() =>
      transaction(ctx, (tx) => confirmEmail(tx, token, { ip, requestId })),
    )
    if (refusal) return { status: refusal.status, title: 'This address is taken', text: refusal.message }
    if (redirectUrl !== null) return elsewhere(redirectUrl)
    return { title: 'Thank you', text: `${email} is confirmed.` }
  },
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
