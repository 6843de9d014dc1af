import { unauthorized } from '../lib/errors.ts'
import type { Credentialed } from './authenticate.ts'
import { findProductOwner } from '../access/credential-rows.ts'
import type { Actor, Scope } from '../access/scope.ts'
import type { Reach } from '../db/tables/user-keys.ts'

export interface OwnedProduct {
  readonly id: number
  readonly developerId: number
  /** The product whose pair of the user was the proof of the one that signed, or which that is shown to. */
  readonly within?: number | undefined
}

/**
 * The product that the path names, when it belongs to this developer or store; no product where the path
 * names none. Somebody else's product is the same 401 as one that does not exist.
 */
export async function ownedProduct(
  { frame: { ctx }, ids }: Credentialed,
  owner: { readonly developerId: number; readonly storeId?: number },
): Promise<OwnedProduct> {
  if (ids.product_id === undefined) return { id: 0, developerId: owner.developerId }
  const id = /^[1-9][0-9]{0,15}$/.test(ids.product_id) ? Number(ids.product_id) : 0
  const [product] = await findProductOwner(ctx.db, { id })
  const isOwn =
    product?.developer_id === owner.developerId &&
    (owner.storeId === undefined || product.store_id === owner.storeId)
  if (!product || !isOwn) throw unauthorized()
  return { id: product.id, developerId: product.developer_id }
}

interface Caller {
  readonly product: OwnedProduct
  readonly actor: Actor
  /** The owner of the install that calls. */
  readonly userId?: number | undefined
  /** Of the keys of the user or install that signed; absent: the caller is who it says. */
  readonly reach?: Reach | undefined
  /** The pair of the user that signed. */
  readonly userKeyId?: number | null | undefined
  /** Key of the highest version of that install's product. */
  readonly newestVersion?: string | null | undefined
}

/** The scope of a caller in a product; users and installs see only their own, an install its user's too. */
export const scopeFor = (
  { request, kind, ids }: Credentialed,
  { product, actor, userId, reach, userKeyId, newestVersion }: Caller,
): Scope => ({
  kind,
  developerId: product.developerId,
  productId: product.id,
  userId: actor.kind === 'user' ? actor.id : (userId ?? null),
  installId: actor.kind === 'install' ? actor.id : null,
  reach:
    reach === 'own'
      ? { of: actor.kind === 'user' ? 'pair' : 'install', id: userKeyId ?? actor.id }
      : undefined,
  userKeyId: userKeyId ?? undefined,
  within: product.within,
  actor,
  ip: request.ip,
  requestId: request.id,
  newestVersion,
  isFamily: kind === 'user' && ids.product_id === undefined,
})
