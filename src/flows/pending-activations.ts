import type { ReadContext, TxContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import { hashToken, newOpaqueToken } from '../lib/credentials.ts'
import { notFound } from '../lib/errors.ts'
import { hostOf, siteName } from '../lib/local-hosts.ts'
import { DAY, HOUR, toUtcTime } from '../lib/time.ts'
import { mayMail } from '../mail/limits.ts'
import { queueMail } from '../mail/outbox.ts'
import type { NewInstall } from '../resources/installs/create.ts'
import { lockPerson } from '../resources/users/queries.ts'
import { countPending, findPending, insertPending } from './pending-activation-queries.ts'

const LINK_MS = DAY
/** Mails that strangers can have sent to one person about one product in an hour. */
const MAILS_AN_HOUR = 5
const WORK_PLACE = 'pending_activations.work'

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

/** The same with where the person's browser goes afterwards; null: nowhere. */
export interface PendingWork extends Connection {
  readonly returnUrl: string | null
}

interface Asked {
  readonly user: {
    readonly id: number
    readonly email: string
    readonly first: string
    readonly last: string
  }
  readonly work: PendingWork
}

/**
 * Mails a person that was known before an unauthenticated call a link that does what the call asked for
 * (DECISIONS 3.1). The link works once, for 24 hours. After five in an hour, or as `mayMail`, nothing is mailed, and
 * the caller is told no difference.
 */
export async function askToConfirm(ctx: TxContext, scope: Scope, { user, work }: Asked): Promise<void> {
  const now = ctx.clock.real()
  // The person's row is held, so that parallel calls count one another.
  await lockPerson(ctx.db, scope, user.id)
  const place = { userId: user.id, productId: scope.productId, since: toUtcTime(now - HOUR) }
  if ((await countPending(ctx.db, place)) >= MAILS_AN_HOUR) return
  if (!(await mayMail(ctx, { recipient: user.email, ip: scope.ip }))) return
  const token = newOpaqueToken()
  await insertPending(ctx.db, {
    product_id: scope.productId,
    user_id: user.id,
    token_hash: hashToken(token),
    work: ctx.keys.seal(JSON.stringify(work), WORK_PLACE),
    used_at: null,
    created: toUtcTime(now),
    expires_at: toUtcTime(now + LINK_MS),
  })
  await queueMail(ctx, {
    developerId: scope.developerId,
    productId: scope.productId,
    userId: user.id,
    recipient: user.email,
    template: 'pending_activation',
    name: `${user.first} ${user.last}`.trim(),
    values: { site: siteOf(work), link: ctx.baseUrl + CONFIRM_ACTIVATION_PATH + token },
  })
}

const siteOf = ({ installs: [install] }: Connection): string => siteName(hostOf(install?.url ?? ''))

export interface Pending {
  readonly id: number
  readonly developerId: number
  readonly productId: number
  readonly productTitle: string
  readonly userId: number
  readonly email: string
  readonly site: string
  readonly work: PendingWork
}

/** What a link is about; reading it uses nothing up (DECISIONS 3.10). 404 when it is used or too old. */
export async function readPending(ctx: ReadContext, token: string): Promise<Pending> {
  const found = await findPending(ctx.db, hashToken(token), toUtcTime(ctx.clock.real()))
  if (!found) throw notFound('link')
  const work = JSON.parse(ctx.keys.open(found.work, WORK_PLACE)) as PendingWork
  return {
    id: found.id,
    developerId: found.developer_id,
    productId: found.product_id,
    productTitle: found.title,
    userId: found.user_id,
    email: found.email,
    site: siteOf(work),
    work,
  }
}
