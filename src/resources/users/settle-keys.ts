import { transaction, type Context } from '../../context.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import { findPairsToReplace, moveReach, replacePair } from './settle-keys-queries.ts'

const BATCH = 200

/**
 * Gives each user whose pair may have gone to who proved nothing another one, which only its seller is shown; who has
 * the one before keeps it, with the installs that the user has and the licenses on them in its reach. Done at each
 * start, before requests are taken: what is done already is left out. How many users it gave one.
 */
export async function settleKeys(
  ctx: Parameters<typeof transaction>[0] & Pick<Context, 'database'>,
): Promise<number> {
  let settled = 0
  let found: number
  do {
    found = await transaction(ctx, async (tx) => {
      const pairs = await findPairsToReplace(tx.db, BATCH)
      for (const pair of pairs) {
        const { publicKey, secretKey } = newKeyPair()
        const sealed = tx.keys.seal(secretKey, 'product_users.secret_key')
        if (!(await replacePair(tx.db, pair, { public_key: publicKey, secret_key: sealed }))) continue
        const secret = tx.keys.open(pair.secret_key, 'product_users.secret_key')
        await moveReach(tx.db, { ...pair, secret_key: tx.keys.seal(secret, 'user_keys.secret_key') })
      }
      return pairs.length
    })
    settled += found
  } while (found === BATCH)
  return settled
}
