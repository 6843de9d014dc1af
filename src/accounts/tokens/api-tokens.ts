import type { TxContext } from '../../context.ts'
import { storedRights } from '../../access/rights.ts'
import type { Access } from '../../access/roles.ts'
import { hashToken, newBearerToken } from '../../lib/credentials.ts'
import { type UtcTime } from '../../lib/time.ts'
import { insertApiToken } from '../developers/developer-rows.ts'

interface Issued {
  readonly name: string
  readonly expiresAt: UtcTime | null
  /** The token by which it is made, and with which it ends; absent: none. */
  readonly madeBy?: number | null
}

interface OfProduct extends Issued {
  readonly productId: number
}

/** Of an account; null: all products, all rights. */
interface OfAccount extends Issued {
  readonly developerId: number
  readonly productIds: readonly number[] | null
  readonly rights: readonly Access[] | null
}

export interface IssuedApiToken {
  readonly id: number
  /** Shown once; only its hash is kept. */
  readonly token: string
}

/** Issues a bearer token that opens one product, or an account (`docs/decisions.md` 3.3). */
export async function issueApiToken(ctx: TxContext, input: OfProduct | OfAccount): Promise<IssuedApiToken> {
  const token = newBearerToken()
  const of =
    'productId' in input
      ? { developer_id: null, product_id: input.productId, product_ids: null, rights: null }
      : {
          developer_id: input.developerId,
          product_id: null,
          product_ids: input.productIds?.join(',') ?? null,
          rights: storedRights(input.rights),
        }
  const { id } = await insertApiToken(ctx.db, {
    ...of,
    name: input.name,
    token_hash: hashToken(token),
    hint: token.slice(-4),
    created: ctx.clock.now(),
    expires_at: input.expiresAt,
    revoked_at: null,
    last_used_at: null,
    made_by: input.madeBy ?? null,
  })
  return { id, token }
}
