import type { TxContext } from '../../context.ts'
import { ofAnyInstall, ofWholeReach, type Scope } from '../../access/scope.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { findClone, resolveCloneRow } from './part-queries.ts'
import { presentClone, type CloneResolution, type InstallClone } from './part-schema.ts'
import { getInstall, holdInstall } from './service.ts'
import { isMadeWith } from '../../people/users/keys.ts'

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
  if (newInstallId) await requireInstall(ctx, scope, newInstallId)
  if (resolution === null) return presentClone(clone)
  const resolved = await resolveCloneRow(ctx.db, scope, id, {
    resolution,
    ...(newInstallId !== undefined && { new_install_id: newInstallId }),
    updated: ctx.clock.now(),
  })
  if (!resolved) throw invalid('clone_resolved', `This clone is resolved already, as ${clone.resolution}.`)
  return presentClone(resolved)
}

/** 404 unless the caller has the install, or it was made with the keys that were handed out to the one that calls. */
async function requireInstall(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  const { reach } = scope
  const isMade = reach !== undefined && (await isMadeWith(ctx, reach, id))
  const own = ofAnyInstall(scope)
  await getInstall(ctx, isMade ? ofWholeReach(own) : own, id)
}
