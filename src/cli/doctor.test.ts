// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { once as event } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openPlace, type Place } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'
import { testEngine } from '../../test/database.ts'
import { doctor } from '../../test/doctor.ts'

test('a server in order is ok on every line, and its port is known as its own', async (t) => {
  const place = await openDemoPlace(t, 'doctor')
  const server = await place.start(['serve', '--demo'])
  const port = new URL(server.value['address'] ?? '').port
  const { code, checks, bad } = await doctor(place, { PORT: port })
  assert.deepEqual(bad, {})
  assert.equal(code, 0)
  const names = [
    'data folder',
    'disk',
    'secret',
    'port',
    'database',
    'integrity',
    'clock',
    'stored keys',
    'audit log',
    'renewals',
    'charges',
    'gateways',
    'jobs',
    'archives',
  ]
  assert.deepEqual(
    checks.map(({ check }) => check),
    names,
  )
  assert.match(checks.find(({ check }) => check === 'port')?.message ?? '', /Keywright answers/)
  assert.match(
    checks.find(({ check }) => check === 'secret')?.message ?? '',
    /losing it loses the stored keys/,
  )
  const spoken = await place.run(['doctor'], { env: { PORT: port } })
  assert.equal(spoken.stdout.trim().split('\n').length, names.length)
  await server.stop()
})

test('a changed audit row, a clock that went back and a taken port are found, each with what to do', async (t) => {
  const place = await openDemoPlace(t, 'doctor-faults')
  const server = await place.start(['serve', '--demo'])
  await untilChained(place)
  await server.stop()
  await place.database.transaction(async (db) => {
    const table = testEngine() === 'postgres' ? sql` on audit_log` : sql``
    await sql`drop trigger audit_log_no_update${table}`.execute(db)
    await db.updateTable('audit_log').set({ details: '{"token":2}' }).where('seq', '=', 1).execute()
    await sql`insert into audit_log (at, action, actor_kind, actor_id, credential, details)
      values (${Date.now() + 3_600_000}, 'later', 'system', 0, 'cli', '{}')`.execute(db)
  })
  const other = createServer((socket) => socket.end('what?')).listen(0, '127.0.0.1')
  await event(other, 'listening')
  const { code, checks, bad } = await doctor(place, { PORT: String((other.address() as AddressInfo).port) })
  other.close()
  assert.equal(code, 1)
  assert.deepEqual(bad, { port: 'fail', clock: 'fail', 'audit log': 'fail' })
  assert.ok(checks.every(({ status, fix }) => (status === 'ok') === (fix === null)))
})

async function untilChained({ database }: Place): Promise<void> {
  const chained = () =>
    database.reader.selectFrom('audit_log').select('id').where('hash', 'is not', null).executeTakeFirst()
  while (!(await chained())) await sleep(50)
}

test('another secret than the one that sealed the keys is found', async (t) => {
  const place = await openDemoPlace(t, 'doctor-secret')
  const { code, bad } = await doctor(place, {
    KEYWRIGHT_SECRET: 'another secret that is long enough to be one',
  })
  assert.equal(code, 1)
  assert.deepEqual(bad, { 'stored keys': 'fail' })
})

test('a database of a later version is found, and one that does not answer', async (t) => {
  const place = await openPlace(t, 'doctor-version')
  await place.ask(['migrate'])
  await place.database.transaction((db) => sql`update schema_version set version = 999`.execute(db))
  assert.deepEqual((await doctor(place)).bad, { database: 'fail' })
  const env = { DATABASE_URL: 'postgres://127.0.0.1:9/none', KEYWRIGHT_SECRET: 'x'.repeat(32) }
  assert.equal((await doctor(place, env)).bad['database'], 'fail')
})
