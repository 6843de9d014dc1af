import type { ReadContext } from '../../context.ts'
import { isSeller, type Scope } from '../../access/scope.ts'
import { getInstall } from '../installs/service.ts'
import { usableLicense } from './license-of-install.ts'
import { countSites, countSitesByKey, type Counting } from './sites-by-key.ts'

interface OnInstall {
  readonly install_id: number
  readonly limits: Counting
}

/**
 * Counts the site of an install on which a license is put by its key, against the license (`docs/decisions.md` 3.25);
 * what the seller does counts nothing. 404 when the caller has no such install, 429 when there were too many.
 */
export async function countSiteByKey(
  ctx: ReadContext,
  scope: Scope,
  {
    install_id: id,
    key,
    url,
    limits,
  }: OnInstall & { readonly key?: string | undefined; readonly url?: string | null | undefined },
): Promise<void> {
  if (isSeller(scope) || key === undefined) return
  const install = await getInstall(ctx, scope, id)
  const sites = [{ uid: install.uid, url: url ?? install.url }]
  await countSitesByKey(ctx, install.product_id, { key, sites, limits })
}

/**
 * Counts the site of an install on which a license is put by its id, as keys that reach it may without its own key. 404
 * for what the caller has not, 429 when there were too many.
 */
export async function countSiteOfInstall(
  ctx: ReadContext,
  scope: Scope,
  {
    install_id: id,
    license_id,
    key,
    limits,
  }: OnInstall & { readonly license_id: number; readonly key: string | undefined },
): Promise<void> {
  if (isSeller(scope)) return
  const { product_id: productId, uid, url } = await getInstall(ctx, scope, id)
  const license = await usableLicense(ctx, { ...scope, productId }, { license_id, key })
  await countSites(ctx, productId, { license, sites: [{ uid, url }], limits })
}
