import type { Static } from '../../lib/type.ts'
import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { asksForConsent } from '../../lib/countries.ts'
import { notFound } from '../../lib/errors.ts'
import { SECOND, toRfc2822 } from '../../lib/time.ts'
import { requireUid } from '../../lib/uid.ts'
import { findStatus } from './product-rows.ts'
import type { PingQuery, Pong, Status, StatusQuery } from './status-schema.ts'

/**
 * Whether a site may begin: the product is sold and served, and has not as many installs, by its last count, as a site
 * may make that used it before (setting type 5).
 */
async function isActive(ctx: ReadContext, scope: Scope, isUpdate: boolean): Promise<boolean> {
  const [product] = await findStatus(ctx.db, scope, {})
  if (!product) throw notFound('product')
  const { is_active: active, installs_count: installs, updated_sites_limit: limit } = product
  return active && (!isUpdate || limit === null || installs < limit)
}

/** Whether the product is active for a site, which has used it before (`is_update`) or not. */
export async function getStatus(
  ctx: ReadContext,
  scope: Scope,
  { is_update: isUpdate = false }: Static<typeof StatusQuery>,
): Promise<Static<typeof Status>> {
  const active = await isActive(ctx, scope, isUpdate)
  return { is_active: active, timestamp: Math.floor(ctx.clock.real() / SECOND) }
}

/**
 * Answers a client that asks whether it must ask for consent: it must where the law of Europe holds, where nobody
 * says where the caller is, and for a test. 400 `invalid_uid` for one that is none.
 */
export async function ping(
  ctx: ReadContext,
  scope: Scope,
  { uid, is_update: isUpdate, is_gdpr_test: isTest = false }: Static<typeof PingQuery>,
): Promise<Static<typeof Pong>> {
  if (uid !== undefined) requireUid(uid)
  const active = await isActive(ctx, scope, isUpdate)
  return {
    api: 'pong',
    is_gdpr_required: isTest || !scope.country || asksForConsent(scope.country),
    timestamp: toRfc2822(ctx.clock.real()),
    ...(isUpdate && { is_active: active }),
  }
}
