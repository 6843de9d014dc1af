import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { claim, held } from './claim.ts'
import type { Database } from './database.ts'
import { DAY, HOUR } from '../lib/time.ts'

let opened: TestDatabase
let database: Database
before(async () => {
  opened = await createTestDatabase('claim')
  database = opened.database
})
after(() => opened.drop())
beforeEach(() => database.transaction((db) => db.deleteFrom('jobs').execute()))

const add = (...dueTimes: (number | null)[]) =>
  database.transaction((db) =>
    db
      .insertInto('jobs')
      .values(dueTimes.map((due_at, n) => ({ name: `job ${n}`, due_at, lease_until: 0, fence: 0 })))
      .execute(),
  )
const take = (options: { now: number; limit?: number; id?: number }) =>
  database.transaction((db) =>
    claim(db, 'jobs', { engine: database.engine, leaseMs: 60, withinMs: HOUR, limit: 100, ...options }),
  )
const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).toSorted()

test('only due rows are claimed, and those that are due longest first', async () => {
  await add(30, 10, 20, 31, null)
  assert.deepEqual(namesOf(await take({ now: 30, limit: 2 })), ['job 1', 'job 2'])
  assert.deepEqual(namesOf(await take({ now: 30 })), ['job 0'])
})

test('a claimed row is nobody else’s until its lease has run out, and each claim raises its fence', async () => {
  await add(10)
  const [first] = await take({ now: 10 })
  assert.deepEqual([first?.fence, first?.lease_until], [1, 70])
  assert.deepEqual(await take({ now: 69 }), [])
  const [second] = await take({ now: 70 })
  assert.equal(second?.fence, 2)
})

test('a holder whose claim has passed on changes nothing', async () => {
  await add(10)
  const [old] = await take({ now: 10 })
  const [current] = await take({ now: 70 })
  assert.ok(old && current)
  const change = (row: typeof old, last_error: string) =>
    database.transaction((db) => held(db, 'jobs', row, { last_error }))
  assert.equal(await change(current, 'mine'), true)
  assert.equal(await change(old, 'late'), false)
  const row = await database.reader.selectFrom('jobs').select('last_error').executeTakeFirst()
  assert.equal(row?.last_error, 'mine')
})

test('a claim of one row takes no other', async () => {
  await add(10, 10, 10)
  const rows = await database.reader.selectFrom('jobs').select(['id', 'name']).execute()
  const wanted = rows.find(({ name }) => name === 'job 1')
  assert.deepEqual(namesOf(await take({ now: 10, id: wanted?.id ?? 0 })), ['job 1'])
})

test('a claim never takes more than its limit, also with a plan that was made for an empty table', async () => {
  await database.transaction((db) => sql`analyze jobs`.execute(db))
  for (let run = 0; run < 8; run++) await take({ now: 10, limit: 2 })
  await add(...Array.from({ length: 10 }, () => 10))
  assert.equal((await take({ now: 10, limit: 2 })).length, 2)
})

test('what is due or held farther ahead than it is ever set is claimed, as a clock that was ahead has set it', async () => {
  await add(HOUR, 2 * DAY)
  assert.deepEqual(namesOf(await take({ now: 10 })), ['job 1'])
  assert.deepEqual(await take({ now: 20 }), [])
  await database.transaction((db) =>
    db
      .updateTable('jobs')
      .set({ due_at: 10, lease_until: 2 * DAY })
      .execute(),
  )
  assert.deepEqual(namesOf(await take({ now: 20 })), ['job 0', 'job 1'])
})
