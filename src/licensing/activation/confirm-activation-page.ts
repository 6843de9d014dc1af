import { transaction } from '../../context.ts'
import { confirmActivation } from './confirm-activation.ts'
import { CONFIRM_ACTIVATION_PATH, readPending } from './pending-activations.ts'
import { elsewhere } from '../../http/answer.ts'
import type { PageOperation } from '../../http/other-replies.ts'
import { ApiError } from '../../lib/errors.ts'

/** The page behind a link that connects a site with a known person. */
export const confirmActivationPage: PageOperation = {
  reply: 'page',
  id: 'keywright/confirm-activation-page',
  path: `${CONFIRM_ACTIVATION_PATH}{token}`,
  whyGone: 'It was used already, or it is older than 24 hours. Connect once more to get another one.',
  async show(ctx, { token }) {
    const { email, productTitle, site, work } = await readPending(ctx, token)
    return {
      title: `Connect ${site}`,
      text: `${productTitle} on ${site} asks to be connected with ${email}. Go on only if that is yours.`,
      button: 'Connect',
      leadsTo: work.returnUrl,
    }
  },
  async act(ctx, { token, ip, requestId }) {
    try {
      const url = await transaction(ctx, (tx) => confirmActivation(tx, token, { ip, requestId }))
      return url === null ? { title: 'Thank you', text: 'It is connected.' } : elsewhere(url)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error
      return { status: 400, title: 'This did not work', text: error.message }
    }
  },
}
