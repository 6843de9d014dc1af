import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { upsertClone } from './part-queries.ts'
import { presentClone, type InstallClone } from './part-schema.ts'
import { holdInstall } from './service.ts'

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
    created: ctx.clock.now(),
    updated: null,
  })
  return presentClone(clone)
}
