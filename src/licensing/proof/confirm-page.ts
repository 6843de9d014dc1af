import { transaction } from '../../context.ts'
import { confirmEmail } from './confirm-email.ts'
import { elsewhere } from '../../http/answer.ts'
import type { PageOperation } from '../../http/other-replies.ts'
import { ApiError } from '../../lib/errors.ts'
import { CONFIRM_PATH, readConfirmation } from '../../people/proof/confirm-email.ts'
import type { Side } from '../../people/proof/confirmation-rows.ts'

/** The page behind a confirmation link. */
export const confirmPage: PageOperation = {
  reply: 'page',
  id: 'keywright/confirm-page',
  path: `${CONFIRM_PATH}{token}`,
  whyGone: 'It was used already, or it is older than 24 hours. Ask for another one.',
  async show(ctx, { token }) {
    const { email, productTitle, site, redirectUrl, at } = await readConfirmation(ctx, token)
    const leadsTo = redirectUrl
    if (at === 'former') {
      const text = `Somebody asks that your account for ${productTitle} has the address ${email}, in the place of this one.`
      return { title: 'Change your address', text, button: 'I agree', leadsTo }
    }
    const asks = `${site} asks for this, and can do nothing more by it.`
    return {
      title: 'Confirm your address',
      text: site === null ? `${email} – ${productTitle}` : `${email} – ${productTitle}: ${asks}`,
      button: 'Confirm',
      leadsTo,
    }
  },
  async act(ctx, { token, ip, requestId }) {
    const { email, redirectUrl, at } = await readConfirmation(ctx, token)
    const done = await doneOrRefused(() =>
      transaction(ctx, (tx) => confirmEmail(tx, token, { ip, requestId })),
    )
    if (done instanceof ApiError)
      return { status: done.status, title: 'This address is taken', text: done.message }
    if (!done) return { title: 'Thank you', text: WAITS[at] }
    if (redirectUrl !== null) return elsewhere(redirectUrl)
    return { title: 'Thank you', text: `${email} is confirmed.` }
  },
}

const THEN = 'When that is followed, your address is changed.'

/** What is still to be done when one of both links was followed. */
const WAITS: Readonly<Record<Side, string>> = {
  wanted: `This address is confirmed. There is another link in a mail to the address that your account has so far. ${THEN}`,
  former: `You have agreed. There is another link in a mail to the other address. ${THEN}`,
}

/** Whether all is done, or what is refused for another reason than the link. */
async function doneOrRefused(work: () => Promise<boolean>): Promise<boolean | ApiError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'user_exist') return error
    throw error
  }
}
