import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { anotherProcess, dyingProcess } from '../../../test/dying.ts'
import { userOf } from '../../../test/licenses.ts'
import { runDue } from '../../jobs/worker.ts'
import { claimExport, LEASE_MS, updateExport } from './queries.ts'
import { writeExports } from './write-exports-job.ts'

let app: TestApp
let owner: CallAs
before(async () => {
  app = await startTestApp('export_crash')
  owner = await asDeveloper(app)
  await userOf(app, 'ada@example.com')
  await userOf(app, 'bob@example.com')
})
after(() => app.close())

const ask = async (): Promise<string> =>
  (await owner('POST', '/exports.json', { kind: 'users', columns: 'email' })).json.id

const read = async (id: string) => {
  const { json } = await owner('GET', `/exports/${id}.json`)
  return json
}

async function assertWhole(id: string): Promise<void> {
  const { state, rows, url } = await read(id)
  assert.deepEqual([state, rows], ['done', 2])
  const text = await (await fetch(url.replace(app.ctx.baseUrl, app.address))).text()
  assert.equal(text.replace('\uFEFF', ''), 'email\r\nbob@example.com\r\nada@example.com\r\n')
}

const completed = async (id: string) => {
  const rows = await app.ctx.db
    .selectFrom('events')
    .select('data')
    .where('type', '=', 'export.completed')
    .execute()
  return rows.filter(({ data }) => data?.includes(`"export_id":"${id}"`)).length
}

test('R04: a process that dies at any statement of an export leaves it to another one, which writes it whole, once', async () => {
  for (let n = 1; ; n++) {
    const id = await ask()
    const dying = dyingProcess(app, n)
    await runDue(dying.ctx, [writeExports]).catch(() => {})
    const isOver = !dying.isDead()
    await dying.close()
    app.ctx.clock.advance(LEASE_MS + 1000)
    await runDue(app.ctx, [writeExports])
    await assertWhole(id)
    assert.equal(await completed(id), 1, `dead at statement ${n}`)
    if (isOver) return assert.ok(n > 5, `${n} statements`)
  }
})

test('two workers never both write an export: who holds the lease no longer changes nothing of it', async () => {
  const id = await ask()
  const other = anotherProcess(app)
  const take = (ctx: typeof app.ctx) =>
    ctx.database.transaction((db) => claimExport(db, { engine: ctx.database.engine, now: ctx.clock.real() }))
  const first = (await take(app.ctx)) ?? assert.fail()
  assert.equal(await take(other.ctx), undefined)
  assert.equal((await read(id)).state, 'running')
  app.ctx.clock.advance(LEASE_MS + 1000)
  assert.ok(await take(other.ctx))
  const isHeld = await app.ctx.database.transaction((db) => updateExport(db, first, { state: 'done' }))
  assert.equal(isHeld, false)
  await other.close()
  app.ctx.clock.advance(LEASE_MS + 1000)
  await runDue(app.ctx, [writeExports])
  await assertWhole(id)
})
