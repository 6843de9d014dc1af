import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect } from './connect.ts'
import type { Database, Writer } from './database.ts'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'

let opened: TestDatabase
let database: Database
before(async () => {
  opened = await createTestDatabase('transactions')
  database = opened.database
})
after(() => opened.drop())

const job = (name: string) => ({
  name,
  due_at: null,
  lease_until: 0,
  fence: 0,
  failures: 0,
  last_started_at: null,
  last_finished_at: null,
  last_error: null,
})
const insert = (db: Writer, name: string) => db.insertInto('jobs').values(job(name)).execute()
const names = async () => {
  const rows = await database.reader.selectFrom('jobs').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

test('what a transaction answered is there for every later read', async () => {
  await database.transaction((db) => insert(db, 'seen'))
  assert.ok((await names()).includes('seen'))
})

test('a transaction that throws leaves nothing, and its neighbours stay', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      database.transaction(async (db) => {
        await insert(db, `group-${String(n).padStart(2, '0')}`)
        if (n % 3 === 0) throw new Error('refused')
        return n
      }),
    ),
  )
  const kept = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  assert.deepEqual(kept, [1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19])
  const found = (await names()).filter((name) => name.startsWith('group-'))
  assert.deepEqual(
    found.map((name) => Number(name.slice(6))),
    kept,
  )
})

test('a failed statement undoes the whole transaction', async () => {
  await assert.rejects(
    database.transaction(async (db) => {
      await insert(db, 'first')
      await insert(db, 'seen')
    }),
  )
  assert.ok(!(await names()).includes('first'))
})

test('four hundred increments by two connections at once lose none', async () => {
  const second = connect(opened.options)
  await database.transaction((db) => insert(db, 'counter'))
  const add = (db: Writer) =>
    db
      .updateTable('jobs')
      .set((eb) => ({ fence: eb('fence', '+', 1) }))
      .where('name', '=', 'counter')
      .execute()
  await Promise.all(Array.from({ length: 400 }, (_, n) => (n % 2 === 0 ? database : second).transaction(add)))
  await second.close()
  const [row] = await database.reader
    .selectFrom('jobs')
    .select('fence')
    .where('name', '=', 'counter')
    .execute()
  assert.equal(row?.fence, 400)
})

test('nothing can be written outside a transaction', () => {
  assert.ok(!('insertInto' in ({} as typeof database.reader)))
  // @ts-expect-error -- a Reader has no insertInto
  void database.reader.insertInto
})

test('a long read runs beside the requests and sees what was committed', async () => {
  await database.transaction((db) => insert(db, 'background'))
  const rows = await database.background
    .selectFrom('jobs')
    .select('name')
    .where('name', '=', 'background')
    .execute()
  assert.equal(rows.length, 1)
})

test('close waits for the transactions that were begun', async () => {
  const second = connect(opened.options)
  const writes = Array.from({ length: 10 }, (_, n) => second.transaction((db) => insert(db, `closing-${n}`)))
  const settled = Promise.all(writes)
  await second.close()
  await settled
  assert.equal((await names()).filter((name) => name.startsWith('closing-')).length, 10)
})
