import type { ReadContext, TxContext } from '../../context.ts'
import { audit } from '../../http/audit.ts'
import type { Scope } from '../../http/scope.ts'
import { hashToken, newOpaqueToken } from '../../lib/credentials.ts'
import { notFound } from '../../lib/errors.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import { confirmEmailMail } from '../../mail/message.ts'
import { queueMail } from '../../mail/outbox.ts'
import { recordEvent } from '../events/record.ts'
import {
  findConfirmation,
  insertConfirmation,
  useConfirmation,
  verifyPerson,
} from './confirmation-queries.ts'

const LINK_MS = DAY
const REDIRECT_PLACE = 'email_confirmations.redirect_url'

/** Path of the page a confirmation link opens; the token follows. */
export const CONFIRM_PATH = '/confirm-email/'

interface Recipient {
  readonly userId: number
  readonly email: string
  readonly name: string
  readonly productTitle: string
  /** Checked against the product's list already. */
  readonly redirectUrl: string | undefined
}

/** Mails a link that proves the address; the link works once, for 24 hours. */
export async function sendConfirmation(ctx: TxContext, scope: Scope, to: Recipient): Promise<void> {
  const token = newOpaqueToken()
  const now = ctx.clock.real()
  await insertConfirmation(ctx.db, {
    user_id: to.userId,
    product_id: scope.productId,
    email: to.email,
    token_hash: hashToken(token),
    redirect_url: to.redirectUrl === undefined ? null : ctx.keys.seal(to.redirectUrl, REDIRECT_PLACE),
    created: toUtcTime(now),
    expires_at: toUtcTime(now + LINK_MS),
    used_at: null,
  })
  await queueMail(ctx, {
    developerId: scope.developerId,
    productId: scope.productId,
    userId: to.userId,
    kind: 'confirm_email',
    recipient: to.email,
    content: confirmEmailMail({
      name: to.name,
      product: to.productTitle,
      link: `${ctx.baseUrl}${CONFIRM_PATH}${token}`,
    }),
  })
}

export interface Confirmation {
  readonly productTitle: string
  readonly email: string
  readonly redirectUrl: string | null
}

/** What a link is about; reading it uses nothing up (DECISIONS 3.10). 404 when it is used or too old. */
export async function readConfirmation(ctx: ReadContext, token: string): Promise<Confirmation> {
  const found = await find(ctx, token)
  return {
    productTitle: found.title,
    email: found.email,
    redirectUrl: found.redirect_url === null ? null : ctx.keys.open(found.redirect_url, REDIRECT_PLACE),
  }
}

/** Proves the address. 404 when the link was used or is too old. */
export async function confirmEmail(
  ctx: TxContext,
  token: string,
  from: { readonly ip: string; readonly requestId: string },
): Promise<void> {
  const found = await find(ctx, token)
  const now = toUtcTime(ctx.clock.real())
  if (!(await useConfirmation(ctx.db, found.id, now))) throw notFound('link')
  const scope: Scope = {
    kind: 'user',
    developerId: found.developer_id,
    productId: found.product_id,
    userId: found.user_id,
    installId: null,
    actor: { kind: 'user', id: found.user_id, credential: 'link' },
    ...from,
  }
  if (await verifyPerson(ctx.db, scope, found, now)) {
    await recordEvent(ctx, scope, {
      type: 'user.email.verified',
      userId: found.user_id,
      data: { user_id: String(found.user_id), email: found.email },
    })
  }
  await audit(ctx, {
    action: 'keywright/confirm-email',
    actor: scope.actor,
    productId: scope.productId,
    ...from,
    details: { confirmation: found.id },
  })
}

async function find(ctx: ReadContext, token: string) {
  const found = await findConfirmation(ctx.db, hashToken(token), toUtcTime(ctx.clock.real()))
  if (!found) throw notFound('link')
  return found
}
