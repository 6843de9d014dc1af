import { SEALED, type Keyring } from '../lib/keyring.ts'
import type { Database } from './database.ts'

const BATCH = 200

/**
 * Seals addresses of listeners that stand in clear, as an earlier version has left them; a migration has no secret. A
 * value that changes meanwhile is left to who changed it.
 */
export async function sealClear(database: Database, keys: Keyring): Promise<void> {
  const clear = () =>
    database.reader
      .selectFrom('webhooks')
      .select(['id', 'url'])
      .where('url', 'not like', `${SEALED}%`)
      .limit(BATCH)
      .execute()
  for (let rows = await clear(); rows.length > 0; rows = await clear()) {
    await database.transaction(async (db) => {
      for (const { id, url } of rows) {
        const sealed = keys.seal(url, 'webhooks.url')
        await db
          .updateTable('webhooks')
          .set({ url: sealed })
          .where('id', '=', id)
          .where('url', '=', url)
          .execute()
      }
    })
  }
}
