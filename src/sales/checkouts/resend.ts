import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { mailLicense } from '../../licensing/licenses/mail-licenses.ts'
import { getLicense } from '../../licensing/licenses/service.ts'
import { mayMail } from '../../mail/limits.ts'
import { addressed } from '../../people/users/recipient.ts'
import { scopeOfCheckout } from './checkout.ts'
import { checkoutOfLink } from './paid-links.ts'

/**
 * Mails who bought the key of it again, unless the license went to somebody else since, and as often as strangers may
 * have mailed (`mayMail`): the caller is answered alike. 404 for a token that is wrong or older than a day.
 */
export async function resendKey(ctx: TxContext, from: Scope, token: string): Promise<void> {
  const row = await checkoutOfLink(ctx, 'resend', token)
  if (row.license_id === null) throw notFound('link')
  const scope = scopeOfCheckout(from, row)
  const license = await getLicense(ctx, scope, row.license_id)
  if (license.user_id === null || license.user_id !== row.user_id) return
  const { recipient } = await addressed(ctx, scope, license.user_id)
  if (await mayMail(ctx, { recipient, ip: from.ip })) await mailLicense(ctx, scope, license, row.language)
}
