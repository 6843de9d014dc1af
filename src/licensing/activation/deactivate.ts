import type { TxContext } from '../../context.ts'
import { isSeller, type Scope } from '../../access/scope.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { requireUid } from '../../lib/uid.ts'
import { presentInstall, type Install, type InstallRow } from '../installs/schema.ts'
import type { Deactivate } from './activation-schema.ts'
import { findInstall } from './activate-queries.ts'
import { findChildLicense } from '../licenses/child-license-rows.ts'
import { licenseByKey } from '../licenses/by-key.ts'
import { takeLicenseOff } from './license-on-install.ts'

/**
 * Deactivates the license on an install for whoever knows its key and the install's id and uid; the install
 * without its secret key, and what it earned only for the seller (`docs/decisions.md` 1.10). 404 `invalid_license_key`
 * or for an unknown install, 400 `license_error` where the license is not active on it (`docs/interface.md` 5.5).
 */
export async function deactivate(ctx: TxContext, from: Scope, body: Deactivate): Promise<Install> {
  const { uid, install_id: id, license_key: key } = body
  requireUid(uid)
  const { license, scope } = await licenseByKey(ctx, from, key)
  const productId = scope.productId
  const own =
    license.product_id === productId ? license : await findChildLicense(ctx.db, license.id, productId)
  const install = await findInstall(ctx.db, { productId, id, uid })
  if (!install) throw notFound('install')
  if (!own || install.license_id !== own.id) throw notActive(install)
  const after = presentInstall(await takeLicenseOff(ctx, scope, install), null, scope)
  return isSeller(from) ? after : { ...after, gross: 0 }
}

const notActive = ({ id }: InstallRow) =>
  invalid('license_error', `The license is not active on install ${id}.`)
