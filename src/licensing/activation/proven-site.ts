import { hash } from 'node:crypto'
import type { ReadContext } from '../../context.ts'
import type { Owner } from '../../db/scoped.ts'
import { sameText } from '../../lib/credentials.ts'
import { findSite } from '../trials/trial-rows.ts'
import { isFreshProof } from '../proof/proven-user.ts'

/** What a page says of the install on which it is shown, and how it proves it. */
export interface PageContext {
  readonly s_ctx_type?: string
  readonly s_ctx_id?: string
  /** Unix seconds. */
  readonly s_ctx_ts?: string
  readonly s_ctx_secure?: string
}

/**
 * The install of a product on which a page is shown. The page proves it by its keys: `s_ctx_secure` is the MD5 of time,
 * id, both keys and what the page is for (`docs/interface.md` 2.8). Undefined without a proof, with a wrong one or one
 * older than 15 minutes: such a page is for everybody.
 */
export async function provenSite(
  ctx: ReadContext,
  owner: Owner,
  { s_ctx_type: type, s_ctx_id: id, s_ctx_ts: ts, s_ctx_secure: given }: PageContext,
  purpose: 'upgrade' | 'checkout' | 'contact',
) {
  if (type !== 'install' || given === undefined || !/^\d{1,15}$/.test(id ?? '')) return undefined
  if (!isFreshProof(ctx, ts)) return undefined
  const site = await findSite(ctx.db, owner, Number(id))
  if (!site) return undefined
  const secret = ctx.keys.open(site.secret_key, 'installs.secret_key')
  const isProven = sameText(hash('md5', `${ts}${site.id}${secret}${site.public_key}${purpose}`), given)
  return isProven ? site : undefined
}
