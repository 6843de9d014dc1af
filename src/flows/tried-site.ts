import { hash } from 'node:crypto'
import type { ReadContext } from '../context.ts'
import type { Owner } from '../db/scoped.ts'
import { sameText } from '../lib/credentials.ts'
import type { PageContext } from '../resources/plans/pricing-table-schema.ts'
import { findSite, hasTried } from '../resources/trials/queries.ts'
import { isFreshProof } from './proven-user.ts'

const PURPOSE = 'upgrade'

/**
 * Whether the install on which a pricing page is shown has had its trial. The page proves the install by its keys:
 * `s_ctx_secure` is the MD5 of time, id, both keys and `upgrade` (`spec/behaviour/auth.md` 7). Without a proof, with a
 * wrong one or one older than 15 minutes it is false: the table is public.
 */
export async function isTriedSite(
  ctx: ReadContext,
  owner: Owner,
  { s_ctx_type: type, s_ctx_id: id, s_ctx_ts: ts, s_ctx_secure: given }: PageContext,
): Promise<boolean> {
  if (type !== 'install' || given === undefined || !/^\d{1,15}$/.test(id ?? '')) return false
  if (!isFreshProof(ctx, ts)) return false
  const site = await findSite(ctx.db, owner, Number(id))
  if (!site) return false
  const secret = ctx.keys.open(site.secret_key, 'installs.secret_key')
  const isProven = sameText(hash('md5', `${ts}${site.id}${secret}${site.public_key}${PURPOSE}`), given)
  return isProven && hasTried(ctx.db, owner, { ...site, isByKey: site.reach !== 'whole' })
}
