import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { hashToken, newOpaqueToken } from '../../lib/credentials.ts'
import { notFound } from '../../lib/errors.ts'
import { hostOf, siteName } from '../../lib/hosts.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import { mayMail } from '../../mail/limits.ts'
import { queueMail } from '../../mail/outbox.ts'
import type { NewInstall } from '../installs/create.ts'
import { findPending, insertPending } from './pending-activation-queries.ts'

const LINK_MS = DAY
export const WORK_PLACE = 'pending_activations.work'

/** Path of the page that a mailed link opens; the token follows. */
export const CONFIRM_ACTIVATION_PATH = '/confirm-activation/'

/** What is done for a person once it is known to want it. */
export interface Connection {
  readonly installs: readonly Omit<NewInstall, 'user_id'>[]
  /** A license that is put on the first install; one that is nobody's becomes the person's. */
  readonly licenseId: number | null
  /** The license whose key was shown: that of the bundle, where it opened the other. */
  readonly keyedId: number | null
  /** A plan that the first install tries. */
  readonly trialPlanId: number | null
  readonly isMarketingAllowed: boolean | null
  readonly isExtensionsTrackingAllowed: boolean | null
  readonly isDiagnosticTrackingAllowed: boolean | null
}

/** Somebody as who asks has named them. */
interface Named {
  readonly email: string
  readonly first: string
  readonly last: string
}

/** What is done once a link is followed, with where the person's browser goes afterwards; null: nowhere. */
export interface PendingWork extends Connection {
  readonly returnUrl: string | null
  /** Of an address that nobody had when it was asked for. */
  readonly person?: Named
}

interface Asked {
  /** The person who is known by the address; null: it becomes one by following the link. */
  readonly user: (Named & { readonly id: number }) | null
  /** Where it is mailed to. */
  readonly email: string
  readonly work: PendingWork
}

/**
 * Mails an address that was named by an unauthenticated call a link that does what the call asked for
 * (`docs/decisions.md` 3.1 and 3.14). The link works once, for 24 hours. After as many as `mayMail` lets through
 * nothing is mailed, and the caller is told no difference.
 */
export async function askToConfirm(
  ctx: TxContext,
  scope: Scope,
  { user, email, work }: Asked,
): Promise<void> {
  const now = ctx.clock.real()
  const { productId, ip } = scope
  if (!(await mayMail(ctx, { recipient: email, ip }))) return
  const token = newOpaqueToken()
  await insertPending(ctx.db, {
    product_id: productId,
    user_id: user?.id ?? null,
    token_hash: hashToken(token),
    work: ctx.keys.seal(JSON.stringify(work), WORK_PLACE),
    used_at: null,
    created: toUtcTime(now),
    expires_at: toUtcTime(now + LINK_MS),
  })
  await queueMail(ctx, {
    developerId: scope.developerId,
    productId,
    userId: user?.id ?? null,
    recipient: email,
    template: 'pending_activation',
    // Who asks chooses no text of the mail, not even by the name of a host; the page behind the link shows that.
    name: user ? `${user.first} ${user.last}`.trim() : '',
    values: { link: ctx.baseUrl + CONFIRM_ACTIVATION_PATH + token },
  })
}

/** The site that gets the keys, which is the one that the browser is led to. */
const siteOf = ({ installs: [install], returnUrl }: PendingWork): string =>
  siteName(hostOf(returnUrl ?? install?.url ?? ''))

export interface Pending {
  readonly id: number
  readonly developerId: number
  readonly productId: number
  readonly productTitle: string
  /** Null: nobody had the address when it was asked for. */
  readonly userId: number | null
  readonly email: string
  readonly site: string
  readonly work: PendingWork
}

/** What a link is about; reading it uses nothing up (`docs/decisions.md` 3.10). 404 when it is used or too old. */
export async function readPending(ctx: ReadContext, token: string): Promise<Pending> {
  const found = await findPending(ctx.db, hashToken(token), ctx.clock.now())
  if (!found) throw notFound('link')
  const work = JSON.parse(ctx.keys.open(found.work, WORK_PLACE)) as PendingWork
  return {
    id: found.id,
    developerId: found.developer_id,
    productId: found.product_id,
    productTitle: found.title,
    userId: found.user_id,
    email: found.email ?? work.person?.email ?? '',
    site: siteOf(work),
    work,
  }
}
