import type { ReadContext, TxContext } from '../../context.ts'
import { isSeller, type Scope } from '../../access/scope.ts'
import { hashToken, newOpaqueToken } from '../../lib/credentials.ts'
import { notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { siteName } from '../../lib/hosts.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import { mayMail } from '../../mail/limits.ts'
import { queueMail } from '../../mail/outbox.ts'
import { findConfirmation, insertConfirmation } from './confirmation-queries.ts'
import type { Side } from './confirmation-rows.ts'

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
   * The address in whose place `email` shall come, whether that one is asked too, and the products that its person is in;
   * absent: `email` is the person's already.
   */
  readonly replaces?: {
    readonly email: string
    readonly isAsked: boolean
    readonly productIds: readonly number[]
  }
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
  const tokens = { wanted: newOpaqueToken(), former: newOpaqueToken() }
  await keepLinks(ctx, scope, to, tokens)
  await mailLinks(ctx, scope, to, tokens)
  return true
}

type Tokens = Readonly<Record<Side, string>>

/** The address that is asked beside the one that is wanted; null: none is. */
const askedOf = ({ replaces }: Recipient): string | null => (replaces?.isAsked ? replaces.email : null)

function keepLinks(
  ctx: TxContext,
  scope: Scope,
  to: Recipient,
  { wanted, former }: Tokens,
): Promise<unknown> {
  const now = ctx.clock.real()
  return insertConfirmation(ctx.db, {
    user_id: to.userId,
    product_id: scope.productId,
    email: to.email,
    token_hash: hashToken(wanted),
    redirect_url: to.redirectUrl === undefined ? null : ctx.keys.seal(to.redirectUrl, REDIRECT_PLACE),
    ...replacing(to),
    install_id: to.install?.id ?? null,
    former_hash: askedOf(to) === null ? null : hashToken(former),
    former_at: null,
    wanted_at: null,
    created: toUtcTime(now),
    expires_at: toUtcTime(now + LINK_MS),
    used_at: null,
  })
}

async function mailLinks(ctx: TxContext, scope: Scope, to: Recipient, tokens: Tokens): Promise<void> {
  const mail = {
    developerId: scope.developerId,
    productId: scope.productId,
    userId: to.userId,
    environment: to.install?.environment ?? 0,
    name: to.name,
  }
  const linkOf = (side: Side) => `${ctx.baseUrl}${CONFIRM_PATH}${tokens[side]}`
  const values = { link: linkOf('wanted') }
  await queueMail(ctx, { ...mail, recipient: to.email, template: 'confirm_email', values })
  const asked = askedOf(to)
  if (asked === null) return
  const about = { link: linkOf('former'), to: to.email }
  await queueMail(ctx, { ...mail, recipient: asked, template: 'confirm_email_change', values: about })
}

const replacing = ({ replaces }: Recipient) => ({
  replaces: replaces === undefined ? null : fold(replaces.email),
  product_ids: replaces?.productIds.join(',') ?? null,
})

export interface Confirmation {
  readonly productTitle: string
  readonly email: string
  /** The site that asks; null where none does. */
  readonly site: string | null
  readonly redirectUrl: string | null
  /** Which of the person's addresses the link was mailed to. */
  readonly at: Side
}

/** What a link is about; reading it uses nothing up (`docs/decisions.md` 3.10). 404 when it is used or too old. */
export async function readConfirmation(ctx: ReadContext, token: string): Promise<Confirmation> {
  const found = await getConfirmation(ctx, token)
  return {
    productTitle: found.title,
    email: found.email,
    site: found.install_id === null ? null : siteName(found.host),
    at: found.at,
    redirectUrl: found.redirect_url === null ? null : ctx.keys.open(found.redirect_url, REDIRECT_PLACE),
  }
}

/** A link that can still be used, what it is about, and to which address it was mailed. 404 when it is used or too old. */
export async function getConfirmation(ctx: ReadContext, token: string) {
  for (const at of ['wanted', 'former'] as const) {
    const found = await findConfirmation(ctx.db, at, hashToken(token), ctx.clock.now())
    if (found) return { ...found, at }
  }
  throw notFound('link')
}
