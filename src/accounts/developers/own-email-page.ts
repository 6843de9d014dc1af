import { transaction } from '../../context.ts'
import type { PageOperation } from '../../http/other-replies.ts'
import { ApiError } from '../../lib/errors.ts'
import { confirmOwnAddress, OWN_EMAIL_PATH, readAddressChange } from './person.ts'

/** The page behind the link to another address of a developer. */
export const ownEmailPage: PageOperation = {
  reply: 'page',
  id: 'keywright/own-email-page',
  path: `${OWN_EMAIL_PATH}{token}`,
  whyGone: 'It was used already, or it is older than 24 hours. Ask for another one.',
  async show(ctx, { token }) {
    const { email, server } = await readAddressChange(ctx, token)
    return { title: 'Confirm your address', text: `${email} – ${server}`, button: 'Confirm' }
  },
  async act(ctx, { token, ip, requestId }) {
    const { email, server } = await readAddressChange(ctx, token)
    try {
      await transaction(ctx, (tx) => confirmOwnAddress(tx, token, { ip, requestId }))
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'developer_email_taken') throw error
      return { status: error.status, title: 'This address is taken', text: error.message }
    }
    return { title: 'Thank you', text: `You log in to ${server} with ${email} now.` }
  },
}
