import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { createInstall, type CreatedInstall, type NewInstall } from './create.ts'
import { findInstallOfUid } from '../activation/by-key-rows.ts'
import { countAnew } from '../activation/license-on-install.ts'

/**
 * `createInstall` for a caller that puts no license of its own on it: one that is there already and tells another
 * address now is counted anew on the license it has. 400 `license_utilized` or `license_error` as `countAnew`.
 */
export async function placeInstall(ctx: TxContext, scope: Scope, told: NewInstall): Promise<CreatedInstall> {
  const { user_id: userId, uid } = told
  const before = await findInstallOfUid(ctx.db, { productId: scope.productId, userId, uid })
  const created = await createInstall(ctx, scope, told)
  const isMoved = before !== undefined && before.host !== created.install.host
  return isMoved ? { ...created, install: await countAnew(ctx, created.install) } : created
}
