import type { Static } from 'typebox'
import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../http/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { SECOND, toRfc2822 } from '../../lib/time.ts'
import { requireUid } from '../../lib/uid.ts'
import { findStatus } from './queries.ts'
import type { PingQuery, Pong, Status } from './status-schema.ts'

async function isActive(ctx: ReadContext, scope: Scope): Promise<boolean> {
  const [product] = await findStatus(ctx.db, scope, {})
  if (!product) throw notFound('product')
  return product.is_active === 1
}

/** Whether the product is sold and served (setting type 5). */
export async function getStatus(ctx: ReadContext, scope: Scope): Promise<Static<typeof Status>> {
  return { is_active: await isActive(ctx, scope), timestamp: Math.floor(ctx.clock.real() / SECOND) }
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
  const active = await isActive(ctx, scope)
  return {
    api: 'pong',
    is_gdpr_required: isTest || !scope.country || GDPR_COUNTRIES.has(scope.country),
    timestamp: toRfc2822(ctx.clock.real()),
    ...(isUpdate && { is_active: active }),
  }
}

/** The European Economic Area, Switzerland and the United Kingdom. */
const GDPR_COUNTRIES: ReadonlySet<string> = new Set(
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
    ' ',
  ),
)
