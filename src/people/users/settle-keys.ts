import type { Database } from '../../db/database.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { findPairsToReplace, moveReach, replacePair } from './settle-keys-queries.ts'

const BATCH = 200

/**
 * Gives each user whose pair may have gone to who proved nothing another one, which only its seller is shown; who has
 * the one before keeps it, with the installs that the user has and the licenses on them in its reach. Done at each
 * start, before requests are taken; what is done already is left out.
 */
export async function settleKeys(database: Database, keys: Keyring): Promise<void> {
  // A start that has nothing to write waits for nobody who writes.
  let found = (await findPairsToReplace(database.reader, 1)).length
  while (found > 0) {
    found = await database.transaction(async (db) => {
      const pairs = await findPairsToReplace(db, BATCH)
      for (const pair of pairs) {
        const { publicKey, secretKey } = newKeyPair()
        const sealed = keys.seal(secretKey, 'product_users.secret_key')
        if (!(await replacePair(db, pair, { public_key: publicKey, secret_key: sealed }))) continue
        const secret = keys.open(pair.secret_key, 'product_users.secret_key')
        await moveReach(db, { ...pair, secret_key: keys.seal(secret, 'user_keys.secret_key') })
      }
      return pairs.length
    })
  }
}
