import type { TxContext } from '../../context.ts'
import type { Scope } from '../../http/scope.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { toUtcTime } from '../../lib/time.ts'
import { findClone, resolveCloneRow, upsertClone } from './part-queries.ts'
import { presentClone, type CloneResolution, type InstallClone } from './part-schema.ts'
import { getInstall, holdInstall } from './service.ts'

/** Notes that an install's data came from a second site; the same site again is the same clone while it is open. */
export async function noteClone(
  ctx: TxContext,
  scope: Scope,
  id: number,
  siteUrl: string,
): Promise<InstallClone> {
  const install = await holdInstall(ctx, scope, id)
  const clone = await upsertClone(ctx.db, {
    product_id: install.product_id,
    install_id: id,
    new_install_id: null,
    install_url: install.url ?? '',
    site_url: siteUrl,
    state: 'pending',
    resolution: null,
    created: toUtcTime(ctx.clock.real()),
    updated: null,
  })
  return presentClone(clone)
}

/**
 * Says what a clone is. A temporary duplicate may become something else later, anything else stays: 400
 * `clone_resolved`. 404 for a clone or install that the caller has not.
 */
export async function resolveClone(
  ctx: TxContext,
  scope: Scope,
  { install_id: installId, clone_id: id }: { readonly install_id: number; readonly clone_id: number },
  { resolution, new_install_id: newInstallId }: CloneResolution,
): Promise<InstallClone> {
  await holdInstall(ctx, scope, installId)
  const clone = await findClone(ctx.db, scope, { installId, id })
  if (!clone) throw notFound('clone')
  if (newInstallId) await getInstall(ctx, { ...scope, installId: null }, newInstallId)
  if (resolution === null) return presentClone(clone)
  const resolved = await resolveCloneRow(ctx.db, scope, id, {
    resolution,
    ...(newInstallId !== undefined && { new_install_id: newInstallId }),
    updated: toUtcTime(ctx.clock.real()),
  })
  if (!resolved) throw invalid('clone_resolved', `This clone is resolved already, as ${clone.resolution}.`)
  return presentClone(resolved)
}
