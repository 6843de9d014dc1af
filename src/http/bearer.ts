import { hashToken, isInstallToken } from '../lib/credentials.ts'
import { unauthorized } from '../lib/errors.ts'
import { parseIdList } from '../lib/id-list.ts'
import { goOn, type Soon } from '../lib/soon.ts'
import type { Credentialed } from './authenticate.ts'
import { findApiToken } from '../access/credential-rows.ts'
import { rightsIn } from '../access/rights.ts'
import { installTokenScope } from './install-token.ts'
import { deadToken, outOfPlace } from './refused-token.ts'
import { ownedProduct, scopeFor } from './owned-product.ts'
import type { Actor, Scope } from '../access/scope.ts'

const OTHER_PRODUCTS = 'The token is narrowed to other products.'
export const ONLY_SOME = 'The token is narrowed to some products, and has no right to this.'

const OPENED: readonly Scope['kind'][] = ['product', 'developer', 'account']

/**
 * A product's bearer token: product scope of its own product only. An account's: developer scope of its own account. Any
 * other path is the same 401, whether what it names exists or not (`docs/decisions.md` 2.2). An install's token opens
 * that install.
 */
export function bearerScope(token: string, credentialed: Credentialed): Soon<Scope> {
  if (isInstallToken(token)) return installTokenScope(token, credentialed)
  const { frame, kind, op } = credentialed
  return goOn(findToken(frame.ctx, token), (found): Soon<Scope> => {
    if (!found) return deadToken(frame.ctx, 'api', token).then((refusal) => Promise.reject(refusal))
    if (kind === 'root' && op.caller === 'token') return ownScope(found, credentialed)
    if (!OPENED.includes(kind)) throw outOfPlace(found)
    const { product_id: productId } = found
    return productId === null
      ? accountScope(found, credentialed)
      : productScope(found, productId, credentialed)
  })
}

/** Of a token that asks what it is itself, and reaches nothing but its own row. */
const ownScope = (found: Found, { request }: Credentialed): Scope => ({
  kind: 'root',
  developerId: found.developer_id,
  productId: found.product_id ?? 0,
  userId: null,
  installId: null,
  actor: { kind: 'token', id: found.id, credential: credentialOf(found.id) },
  ip: request.ip,
  requestId: request.id,
})

type Found = Awaited<ReturnType<typeof findApiToken>>[number]

function productScope(
  { id, developer_id: developerId }: Found,
  productId: number,
  { kind, ids, request }: Credentialed,
): Scope {
  if (kind !== 'product' || String(productId) !== ids.product_id) throw outOfPlace({ product_id: productId })
  return {
    kind,
    developerId,
    productId,
    userId: null,
    installId: null,
    actor: { kind: 'token', id, credential: credentialOf(id) },
    ip: request.ip,
    requestId: request.id,
  }
}

/** Who is narrowed to products reaches no other one, and nothing of the account but what goes over its products. */
async function accountScope(found: Found, credentialed: Credentialed): Promise<Scope> {
  const { kind, ids, op } = credentialed
  const { developer_id: developerId } = found
  if (kind === 'product' || String(developerId) !== ids.developer_id) throw outOfPlace(found)
  const actor = actorOf(found)
  const product = await ownedProduct(credentialed, { developerId })
  if (actor.productIds) {
    if (kind === 'developer' && !actor.productIds.includes(product.id))
      throw unauthorized('token_wrong_product', OTHER_PRODUCTS)
    if (!(op.isForNarrowed ?? kind === 'developer')) throw unauthorized('token_not_allowed', ONLY_SOME)
  }
  return scopeFor(credentialed, { product, actor })
}

/** Who has all products of an account acts as the account; who has some, as a token of each. */
function actorOf({ id, developer_id: developerId, product_ids: some, rights: text }: Found): Actor {
  const rights = rightsIn(text)
  const limits = { credential: credentialOf(id), ...(rights && { rights }) }
  return some === null
    ? { kind: 'developer', id: developerId, ...limits }
    : { kind: 'token', id, ...limits, productIds: parseIdList(some) ?? [] }
}

const credentialOf = (id: number) => `token:${id}`

/** The token's row while it opens anything. */
export const findToken = (ctx: Credentialed['frame']['ctx'], token: string) =>
  goOn(findApiToken(ctx.db, { hash: hashToken(token), now: ctx.clock.now() }), ([found]) => found)
