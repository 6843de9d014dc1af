import type { Reader, Writer } from '../../db/database.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

/** Whether mail about a purchase of the product has a link into the portal. */
export async function wantsLoginLink(db: Reader, owner: Owner): Promise<boolean> {
  const found = await scoped(db, 'products', owner)
    .select()
    .select('products.enable_after_purchase_email_login_link')
    .executeTakeFirst()
  return found?.enable_after_purchase_email_login_link === true
}

interface Use {
  readonly linkHash: string
  readonly now: UtcTime
  /** Until when it works again, where this is its first use. */
  readonly againUntil: UtcTime
  /** When it would end unused, until which its use is remembered. */
  readonly expires: UtcTime
}

/** Uses a link that is for once; false when it was used and does not work again. One statement, so that one is first. */
export async function usePortalLink(
  db: Writer,
  { linkHash, now, againUntil, expires }: Use,
): Promise<boolean> {
  const used = await db
    .insertInto('used_proofs')
    .values({ proof_hash: linkHash, expires_at: expires, again_until: againUntil })
    .onConflict((conflict) =>
      conflict
        .column('proof_hash')
        .doUpdateSet({ expires_at: expires })
        .where('used_proofs.again_until', '>', now),
    )
    .returning('proof_hash')
    .executeTakeFirst()
  return used !== undefined
}

/** Whether a link that is for once was used and does not work again. */
export async function isPortalLinkOver(db: Reader, linkHash: string, now: UtcTime): Promise<boolean> {
  const found = await unscoped(db, 'a link that the server has signed')
    .selectFrom('used_proofs')
    .select('proof_hash')
    .where('proof_hash', '=', linkHash)
    .where('again_until', '<=', now)
    .executeTakeFirst()
  return found !== undefined
}
