import type { TestContext } from 'node:test'
import { testContext } from './app.ts'
import { transaction } from '../src/context.ts'
import { Keyring } from '../src/lib/keyring.ts'
import type { StatementHook } from '../src/db/database.ts'
import { placeOf, type SealedColumn } from '../src/db/sealed-columns.ts'

export const OLD = 'an old secret, long enough to be one'

export const NEW = 'a new secret, long enough to be one'

export const COLUMN: SealedColumn = { table: 'events', column: 'data', key: 'id' }

export const isUpdate = (statement: string) => statement.trimStart().startsWith('update')

/** A column of 450 sealed values: more than two batches. */
export async function sealedColumn(t: TestContext, name: string, onStatement?: StatementHook) {
  const { ctx, databaseOptions, drop } = await testContext(name, onStatement ? { onStatement } : {})
  t.after(drop)
  const old = Keyring.of(OLD)
  await transaction(ctx, async ({ db }) => {
    const rows = Array.from({ length: 450 }, (_, index) => ({
      developer_id: 1,
      product_id: null,
      user_id: null,
      install_id: null,
      type: 'user.created',
      data: index % 50 === 7 ? null : old.seal(`text ${index}`, placeOf(COLUMN)),
      event_trigger: 'system' as const,
      state: 'canceled' as const,
      process_time: null,
      created: '2026-01-01 00:00:00' as never,
      updated: null,
    }))
    for (const row of rows) await db.insertInto('events').values(row).execute()
  })
  return { ctx, databaseOptions, old, both: Keyring.of(NEW, [OLD]) }
}
