import type { ReadContext, TxContext } from '../../context.ts'
import { BASE_PATH } from '../../http/mounts.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { issueToken, readToken } from '../../lib/signed-token.ts'
import { DAY } from '../../lib/time.ts'
import { mailLicense } from '../../licensing/licenses/mail-licenses.ts'
import { getLicense } from '../../licensing/licenses/service.ts'
import { mayMail } from '../../mail/limits.ts'
import { addressed } from '../../people/users/recipient.ts'
import { scopeOfCheckout } from './checkout.ts'
import { findOwnedCheckout } from './queries.ts'
import type { CheckoutRow } from './schema.ts'

export const RESEND_PATH = '/checkout/licenses/resend.json'
const RESEND_MS = DAY

/** The address at which the key of what a checkout sold is mailed again, for a day; it names nothing but the checkout. */
export function resendAddress(
  { keys, clock, baseUrl }: ReadContext,
  { id }: Pick<CheckoutRow, 'id'>,
): string {
  const claims = { checkout_id: String(id) }
  const token = issueToken(keys, {
    purpose: 'checkout.resend',
    claims,
    now: clock.real(),
    lastsMs: RESEND_MS,
  })
  return `${baseUrl}${BASE_PATH}${RESEND_PATH}?token=${token}`
}

/**
 * Mails who bought the key of it again, unless the license went to somebody else since, and as often as strangers may
 * have mailed (`mayMail`): the caller is answered alike. 404 for a token that is wrong or older than a day.
 */
export async function resendKey(ctx: TxContext, from: Scope, token: string): Promise<void> {
  const claims = readToken(ctx.keys, token, { purpose: 'checkout.resend', now: ctx.clock.real() })
  const row = claims ? await findOwnedCheckout(ctx.db, Number(claims['checkout_id'])) : undefined
  if (!row || row.license_id === null) throw notFound('link')
  const scope = scopeOfCheckout(from, row)
  const license = await getLicense(ctx, scope, row.license_id)
  if (license.user_id === null || license.user_id !== row.user_id) return
  const { recipient } = await addressed(ctx, scope, license.user_id)
  if (await mayMail(ctx, { recipient, ip: from.ip })) await mailLicense(ctx, scope, license, row.language)
}
