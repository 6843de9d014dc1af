import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import { findOwnToken, listOwnTokens, revokeOwnToken } from './api-token-queries.ts'
import { type ApiToken, type IssuedToken, type NewApiToken, presentApiToken } from './api-token-schema.ts'
import { issueApiToken } from './api-tokens.ts'

export const getApiTokens = async (
  { db }: ReadContext,
  scope: Scope,
  page: { readonly count: number; readonly offset: number },
): Promise<ApiToken[]> => (await listOwnTokens(db, scope, page)).map(presentApiToken)

/** Issues a bearer token of the scope's product; it is shown once (`docs/decisions.md` 3.3). */
export async function createApiToken(ctx: TxContext, scope: Scope, input: NewApiToken): Promise<IssuedToken> {
  const { name, expires_in_days: days } = input
  const expiresAt = days === undefined ? null : toUtcTime(ctx.clock.real() + days * DAY)
  const { id, token } = await issueApiToken(ctx, { productId: scope.productId, name, expiresAt })
  const row = await findOwnToken(ctx.db, scope, id)
  if (!row) throw new Error('A token that was issued is there.')
  return { ...presentApiToken(row), token }
}

/** Revokes a token at once; 404 when the product has no such token, or it was revoked before. */
export async function endApiToken(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  if (!(await revokeOwnToken(ctx.db, scope, id, ctx.clock.now()))) throw notFound('token')
}
