import { latelySince } from '../../db/has-come.ts'
import type { ReadContext, TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import { isSeller, requireUnlimited, wholeOnly, ofAnyUser, type Scope } from '../../access/scope.ts'
import { hashToken, newOpaqueToken } from '../../lib/credentials.ts'
import { type ApiError, invalid, tooManyRequests } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { hostOf } from '../../lib/hosts.ts'
import { HOUR, SECOND, toUtcTime } from '../../lib/time.ts'
import { sendConfirmation } from './confirm-email.ts'
import { productsInReach, type Reached } from '../users/elsewhere-rows.ts'
import { countAddressChanges, insertConfirmation } from './confirmation-queries.ts'
import { endAddressChanges } from './confirmation-rows.ts'
import { findPersonByEmail, findUserRules, hasSiteAt } from '../users/user-rows.ts'
import type { UserRow, UserUpdate } from '../users/schema.ts'

/** How often a user can ask for another address in an hour, as each may send a mail or tell whose it is. */
const CHANGES_AN_HOUR = 5

/** What a client expects where the address that is wanted belongs to somebody else. */
export const userExists = () => invalid('user_exist', 'There is another user with this address.')

/** The way back leads to a host on the list of the product, or to a site of the user (`docs/decisions.md` 3.10). */
export async function checkWayBack(
  ctx: ReadContext,
  scope: Scope,
  { userId, url }: { readonly userId: number; readonly url: string | undefined },
  problems: Problems,
): Promise<void> {
  const field = 'after_email_confirm_url'
  if (url === undefined || problems.has(field)) return
  const rules = await findUserRules(ctx.db, scope)
  const listed = JSON.parse(rules?.redirect_hosts ?? '[]') as string[]
  if (listed.includes(new URL(url).host)) return
  const host = hostOf(url)
  if (host !== null && (await hasSiteAt(ctx.db, scope, { userId, host }))) return
  problems.malformed.push({
    field,
    message: 'must lead to a site of the user or to a host on the list of the product',
  })
}

/**
 * Mails a link to the address that a user shall have, and where the user asks, not the seller, another one to the address
 * that it has; it is the user's when each was followed (`licensing/proof/confirm-email`). What was asked for before is over. Answers `user_exist` where somebody else of the
 * account has the address: what is written before that is to be kept, as it counts. 429 when the user asked too
 * often in an hour. Keys that are not proven to be the person's give it no other address: they would become so by it;
 * nor does a member whose role is limited, who would become the person. Nor who reaches one product of several that the
 * person is in (`docs/decisions.md` 3.20).
 */
export async function askForAddress(
  ctx: TxContext,
  scope: Scope,
  user: UserRow,
  { email, after_email_confirm_url: redirectUrl }: UserUpdate,
): Promise<ApiError | null> {
  if (email === undefined || email === user.email) return null
  if (scope.reach) return wholeOnly('Another address')
  requireUnlimited(scope, 'Another address')
  const productIds = await productsInReach(ctx.db, scope, { userId: user.id, reached: reachedBy(scope) })
  if (productIds === null) return ofMore()
  const now = ctx.clock.real()
  if (!isSeller(scope)) {
    const asked = await countAddressChanges(ctx.db, user.id, latelySince(now - HOUR, now))
    if (asked >= CHANGES_AN_HOUR) return tooManyRequests(HOUR / SECOND)
  }
  await endAddressChanges(ctx.db, user.id, toUtcTime(now))
  const other = await findPersonByEmail(ctx.db, ofAnyUser(scope), fold(email))
  if (other && other.id !== user.id) {
    await noteUnsent(ctx, scope, user, email)
    return userExists()
  }
  const isSent = await sendConfirmation(ctx, scope, {
    userId: user.id,
    email,
    name: `${user.first} ${user.last}`.trim(),
    redirectUrl,
    replaces: { email: user.email, isAsked: !isSeller(scope), productIds },
  })
  if (!isSent) await noteUnsent(ctx, scope, user, email)
  return null
}

/** Whose products a caller reaches: all of an account for who has signed in, or has keys by a mailed link. */
function reachedBy({ actor, userKeyId, within }: Scope): Reached {
  switch (actor.kind) {
    case 'developer':
    case 'system':
      return 'account'
    case 'store':
      return 'store'
    case 'user':
      return actor.isPerson || (userKeyId !== undefined && within === undefined) ? 'account' : 'family'
    default:
      return 'product'
  }
}

const ofMore = () =>
  invalid(
    'account_verification_required',
    'This user is in other products too: another address is for who signs in to the whole account, and for its developer.',
  )

/** A link that nobody gets and that never worked, so that the attempt counts. */
async function noteUnsent(ctx: TxContext, scope: Scope, user: UserRow, email: string): Promise<void> {
  const now = ctx.clock.now()
  await insertConfirmation(ctx.db, {
    user_id: user.id,
    product_id: scope.productId,
    email,
    token_hash: hashToken(newOpaqueToken()),
    redirect_url: null,
    replaces: fold(user.email),
    product_ids: null,
    install_id: null,
    former_hash: null,
    former_at: null,
    wanted_at: null,
    created: now,
    expires_at: toUtcTime(ctx.clock.real() + HOUR),
    used_at: now,
  })
}
