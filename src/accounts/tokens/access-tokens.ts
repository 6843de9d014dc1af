import type { TxContext } from '../../context.ts'
import { hashToken, newOpaqueToken } from '../../lib/credentials.ts'
import { DAY, fromUtcTime, toUtcTime } from '../../lib/time.ts'
import { insertAccessToken } from '../developers/developer-rows.ts'

const GOOD_FOR_MS = DAY

export interface AccessToken {
  readonly access: string
  /** Unix seconds. */
  readonly expires: number
  /** Deprecated in the contract: there is no refreshing. */
  readonly refresh: null
}

/** Issues a token for `Authorization: FSA`, shown once (`docs/decisions.md` 3.6); `lastsMs`: 24 hours by default. */
export async function issueAccessToken(
  ctx: TxContext,
  owner: {
    readonly developerId: number
    readonly userId: number | null
    /**
     * The person of the account who takes it and whose role it keeps; null: the account itself. With a user: the person
     * looks at the portal as that user.
     */
    readonly personId?: number | null
    /** The only product that it opens to a user; null: all of its seller's. */
    readonly productId?: number | null
    /** Whether it does what the portal does, and no more. */
    readonly isPortal?: true
  },
  lastsMs = GOOD_FOR_MS,
): Promise<AccessToken> {
  const access = newOpaqueToken()
  const now = ctx.clock.real()
  const expires = toUtcTime(now + lastsMs)
  await insertAccessToken(ctx.db, {
    developer_id: owner.developerId,
    user_id: owner.userId,
    person_id: owner.personId ?? null,
    product_id: owner.productId ?? null,
    is_portal: owner.isPortal === true,
    token_hash: hashToken(access),
    created: toUtcTime(now),
    expires_at: expires,
  })
  return { access, expires: fromUtcTime(expires) / 1000, refresh: null }
}
