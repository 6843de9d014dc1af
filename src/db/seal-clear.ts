import { sql } from 'kysely'
import { isSealed, SEALED, type Keyring } from '../lib/keyring.ts'
import type { Database, Reader } from './database.ts'

const BATCH = 200

/**
 * Seals what stands in clear, as an earlier version has left it or writes it still: addresses of listeners, and what they
 * have answered; a migration has no secret. A value that changes meanwhile is left to who changed it.
 */
export async function sealClear(database: Database, keys: Keyring): Promise<void> {
  await sealAddresses(database, keys)
  await sealAnswers(database, keys)
}

async function sealAddresses(database: Database, keys: Keyring): Promise<void> {
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

/** Answers that nobody has judged, some of them. The condition stands as its index has it. */
export const answersToJudge = (db: Reader) =>
  db
    .selectFrom('delivery_attempts')
    .select(['id', 'answer'])
    .where(sql<boolean>`is_sealed = 0 and answer is not null`)
    .orderBy('id')
    .limit(BATCH)
    .$narrowType<{ answer: string }>()

/** An answer may begin as what is sealed does, so each is judged by its whole form. */
async function sealAnswers(database: Database, keys: Keyring): Promise<void> {
  const toJudge = () => answersToJudge(database.reader).execute()
  for (let rows = await toJudge(); rows.length > 0; rows = await toJudge()) {
    await database.transaction(async (db) => {
      for (const { id, answer } of rows) {
        const sealed = isSealed(answer) ? answer : keys.seal(answer, 'delivery_attempts.answer')
        await db
          .updateTable('delivery_attempts')
          .set({ answer: sealed, is_sealed: true })
          .where('id', '=', id)
          .where('answer', '=', answer)
          .execute()
      }
    })
  }
}
