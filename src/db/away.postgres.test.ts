// Runs beside others.
import assert from 'node:assert/strict'
import { test, type TestContext as T } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { testContext } from '../../test/app.ts'
import { openCable } from '../../test/cable.ts'
import { createSeller } from '../../test/factories.ts'
import { startPostgres } from '../../test/postgres.ts'
import { transaction } from '../context.ts'
import { startServer } from '../start.ts'
import { connect } from './connect.ts'

/**
 * A server whose database is behind such a cable; `beforeStatement` is called before each of its statements. `wait`
 * null: as long as servers wait.
 */
async function startBehindCable(t: T, name: string, wait: number | null = 1_000) {
  const { ctx, databaseOptions, drop } = await testContext(name)
  assert.ok('url' in databaseOptions)
  const seller = await transaction(ctx, (tx) => createSeller(tx))
  const cable = await openCable(databaseOptions.url)
  const hook: { beforeStatement: (statement: string) => void } = { beforeStatement: () => {} }
  const database = connect({
    ...databaseOptions,
    url: cable.url,
    poolSize: 2,
    ...(wait !== null && { waitMs: wait }),
    onStatement: (statement) => hook.beforeStatement(statement),
  })
  const running = await startServer({ ...ctx, database, db: database.reader })
  t.after(async () => {
    await running.stop()
    await database.close()
    await cable.pull()
    await drop()
  })
  const url = `${running.address}/v1/products/${seller.product.id}/users.json`
  const headers = { authorization: `Bearer ${seller.product.token}`, 'content-type': 'application/json' }
  const read = () => fetch(url, { headers })
  const write = (email: string, more: Record<string, string> = {}) => {
    const body = JSON.stringify({ email, name: 'Some One' })
    return fetch(url, { method: 'POST', headers: { ...headers, ...more }, body })
  }
  return { ctx, database, own: databaseOptions, cable, hook, read, write }
}

async function isAway(response: Response): Promise<void> {
  const text = await response.text()
  assert.equal(response.status, 503, text)
  const { error } = JSON.parse(text)
  assert.deepEqual([error.code, error.type], ['maintenance_mode', 'MaintenanceMode'])
  assert.equal(response.headers.get('retry-after'), '1')
  assert.doesNotMatch(text, /127\.0\.0\.1|ECONN|terminat|pool|postgres/i)
}

async function isServed(response: Response): Promise<void> {
  assert.equal(response.status, 200, await response.text())
}

test('while the database is unreachable every call is 503 with Retry-After, and served once it is back', async (t) => {
  const { cable, read, write } = await startBehindCable(t, 'unreachable')
  await isServed(await write('before@example.com'))
  await cable.pull()
  for (const answer of [await read(), await write('during@example.com'), await read()]) await isAway(answer)
  await cable.plug()
  await isServed(await read())
  await isServed(await write('after@example.com'))
})

test('a connection that is cut in any statement of a write is 503, and what was not committed is not there', async (t) => {
  const { ctx, cable, hook, write } = await startBehindCable(t, 'cut')
  const statements: string[] = []
  hook.beforeStatement = (statement) => void statements.push(statement)
  await isServed(await write('whole@example.com'))
  hook.beforeStatement = () => {}
  const commit = statements.indexOf('commit')
  assert.ok(commit > 5, statements.join('\n'))
  for (let at = 0; at <= commit; at++) {
    let count = 0
    hook.beforeStatement = () => {
      if (count++ === at) cable.cut()
    }
    await isAway(await write(`cut${at}@example.com`))
  }
  hook.beforeStatement = () => {}
  const users = await ctx.db.selectFrom('users').select('email').execute()
  assert.deepEqual(
    users.map(({ email }) => email),
    ['whole@example.com'],
  )
})

test('a call that gets no connection of the pool in time is 503', async (t) => {
  const { database, read, write } = await startBehindCable(t, 'exhausted')
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const free = Promise.withResolvers<void>()
  const held = begun.map((own) => database.transaction(() => (own.resolve(), free.promise)))
  await Promise.all(begun.map(({ promise }) => promise))
  for (const answer of await Promise.all([read(), write('waits@example.com')])) await isAway(answer)
  free.resolve()
  await Promise.all(held)
  await isServed(await read())
})

