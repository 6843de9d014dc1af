import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { connect } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { createTestDatabase, testEngine } from './database.ts'

test('a test database is on the engine under test, migrated, and nobody else sees what is written', async () => {
  const first = await createTestDatabase('own')
  const second = await createTestDatabase('own')
  assert.equal(first.database.engine, testEngine())
  assert.equal(await migrate(first.database), 0)
  await first.database.transaction((db) => sql`create table only_here (id integer)`.execute(db))
  await assert.rejects(second.database.transaction((db) => sql`select * from only_here`.execute(db)))
  await first.drop()
  await second.drop()
})

test('the options of a test database open the same database once more', async () => {
  const { database, options, drop } = await createTestDatabase('twice')
  await database.transaction((db) => sql`create table seen (id integer)`.execute(db))
  const other = connect(options)
  await other.transaction((db) => sql`insert into seen (id) values (1)`.execute(db))
  await other.close()
  await drop()
})

test('every statement of a transaction passes the statement hook', async () => {
  const statements: string[] = []
  const { database, drop } = await createTestDatabase('hook', {
    onStatement: (statement) => void statements.push(statement),
  })
  await database.transaction((db) => sql`select 1 as one`.execute(db))
  assert.deepEqual(
    statements.filter((statement) => statement === 'select 1 as one'),
    ['select 1 as one'],
  )
  await drop()
})

test('a dropped test database is gone', async () => {
  const { options, drop } = await createTestDatabase('gone')
  await drop()
  await assert.rejects(async () => {
    const database = connect(options)
    try {
      await database.transaction((db) => sql`select 1`.execute(db))
    } finally {
      await database.close()
    }
  })
})
