// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { addressOf, openPlace } from '../../test/command-line.ts'
import { testEngine } from '../../test/database.ts'

test('two servers that start at once on an empty database both come up', async (t) => {
  const place = await openPlace(t, 'serve-twice')
  if (testEngine() === 'postgres') {
    await place.database.transaction(async (db) => {
      await sql`drop schema public cascade`.execute(db)
      await sql`create schema public`.execute(db)
    })
  }
  const servers = await Promise.all([place.start(['serve', '--demo']), place.start(['serve', '--demo'])])
  for (const server of servers) {
    const response = await fetch(`${addressOf(server)}/v1/ping.json`)
    assert.equal(response.status, 200)
  }
  const { users } = await place.database.reader
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('users'))
    .executeTakeFirstOrThrow()
  assert.equal(users, 50)
  const ends = await Promise.all(servers.map((server) => server.stop()))
  assert.deepEqual(
    ends.map(({ code }) => code),
    [0, 0],
  )
})