test('a call that is under way or comes while the database is frozen is 503, and served once it thaws', async (t) => {
  const { cable, read, write } = await startBehindCable(t, 'frozen')
  await isServed(await write('before@example.com'))
  cable.freeze()
  const key = { 'idempotency-key': 'frozen' }
  const during = await Promise.all([
    read(),
    read(),
    write('during@example.com'),
    write('key@example.com', key),
    read(),
  ])
  for (const answer of during) await isAway(answer)
  await isAway(await read())
  cable.thaw()
  await isServed(await read())
  await isServed(await write('after@example.com'))
})

test('with the wait that servers have, a call is answered within seconds while the database is frozen, and soon after', async (t) => {
  const { cable, read, write } = await startBehindCable(t, 'frozen_as_served', null)
  await isServed(await write('before@example.com'))
  cable.freeze()
  const begun = performance.now()
  const told = async (call: Promise<Response>) => {
    await isAway(await call)
    return performance.now() - begun
  }
  const key = { 'idempotency-key': 'frozen' }
  const calls = () => [read(), write('during@example.com'), write('key@example.com', key)]
  const waits = await Promise.all([...calls(), ...calls()].map(told))
  // 5 s, and what a busy machine adds.
  assert.ok(Math.max(...waits) < 8_000, `answered after ${waits.join(', ')} ms`)
  const thawed = performance.now()
  cable.thaw()
  await isServed(await read())
  await isServed(await write('after@example.com'))
  const back = performance.now() - thawed
  assert.ok(back < 4_000, `served after ${back} ms`)
})

test('a frozen connection that was in a transaction gives the key of its call free', async (t) => {
  const { cable, hook, write } = await startBehindCable(t, 'frozen_key')
  const key = { 'idempotency-key': 'frozen' }
  hook.beforeStatement = (statement) => {
    if (statement.includes('insert into "users"')) cable.freeze()
  }
  await isAway(await write('key@example.com', key))
  hook.beforeStatement = () => {}
  cable.thaw()
  for (let answer = await write('key@example.com', key); ; answer = await write('key@example.com', key)) {
    if (answer.status === 200) break
    assert.equal(answer.status, 409)
    await sleep(20)
  }
})

test('a statement that takes long on a server that lives is waited for', async (t) => {
  const { database } = await startBehindCable(t, 'long')
  const slept = await database.transaction((db) =>
    sql<{ n: number }>`select 7 as n from pg_sleep(2)`.execute(db),
  )
  assert.deepEqual(slept.rows, [{ n: 7 }])
})

test('connections to a server that another one has replaced without a word are not waited for', async (t) => {
  const { cable, read, own } = await startBehindCable(t, 'replaced')
  for (const answer of await Promise.all([read(), read()])) await isServed(answer)
  const other = await startPostgres()
  t.after(() => other.stop())
  const name = new URL(cable.url).pathname.slice(1)
  const admin = connect({ engine: 'postgres', url: other.url, poolSize: 1, namedStatements: false })
  await sql`create database ${sql.id(name)}`.execute(admin.reader as Kysely<unknown>)
  await admin.close()
  cable.lead(other.url)
  try {
    // One connection may be with the audit log; then a call meets the other server sooner.
    const during = await Promise.all([read(), read()])
    const away = during.find(({ status }) => status === 503)
    assert.ok(away)
    await isAway(away)
    // No second server of the same data: what answers is that it has none of it, and no longer nobody.
    const { status } = await read()
    assert.equal(status, 500)
  } finally {
    // What waits for the audit log is written as the server stops.
    cable.lead(own.url)
    cable.cut()
    while ((await read()).status !== 200) await sleep(20)
  }
})

for (const [name, code] of [
  ['serialization failures', '40001'],
  ['deadlocks', '40P01'],
  ['an operator who shuts the server down', '57P01'],
  ['no room for another connection', '53300'],
  ['a server that only reads, as after a fail-over', '25006'],
] as const) {
  test(`a write that only meets ${name} is 503`, async (t) => {
    const { ctx, write } = await startBehindCable(t, `fails_${code}`)
    await ctx.database.transaction(async (db) => {
      await sql`create function refuse() returns trigger language plpgsql as ${sql.raw(`$$
        begin raise exception 'not now' using errcode = '${code}'; end $$`)}`.execute(db)
      await sql`create trigger refuse before insert on users execute function refuse()`.execute(db)
    })
    await isAway(await write('never@example.com'))
  })
}
