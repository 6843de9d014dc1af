import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createEmptyDatabase } from '../../test/database.ts'
import { literal } from './flags.ts'

test('a flag is 1 or 0 in the database and true or false in code, whether it is written, sought, read or worked out', async (t) => {
  const { database, drop } = await createEmptyDatabase('flags')
  t.after(drop)
  await database.transaction(async (db) => {
    await sql`create table kept (id integer not null, is_active smallint, count integer not null)`.execute(db)
    for (const [id, isActive] of [true, false, null].entries())
      await sql`insert into kept values (${id}, ${isActive}, 1)`.execute(db)
  })
  for (const db of [database.reader, database.background]) {
    const rows = async (where: ReturnType<typeof literal>) =>
      (await sql`select id, is_active, count from kept where ${where} order by id`.execute(db as never)).rows
    const [on, off, unknown] = [
      { id: 0, is_active: true, count: 1 },
      { id: 1, is_active: false, count: 1 },
      { id: 2, is_active: null, count: 1 },
    ]
    assert.deepEqual(await rows(sql`1 = 1`), [on, off, unknown])
    assert.deepEqual(await rows(sql`is_active = ${true}`), [on])
    assert.deepEqual(await rows(sql`is_active = ${literal(false)}`), [off])
    const stored = await sql`select is_active + 0 as stored from kept order by id`.execute(db as never)
    assert.deepEqual(stored.rows, [{ stored: 1 }, { stored: 0 }, { stored: null }])
    const found = await sql`select exists (select 1 from kept) as is_sold`.execute(db as never)
    assert.deepEqual(found.rows, [{ is_sold: true }])
  }
  if (database.engine === 'sqlite')
    await assert.rejects(
      async () => sql`select is_active as wanted from kept`.execute(database.reader as never),
      /flags\.ts does not name wanted/,
    )
})
