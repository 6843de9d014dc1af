import type { TxContext } from '../../context.ts'
import { hashToken, newBearerToken } from '../../lib/credentials.ts'
import { type UtcTime } from '../../lib/time.ts'
import { insertApiToken } from '../developers/developer-rows.ts'

export interface NewApiToken {
  readonly productId: number
  readonly name: string
  readonly expiresAt: UtcTime | null
}

export interface IssuedApiToken {
  readonly id: number
  /** Shown once; only its hash is kept. */
  readonly token: string
}

/** Issues a bearer token that opens one product (`docs/decisions.md` 3.3). */
export async function issueApiToken(ctx: TxContext, input: NewApiToken): Promise<IssuedApiToken> {
  const token = newBearerToken()
  const { id } = await insertApiToken(ctx.db, {
    product_id: input.productId,
    name: input.name,
    token_hash: hashToken(token),
    hint: token.slice(-4),
    created: ctx.clock.now(),
    expires_at: input.expiresAt,
    revoked_at: null,
    last_used_at: null,
  })
  return { id, token }
}
