import { hashToken } from '../lib/credentials.ts'
import { unauthorized } from '../lib/errors.ts'
import { toUtcTime } from '../lib/time.ts'
import type { Credentialed } from './authenticate.ts'
import { findAccessToken, findProductsOfUser } from './credential-queries.ts'
import { ownedProduct, scopeFor } from './owned-product.ts'
import type { Scope } from './scope.ts'

/** An access token of a developer or a user (`FSA`), each in its own scope only (DECISIONS 3.6). */
export async function accessTokenScope(
  { id, token }: { readonly id: string; readonly token: string },
  credentialed: Credentialed,
): Promise<Scope> {
  const { frame, kind, ids } = credentialed
  const { ctx } = frame
  const now = toUtcTime(ctx.clock.real())
  const [found] = await findAccessToken(ctx.db, { hash: hashToken(token), now })
  if (!found) throw unauthorized()
  const credential = `FSA:${found.id}`
  if (found.user_id === null) {
    if ((kind !== 'developer' && kind !== 'account') || !same(found.developer_id, id, ids.developer_id)) {
      throw unauthorized()
    }
    const product = await ownedProduct(credentialed, { developerId: found.developer_id })
    return scopeFor(credentialed, {
      product,
      actor: { kind: 'developer', id: found.developer_id, credential },
    })
  }
  if (kind !== 'user' || !same(found.user_id, id, ids.user_id)) throw unauthorized()
  const products = await findProductsOfUser(ctx.db, { userId: found.user_id })
  const product = products.find(
    ({ product_id: productId }) => ids.product_id === undefined || String(productId) === ids.product_id,
  )
  if (!product) throw unauthorized()
  return scopeFor(credentialed, {
    product: { id: product.product_id, developerId: product.developer_id },
    actor: { kind: 'user', id: found.user_id, credential },
  })
}

const same = (id: number, ...texts: (string | undefined)[]) => texts.every((text) => text === String(id))
