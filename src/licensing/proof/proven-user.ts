import { hash } from 'node:crypto'
import type { ReadContext, TxContext } from '../../context.ts'
import type { Reach } from '../../db/tables/user-keys.ts'
import { hashToken, sameText } from '../../lib/credentials.ts'
import { unauthorized } from '../../lib/errors.ts'
import { MINUTE, SECOND, toUtcTime } from '../../lib/time.ts'
import { oldestKeysOf, siteKeysOf, wholeKeysOf, type ClientProduct } from '../opt-in/consent-rows.ts'
import { useProof } from '../activation/pending-rows.ts'

/** How old a proof may be, either way. */
const PROOF_MS = 15 * MINUTE
const PURPOSE = 'install_with_existing_user'

export interface Proof {
  readonly s_ctx_type?: string
  readonly s_ctx_id?: number
  /** Unix seconds. */
  readonly s_ctx_ts?: string
  readonly s_ctx_secure?: string
  readonly site_uid?: string
  readonly sites: readonly { readonly uid: string }[]
}

type Keys = Awaited<ReturnType<typeof wholeKeysOf>>[number]

/** A user with the pair whose keys its client has. */
export interface ProvenUser {
  readonly userId: number
  readonly reach: Reach
  /** Null: the one that the seller is shown. */
  readonly pairId: number | null
  /** The product that is shown it, or whose pair it was handed out for; null: the address was proven, or nothing. */
  readonly within: number | null
}

/**
 * The user that a client proves to act for, by the keys it has for this product or the one that this is an add-on
 * of (`docs/interface.md` 4.2, `docs/decisions.md` 3.1); null when it claims none. 401 for a proof that is wrong, older
 * than 15 minutes, or was used: each works once.
 */
export async function provenUser(
  ctx: TxContext,
  product: ClientProduct,
  { s_ctx_type: type, s_ctx_id: id, s_ctx_ts: ts, s_ctx_secure: given, site_uid: uid, sites }: Proof,
): Promise<ProvenUser | null> {
  if (type !== 'user') return null
  const now = ctx.clock.real()
  if (id === undefined || given === undefined || !isFreshProof(ctx, ts)) throw refused()
  const parent = product.parent_plugin_id === null ? [] : [product.parent_plugin_id]
  const uids = uid === undefined ? sites.map((site) => site.uid) : [uid, ...sites.map((site) => site.uid)]
  const prover = { userId: id, productIds: [product.id, ...parent], uids }
  const isProof = (pair: Keys) => isMadeWith(ctx, pair, { text: `${ts}${id}`, purpose: PURPOSE, given })
  const proven =
    (await wholeKeysOf(ctx.db, prover)).find(isProof) ??
    (await siteKeysOf(ctx.db, prover)).find(isProof) ??
    (await oldestKeysOf(ctx.db, prover)).find(isProof)
  if (!proven || !(await useProof(ctx.db, hashToken(given), toUtcTime(now + 2 * PROOF_MS)))) throw refused()
  return { userId: id, reach: proven.reach, pairId: proven.id, within: proven.proof_product_id }
}

interface Given {
  /** Time and id. */
  readonly text: string
  readonly purpose: string
  readonly given: string
}

function isMadeWith(
  { keys }: Pick<ReadContext, 'keys'>,
  { id, public_key: publicKey, secret_key: sealed }: Keys,
  { text, purpose, given }: Given,
): boolean {
  const secret = keys.open(sealed, id === null ? 'product_users.secret_key' : 'user_keys.secret_key')
  return sameText(hash('md5', `${text}${secret}${publicKey}${purpose}`), given)
}

interface Claim extends Pick<Proof, 's_ctx_ts' | 's_ctx_secure'> {
  readonly s_ctx_type?: string
  readonly s_ctx_id?: string
}

/**
 * The user that a page proves to be shown to, by keys of the product, or of the one that this is an add-on of, which
 * reach the whole of the user: `s_ctx_secure` is made as for the opt-in, with the word of what the page is for. Undefined
 * without a proof, with a wrong one or one older than 15 minutes: such a page is for everybody.
 */
export async function provenVisitor(
  ctx: ReadContext,
  product: Pick<ClientProduct, 'id' | 'parent_plugin_id'>,
  { s_ctx_type: type, s_ctx_id: id = '', s_ctx_ts: ts, s_ctx_secure: given }: Claim,
  purpose: 'checkout',
): Promise<number | undefined> {
  if (type !== 'user' || given === undefined || !/^\d{1,15}$/.test(id) || !isFreshProof(ctx, ts))
    return undefined
  const parent = product.parent_plugin_id === null ? [] : [product.parent_plugin_id]
  const userId = Number(id)
  const pairs = await wholeKeysOf(ctx.db, { userId, productIds: [product.id, ...parent], uids: [] })
  return pairs.some((pair) => isMadeWith(ctx, pair, { text: `${ts}${userId}`, purpose, given }))
    ? userId
    : undefined
}

/** Whether a proof was made at most 15 minutes ago; `ts` in Unix seconds. */
export const isFreshProof = ({ clock }: Pick<ReadContext, 'clock'>, ts = ''): boolean =>
  /^\d{1,12}$/.test(ts) && Math.abs(clock.real() - Number(ts) * SECOND) <= PROOF_MS

const refused = () =>
  unauthorized('unauthorized_access', 'The proof of the user is wrong, too old, or was used already.')
