import type { ReadContext, TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { requireUid } from '../../lib/uid.ts'
import { findUninstall, insertSkipped, upsertAnonymousUninstall, upsertUninstall } from './part-queries.ts'
import { presentUninstall, type AnonymousUninstall, type Skipped, type Uninstall } from './part-schema.ts'
import { OTHER, type Reason } from '../../lib/reasons.ts'
import type { InstallRow } from './schema.ts'
import { getInstall } from './service.ts'

export interface WhyUninstalled {
  readonly reason_id?: Reason
  readonly reason_info?: string
}

/** Notes why an install was removed; the last word counts. */
export async function noteUninstall(ctx: TxContext, install: InstallRow, why: WhyUninstalled): Promise<void> {
  const now = ctx.clock.now()
  const row = {
    product_id: install.product_id,
    install_id: install.id,
    site_id: install.site_id,
    uid: install.uid,
    reason_id: why.reason_id ?? OTHER,
    ...reasonOf(why.reason_info ?? ''),
    created: now,
    updated: null,
  }
  await upsertUninstall(ctx.db, row, now)
}

/** What was said, with its twin that is searched. */
const reasonOf = (text: string) => ({ reason_info: text, reason_folded: fold(text) })

/** Why an install was removed; 404 when there is no such install, or it was not removed. */
export async function getUninstall(ctx: ReadContext, scope: Scope, id: number): Promise<Uninstall> {
  const install = await getInstall(ctx, scope, id)
  const row = install.is_uninstalled ? await findUninstall(ctx.db, scope, id) : undefined
  if (!row) throw notFound('uninstall')
  return presentUninstall(row, install.site_id)
}

/** Notes why a site that never opted in removed the product. 400 `invalid_uid`. */
export async function noteAnonymousUninstall(
  ctx: TxContext,
  scope: Scope,
  { uid, reason_id, reason, reason_info }: AnonymousUninstall,
): Promise<'200 OK'> {
  requireUid(uid)
  const now = ctx.clock.now()
  const row = {
    product_id: scope.productId,
    install_id: null,
    site_id: null,
    uid,
    reason_id: reason_id ?? OTHER,
    ...reasonOf(reason ?? reason_info ?? ''),
    created: now,
    updated: null,
  }
  await upsertAnonymousUninstall(ctx.db, row, now)
  return '200 OK'
}

/** One site or several must be named. */
export async function checkSkipped({ uid, uids }: Skipped, problems: Problems): Promise<void> {
  if (uid !== undefined || (uids !== undefined && uids.length > 0)) return
  if (problems.has('uid') || problems.has('uids')) return
  problems.missing.push({ field: 'uid', message: 'or uids is required' })
}

/** The sites that are named, each once. */
export const skippedBy = ({ uid, uids = [] }: Skipped): string[] => [
  ...new Set(uid === undefined ? uids : [uid, ...uids]),
]

/** Notes that the owners of sites skipped the opt-in. 400 `invalid_uid`. */
export async function skip(ctx: TxContext, scope: Scope, skipped: Skipped): Promise<void> {
  const named = skippedBy(skipped)
  named.forEach(requireUid)
  await insertSkipped(ctx.db, scope.productId, named, ctx.clock.now())
}
