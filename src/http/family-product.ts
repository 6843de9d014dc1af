import { unauthorized } from '../lib/errors.ts'
import type { Credentialed } from './authenticate.ts'
import { findInFamily, findProductOfInstall, findProductOfLicense } from '../access/credential-rows.ts'
import type { OwnedProduct } from './owned-product.ts'

interface EntityIds {
  readonly product_id?: string
  readonly install_id?: string
  readonly license_id?: string
}

/**
 * The product that a user of `own` calls for, as far as its keys open it: named by the path, or by an install or
 * license there. It is the user's own, an add-on of it or a bundle that it is in (`docs/decisions.md` 3.1). Any other
 * product is 401; an install or license of any other is looked for in the user's own, and not found.
 */
export async function familyProduct(
  { frame: { ctx }, ids }: Pick<Credentialed, 'frame' | 'ids'>,
  own: OwnedProduct,
): Promise<OwnedProduct> {
  const { product_id: named, install_id: install, license_id: license } = ids as EntityIds
  const { developerId, id: productId, within = productId } = own
  const family = { developerId, productId, within }
  if (named !== undefined) {
    if (named === String(productId)) return own
    const [found] = await findInFamily(ctx.db, { ...family, id: idIn(named) })
    if (!found) throw unauthorized()
    return { ...own, id: found.id }
  }
  const [found] =
    install !== undefined
      ? await findProductOfInstall(ctx.db, { ...family, id: idIn(install) })
      : license !== undefined
        ? await findProductOfLicense(ctx.db, { ...family, id: idIn(license) })
        : []
  return found ? { ...own, id: found.product_id } : own
}

const idIn = (text: string) => (/^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : 0)
