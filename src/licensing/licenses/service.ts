import type { ReadContext, TxContext } from '../../context.ts'
import { isReferenced } from '../../db/duplicate.ts'
import type { Entity } from '../../db/tables/columns.ts'
import type { Scope } from '../../access/scope.ts'
import type { ValuesOf } from '../../http/entity.ts'
import { newLicenseKey } from '../../lib/credentials.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { firstNotice, NOTHING_TO_TELL, type Armed } from '../notices/notices.ts'
import { toUtcTime, type UtcTime } from '../../lib/time.ts'
import { recordEvent } from '../../events/log/record.ts'
import { formerHashesOfKey, keptKey } from './key.ts'
import { LICENSE } from './license.entity.ts'
import { findLicenseByKey, insertLicense } from './queries.ts'
import { findLicense } from './license-rows.ts'
import type { LicenseRow } from './schema.ts'

/** The license's row; 404 when the owner has no such license. */
export async function getLicense(ctx: ReadContext, scope: Scope, id: number): Promise<LicenseRow> {
  const [license] = await findLicense(ctx.db, scope, { id })
  if (!license) throw notFound('license')
  return license
}

/** The license of a user; 404 when it is somebody else's. */
export async function getLicenseOf(
  ctx: ReadContext,
  scope: Scope,
  { user_id: userId, license_id: id }: { readonly user_id: number; readonly license_id: number },
): Promise<LicenseRow> {
  const license = await getLicense(ctx, scope, id)
  if (license.user_id !== userId) throw notFound('license')
  return license
}

type Values = ValuesOf<(typeof LICENSE)['fields']>

type Asked = 'user_id' | 'plan_id' | 'pricing_id' | 'quota' | 'expiration' | RuleOfPlan
type RuleOfPlan = 'is_free_localhost' | 'is_block_features' | 'is_whitelabeled'

/** What follows from the rest, or begins at nothing. */
type Made =
  keyof Entity | 'product_id' | 'secret_key' | 'key_hash' | 'activated' | 'activated_local' | Noticed
type Noticed = 'notice' | 'notice_at' | 'key_change_at'

/**
 * What a license is issued with; its product is the scope's, its key a random one unless it is given. A quota of 0 is
 * unlimited, as null is.
 */
export type NewLicense = Pick<Values, Asked> & Partial<Omit<Values, Asked | Made>> & { readonly key?: string }

/** Issues a license and records `license.created`; 400 `license_key_taken` when the product has one with this key. */
export async function issueLicense(ctx: TxContext, scope: Scope, given: NewLicense): Promise<LicenseRow> {
  const license = await issueUnlessTaken(ctx, scope, given)
  if (!license) throw invalid('license_key_taken', 'The product has a license with this key.', 'license_key')
  return license
}

/** Issues a license; undefined when the product has one with this key, or one of this bundle's license. */
export async function issueUnlessTaken(
  ctx: TxContext,
  scope: Scope,
  given: NewLicense,
): Promise<LicenseRow | undefined> {
  if (await isKeptUnderFormer(ctx, scope, given.key)) return undefined
  const row = await insertOffered(ctx, columnsOf(ctx, scope, given))
  if (!row) return undefined
  await recordEvent(ctx, scope, {
    type: 'license.created',
    environment: row.environment,
    ...(row.user_id !== null && { userId: row.user_id }),
    data: { license_id: String(row.id), expiration: row.expiration },
  })
  return row
}

/** Whether a given key is kept under a former secret, where the unique index cannot see it during a rotation. */
async function isKeptUnderFormer(ctx: TxContext, scope: Scope, key: string | undefined): Promise<boolean> {
  const hashes = key === undefined ? [] : formerHashesOfKey(key, ctx.keys)
  return hashes.length > 0 && (await findLicenseByKey(ctx.db, scope, hashes)) !== undefined
}

function columnsOf(ctx: TxContext, scope: Scope, given: NewLicense): Parameters<typeof insertLicense>[1] {
  const { key = newLicenseKey(), ...values } = given
  const { quota, environment = 0, source = 0, is_brought: isBrought = source > 0 } = values
  const now = toUtcTime(ctx.clock.of(scope.productId, environment))
  return {
    ...LICENSE.initial,
    ...LICENSE.columns({ ...values, quota: quota || null, is_brought: isBrought }),
    product_id: scope.productId,
    ...keptKey(key, ctx.keys),
    ...noticesOf(scope, { ...values, source }, now),
    created: ctx.clock.now(),
    updated: null,
  }
}

/** One that is brought along from elsewhere (`source`, or a migration's silent scope) may have ended long ago. */
function noticesOf(
  { isSilent }: Scope,
  { expiration, source, is_cancelled: isCancelled }: NewLicense & Pick<Values, 'source'>,
  now: UtcTime,
): Armed {
  const hasEnded = expiration !== null && expiration <= now
  if (hasEnded && (source > 0 || isSilent)) return NOTHING_TO_TELL
  return firstNotice(isCancelled ? null : expiration, now)
}

/** 404 when the plan or the price was removed meanwhile. */
async function insertOffered(ctx: TxContext, row: Parameters<typeof insertLicense>[1]) {
  try {
    return await insertLicense(ctx.db, row)
  } catch (error) {
    throw isReferenced(error) ? notFound('plan') : error
  }
}
