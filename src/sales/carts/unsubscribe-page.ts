import { transaction } from '../../context.ts'
import { unsubscribeCart } from './unsubscribe-cart.ts'
import type { PageOperation } from '../../http/other-replies.ts'
import { linkedCart, UNSUBSCRIBE_PATH } from './unsubscribe.ts'

/** The page behind the link that ends recovery mails. */
export const unsubscribePage: PageOperation = {
  reply: 'page',
  id: 'keywright/unsubscribe-page',
  path: `${UNSUBSCRIBE_PATH}{token}`,
  whyGone: 'It is not complete, or what it was about is gone.',
  async show(ctx, { token }) {
    const { email, title } = await linkedCart(ctx, token)
    return {
      title: 'No more mails',
      text: `${email} – ${title}: no more mails about orders that were left.`,
      button: 'Unsubscribe',
    }
  },
  async act(ctx, { token, ip, requestId }) {
    await transaction(ctx, (tx) => unsubscribeCart(tx, token, { ip, requestId }))
    return { title: 'Done', text: 'You get no more mails about orders that were left.' }
  },
}
