import type { ReadContext } from '../context.ts'
import { hashToken } from '../lib/credentials.ts'
import { unauthorized } from '../lib/errors.ts'
import { deadToken, ONLY_ACCOUNT } from './refused-token.ts'
import type { Role } from '../access/roles.ts'
import type { Credentialed } from './authenticate.ts'
import { findAccessToken, findProductsOfUser } from '../access/credential-rows.ts'
import { familyProduct } from './family-product.ts'
import { ownedProduct, scopeFor } from './owned-product.ts'
import type { Actor, Scope } from '../access/scope.ts'

const ONLY_USER = 'An access token has the right to paths below /users/{user_id} of its user only.'

type Found = NonNullable<Awaited<ReturnType<typeof findAccessToken>>[number]>
export type UserToken = Found & { readonly user_id: number }

const isOfUser = (found: Found): found is UserToken => found.user_id !== null

/** The access token of a user with this hash; undefined: there is none, or it is over. */
export async function findUserToken(
  { db, clock }: ReadContext,
  hash: string,
): Promise<UserToken | undefined> {
  const [found] = await findAccessToken(db, { hash, now: clock.now() })
  return found && isOfUser(found) ? found : undefined
}

/** An access token of a developer or a user (`FSA`), each in its own scope only (`docs/decisions.md` 3.6). */
export async function accessTokenScope(
  { id, token }: { readonly id: string; readonly token: string },
  credentialed: Credentialed,
): Promise<Scope> {
  const { frame, kind, ids } = credentialed
  const { ctx } = frame
  const now = ctx.clock.now()
  const [found] = await findAccessToken(ctx.db, { hash: hashToken(token), now })
  if (!found) throw await deadToken(ctx, 'access', token)
  const credential = `FSA:${found.id}`
  if (!isOfUser(found)) return developerScope({ ...found, credential }, id, credentialed)
  const isOfViewer = found.person_id !== null
  if (isOfViewer || kind !== 'user' || !same(found.user_id, id, ids.user_id))
    throw unauthorized('token_wrong_path', ONLY_USER)
  return userScope(found, { credential, ...(found.is_portal && { isInPortal: true }) }, credentialed)
}

/** What a token opens to its user: all products of the seller, or one with its add-ons and bundles. */
export async function userScope(
  found: UserToken,
  by: Pick<Actor, 'credential' | 'portalId' | 'isInPortal' | 'isFramed'>,
  credentialed: Credentialed,
): Promise<Scope> {
  const { frame, ids } = credentialed
  const products = await findProductsOfUser(frame.ctx.db, { userId: found.user_id })
  const product = products.find(({ product_id: productId }) =>
    found.product_id === null
      ? ids.product_id === undefined || String(productId) === ids.product_id
      : productId === found.product_id,
  )
  if (!product) throw unauthorized()
  const within = found.product_id ?? undefined
  const own = { id: product.product_id, developerId: product.developer_id, within }
  const actor = { kind: 'user', id: found.user_id, ...by } as const
  return scopeFor(credentialed, {
    product: await familyProduct(credentialed, own),
    actor: found.product_id === null ? { ...actor, isPerson: true } : actor,
  })
}

interface DeveloperToken {
  readonly developer_id: number
  readonly person_id: number | null
  readonly role: Role | null
  readonly can_refund: boolean | null
  readonly credential: string
}

/** A token that a person took may do what that person may do now; one taken with the account's keys everything. */
async function developerScope(token: DeveloperToken, id: string, credentialed: Credentialed): Promise<Scope> {
  const { kind, ids } = credentialed
  const { developer_id: developerId, person_id: personId, credential } = token
  const isInPlace = kind === 'developer' || kind === 'account'
  if (!isInPlace || !same(developerId, id, ids.developer_id))
    throw unauthorized('token_wrong_path', ONLY_ACCOUNT)
  const role = personId === developerId ? 'admin' : token.role
  if (personId !== null && !role) throw unauthorized()
  const product = await ownedProduct(credentialed, { developerId })
  const actor = { kind: 'developer', id: personId ?? developerId, credential } as const
  const canRefund = token.can_refund === true
  return scopeFor(credentialed, { product, actor: role ? { ...actor, role, canRefund } : actor })
}

const same = (id: number, ...texts: (string | undefined)[]) => texts.every((text) => text === String(id))
