import type { ReadContext, TxContext } from '../../context.ts'
import { productsOfAccount } from '../../access/credential-rows.ts'
import { includesAccess, lackingRight, parseRights } from '../../access/rights.ts'
import { partsOf, type Access } from '../../access/roles.ts'
import { requireUnlimited, type Scope } from '../../access/scope.ts'
import { invalidFields, notFound, unauthorized } from '../../lib/errors.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { DAY, toUtcTime, type UtcTime } from '../../lib/time.ts'
import {
  findToken,
  listOwnTokens,
  listTokensOfAccount,
  revokeOwnToken,
  revokeTokenOfAccount,
} from './api-token-queries.ts'
import { holdToken } from './api-token-rows.ts'
import {
  type ApiToken,
  type IssuedToken,
  type NewApiToken,
  type NewDeveloperToken,
  type OwnToken,
  presentApiToken,
} from './api-token-schema.ts'
import { issueApiToken } from './api-tokens.ts'
import { revokeWhatItMade } from './revoke-token.ts'

interface Page {
  readonly count: number
  readonly offset: number
}

export const getApiTokens = async ({ db }: ReadContext, scope: Scope, page: Page): Promise<ApiToken[]> =>
  (await listOwnTokens(db, scope, page)).map(presentApiToken)

/** The tokens of an account, and those of its products. */
export const getTokensOfAccount = async (
  { db }: ReadContext,
  { developerId }: Scope,
  page: Page,
): Promise<ApiToken[]> => (await listTokensOfAccount(db, developerId, page)).map(presentApiToken)

/** The token that calls. */
export const getOwnToken = async ({ db }: ReadContext, { actor, developerId }: Scope): Promise<OwnToken> => ({
  ...presentApiToken(await findToken(db, actor.id)),
  developer_id: String(developerId),
})

/**
 * Issues a bearer token of the scope's product; it is shown once (`docs/decisions.md` 3.3). 401 `token_not_allowed` by a
 * token of some rights, as that of a product has all.
 */
export async function createApiToken(ctx: TxContext, scope: Scope, input: NewApiToken): Promise<IssuedToken> {
  requireUnlimited(scope, 'A token of a product')
  const made = await madeBy(ctx, scope, input.expires_in_days)
  return shown(ctx, await issueApiToken(ctx, { productId: scope.productId, name: input.name, ...made }))
}

/**
 * Issues a bearer token of the account, of all products and rights or of those that are named; it is shown once. 401
 * `token_not_allowed` by a token for more rights or a longer life than its own; 400 for a product of somebody else.
 */
export async function createDeveloperToken(
  ctx: TxContext,
  scope: Scope,
  input: NewDeveloperToken,
): Promise<IssuedToken> {
  const rights = input.rights === undefined ? null : parseRights(input.rights)
  requireNoMore(scope, rights)
  const productIds = input.product_ids === undefined ? null : parseIdList(input.product_ids)
  await requireOwn(ctx, scope, productIds)
  const made = await madeBy(ctx, scope, input.expires_in_days)
  const { developerId } = scope
  return shown(ctx, await issueApiToken(ctx, { developerId, productIds, rights, name: input.name, ...made }))
}

/** Revokes a token and what it made, at once; 404 when the product has no such token, or it was revoked before. */
export async function endApiToken(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  if (!(await revokeOwnToken(ctx.db, scope, id, ctx.clock.now()))) throw notFound('token')
  await revokeWhatItMade(ctx, id)
}

/** Revokes a token of the account or of any product of it, as `endApiToken` does one of a product. */
export async function endTokenOfAccount(ctx: TxContext, { developerId }: Scope, id: number): Promise<void> {
  if (!(await revokeTokenOfAccount(ctx.db, developerId, id, ctx.clock.now()))) throw notFound('token')
  await revokeWhatItMade(ctx, id)
}

async function shown(ctx: TxContext, { id, token }: { readonly id: number; readonly token: string }) {
  return { ...presentApiToken(await findToken(ctx.db, id)), token }
}

/** A token gives no right that it has not itself; null: all of them. */
function requireNoMore({ actor }: Scope, rights: readonly Access[] | null): void {
  const own = actor.rights
  if (own === undefined) return
  if (rights === null) throw lackingRight(actor, 'give all rights')
  const beyond = rights.find((access) => !includesAccess(own, access))
  if (beyond) throw lackingRight(actor, partsOf(beyond).toReversed().join(' '))
}

async function requireOwn(ctx: ReadContext, scope: Scope, ids: readonly number[] | null): Promise<void> {
  if (ids === null) return
  const own = await productsOfAccount(ctx.db, scope)
  if (ids.length > 0 && ids.every((id) => own.includes(id))) return
  throw invalidFields([{ field: 'product_ids', message: 'must be ids of products of the account' }])
}

/**
 * How long a token lasts, and the token by which it is made: that is held, so that what it makes ends with it, and
 * outlived by nothing.
 */
async function madeBy(
  ctx: TxContext,
  { actor }: Scope,
  days: number | undefined,
): Promise<{ readonly expiresAt: UtcTime | null; readonly madeBy: number | null }> {
  const asked = days === undefined ? null : toUtcTime(ctx.clock.real() + days * DAY)
  const id = /^token:(\d+)$/.exec(actor.credential)?.[1]
  if (id === undefined) return { expiresAt: asked, madeBy: null }
  const maker = await holdToken(ctx.db, Number(id))
  if (!maker || maker.revoked_at !== null)
    throw unauthorized('token_expired', 'The token that makes this one was revoked.')
  const { expires_at: end } = maker
  if (end !== null && asked !== null && asked > end)
    throw unauthorized('token_not_allowed', `A token makes none that outlives it; it ends ${end}.`)
  return { expiresAt: asked ?? end, madeBy: maker.id }
}
