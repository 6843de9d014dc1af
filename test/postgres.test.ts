// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { startPostgres } from './postgres.ts'

test('two servers run side by side, each with its own data', async () => {
  const [first, second] = await Promise.all([startPostgres(), startPostgres()])
  await query(first.url, 'create table only_here (id integer)')
  await assert.rejects(query(second.url, 'select * from only_here'), /does not exist/)
  await Promise.all([first.stop(), second.stop()])
  assert.equal(await answers(first.url), false)
})

test('text sorts by its bytes', async () => {
  const server = await startPostgres()
  const rows = await query(
    server.url,
    "select string_agg(v, ',' order by v) s from (values ('b'), ('B'), ('a')) t(v)",
  )
  assert.deepEqual(rows, [{ s: 'B,a,b' }])
  await server.stop()
})

test('the server ends with the process that started it, even when that is killed', async () => {
  const script = `
    import { startPostgres } from ${JSON.stringify(import.meta.resolve('./postgres.ts'))}
    console.log((await startPostgres()).url)`
  const runner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [chunk] = await once(runner.stdout, 'data')
  const url = String(chunk).trim()
  assert.equal(await answers(url), true)
  runner.kill('SIGKILL')
  await once(runner, 'exit')
  const deadline = performance.now() + 10_000
  while (await answers(url)) {
    assert.ok(performance.now() < deadline, 'the server still answers')
    await wait(20)
  }
})

test('a server that cannot start says why', async () => {
  await assert.rejects(
    startPostgres({ shared_buffers: 'plenty' }),
    /invalid value for parameter "shared_buffers"/,
  )
})

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  // A server that ends meanwhile fails the query and is an event besides, which nobody else hears.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const answers = (url: string) =>
  query(url, 'select 1').then(
    () => true,
    () => false,
  )
