// Runs beside others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openPlace } from '../../test/command-line.ts'
import type { Database, Writer } from '../db/database.ts'
import { takeTurns } from '../db/take-turns.ts'
import { toUtcTime } from '../lib/time.ts'
import { insertDeveloper } from '../accounts/developers/developer-rows.ts'

const PASSWORD = 'nine Welsh owls, asleep'

const bootstrap = ['bootstrap', '--email', 'sam@example.com', '--product', 'My product']

test('of two bootstraps at once the later one waits for the other, and is refused', async (t) => {
  const place = await openPlace(t, 'bootstrap-race')
  await place.ask(['migrate'])
  const { database } = place
  const end = await database.transaction(async (db) => {
    await takeTurns(db, database.engine)
    await insertDeveloper(db, OTHER)
    const { ended } = place.launch([...bootstrap, '--json'], { input: PASSWORD })
    await Promise.race([ended, untilSomebodyWaits(database)])
    return { ended }
  })
  const { code, stderr } = await end.ended
  assert.equal(code, 1)
  assert.equal(JSON.parse(stderr).error.code, 'already_bootstrapped')
})

async function untilSomebodyWaits({ reader }: Database): Promise<void> {
  const waiting = sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted`
  while ((await waiting.execute(reader as Writer)).rows[0]?.waiting === 0) await sleep(20)
}

const OTHER = {
  email: 'first@example.com',
  email_folded: 'first@example.com',
  first: '',
  last: '',
  password_hash: null,
  is_verified: true,
  public_key: 'pk_first',
  secret_key: '',
  created: toUtcTime(0),
  updated: null,
} as const

test('with DATABASE_URL a missing secret stops every start', async (t) => {
  const place = await openPlace(t, 'no-secret')
  const { code, stderr } = await place.run(['serve'], { env: { KEYWRIGHT_SECRET: '' } })
  assert.equal(code, 1)
  assert.match(stderr, /^Error: KEYWRIGHT_SECRET must be set with DATABASE_URL.*\n$/)
})

test('a database that is not there, and a user that is none, are one line that says what helps', async (t) => {
  const place = await openPlace(t, 'no-database')
  const start = async (change: Partial<Record<'pathname' | 'username', string>>) => {
    const url = Object.assign(new URL(place.env['DATABASE_URL'] ?? ''), change)
    return place.run(['migrate'], { env: { DATABASE_URL: url.href } })
  }
  const [none, nobody] = [await start({ pathname: '/nowhere' }), await start({ username: 'nobody_here' })]
  assert.deepEqual([none.code, nobody.code], [1, 1])
  assert.match(none.stderr, /^Error: database "nowhere" does not exist: create it, or .*DATABASE_URL\.\n$/)
  assert.match(
    nobody.stderr,
    /^Error: role "nobody_here" does not exist: look at the user in DATABASE_URL\.\n$/,
  )
})
