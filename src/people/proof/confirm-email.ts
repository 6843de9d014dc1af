import type { ReadContext, TxContext } from '../../context.ts'
import { isSeller, type Scope } from '../../access/scope.ts'
import { hashToken, newOpaqueToken } from '../../lib/credentials.ts'
import { notFound } from '../../lib/errors.ts'
import { siteName } from '../../lib/hosts.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import { mayMail } from '../../mail/limits.ts'
import { queueMail } from '../../mail/outbox.ts'
import { findConfirmation, insertConfirmation } from './confirmation-queries.ts'

const LINK_MS = DAY
const REDIRECT_PLACE = 'email_confirmations.redirect_url'

/** Path of the page a confirmation link opens; the token follows. */
export const CONFIRM_PATH = '/confirm-email/'

interface Recipient {
  readonly userId: number
  readonly email: string
  readonly name: string
  /** Checked against the product's list already. */
  readonly redirectUrl: string | undefined
  /** The install that asks; the page behind the link names its site. */
  readonly install?: { readonly id: number; readonly environment: 0 | 1 }
  /**
   * The folded address in whose place `email` shall come, and the products that its person is in; absent: `email` is
   * the person's already.
   */
  readonly replaces?: { readonly folded: string; readonly productIds: readonly number[] }
}

/**
 * Mails a link that proves the address; the link works once, for 24 hours. False: nothing is sent nor kept, as
 * `mayMail` says.
 */
export async function sendConfirmation(ctx: TxContext, scope: Scope, to: Recipient): Promise<boolean> {
  const isStarted = to.install !== undefined || !isSeller(scope)
  const { ip } = scope
  if (isStarted && !(await mayMail(ctx, { recipient: to.email, installId: to.install?.id ?? null, ip })))
    return false
  const token = newOpaqueToken()
  const now = ctx.clock.real()
  await insertConfirmation(ctx.db, {
    user_id: to.userId,
    product_id: scope.productId,
    email: to.email,
    token_hash: hashToken(token),
    redirect_url: to.redirectUrl === undefined ? null : ctx.keys.seal(to.redirectUrl, REDIRECT_PLACE),
    ...replacing(to),
    install_id: to.install?.id ?? null,
    created: toUtcTime(now),
    expires_at: toUtcTime(now + LINK_MS),
    used_at: null,
  })
  await queueMail(ctx, {
    developerId: scope.developerId,
    productId: scope.productId,
    userId: to.userId,
    environment: to.install?.environment ?? 0,
    recipient: to.email,
    template: 'confirm_email',
    name: to.name,
    values: { link: `${ctx.baseUrl}${CONFIRM_PATH}${token}` },
  })
  return true
}

const replacing = ({ replaces }: Recipient) => ({
  replaces: replaces?.folded ?? null,
  product_ids: replaces?.productIds.join(',') ?? null,
})

export interface Confirmation {
  readonly productTitle: string
  readonly email: string
  /** The site that asks; null where none does. */
  readonly site: string | null
  readonly redirectUrl: string | null
}

/** What a link is about; reading it uses nothing up (`docs/decisions.md` 3.10). 404 when it is used or too old. */
export async function readConfirmation(ctx: ReadContext, token: string): Promise<Confirmation> {
  const found = await getConfirmation(ctx, token)
  return {
    productTitle: found.title,
    email: found.email,
    site: found.install_id === null ? null : siteName(found.host),
    redirectUrl: found.redirect_url === null ? null : ctx.keys.open(found.redirect_url, REDIRECT_PLACE),
  }
}

/** A link that can still be used, and what it is about. 404 when it is used or too old. */
export async function getConfirmation(ctx: ReadContext, token: string) {
  const found = await findConfirmation(ctx.db, hashToken(token), ctx.clock.now())
  if (!found) throw notFound('link')
  return found
}
