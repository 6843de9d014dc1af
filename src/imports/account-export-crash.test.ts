// Runs slowly.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { askForAll, askForAddress, fetchedFrom, filesOf, filesOfCommand } from '../../test/account-exports.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { anotherProcess, dyingProcess } from '../../test/dying.ts'
import { logIn, setPassword, type Login } from '../../test/logins.ts'
import { runDue } from '../jobs/worker.ts'
import { LEASE_MS } from '../lists/exports/queries.ts'
import { writeExports } from '../lists/exports/write-exports-job.ts'

let app: TestApp
let owner: Login
before(async () => {
  app = await startTestApp('account_export_crash', { config: { mode: 'development' } })
  await setPassword(app)
  owner = await logIn(app)
})
after(() => app.close())

const completed = async (id: string) => {
  const rows = await app.ctx.db
    .selectFrom('events')
    .select('data')
    .where('type', '=', 'export.completed')
    .execute()
  return rows.filter(({ data }) => data?.includes(`"export_id":"${id}"`)).length
}

/** By how many statements an export of the account is written, the look for another one among them. */
async function statementsOfOne(): Promise<number> {
  await askForAll(owner)
  let count = 0
  const other = anotherProcess(app, { onStatement: () => void count++ })
  await runDue(other.ctx, [writeExports])
  await other.close()
  return count
}

test('a process that dies at any statement of its own while it writes an account leaves that to another one, which writes all of it, once, and no file with keys is left', async () => {
  const wanted = await filesOfCommand(app, 'jsonl')
  const all = await statementsOfOne()
  assert.ok(all > 10, `${all} statements`)
  // The kinds are read by the same ones.
  const dead = Array.from({ length: all }, (_, n) => n + 1).filter(
    (n) => n < 8 || n % 7 === 0 || n > all - 12,
  )
  for (const n of dead) {
    owner = await logIn(app)
    const { id } = (await askForAll(owner)).json
    const dying = dyingProcess(app, n)
    await runDue(dying.ctx, [writeExports]).catch(() => {})
    await dying.close()
    app.ctx.clock.advance(LEASE_MS + 1000)
    const { state } = (await owner.call('GET', `/exports/${id}.json`)).json
    if (state !== 'done') assert.equal((await askForAll(owner)).status, 400, `it is under way, ${state}`)
    else assert.ok(n > all - 12, `done at statement ${n}`)
    await runDue(app.ctx, [writeExports])
    const { url } = (await askForAddress(owner, id)).json
    const files = await filesOf(Buffer.from(await (await fetchedFrom(app, url)).arrayBuffer()))
    assert.deepEqual([...files.keys()], [...wanted.keys()])
    assert.equal(files.get('users.jsonl'), wanted.get('users.jsonl'))
    assert.equal(await completed(id), 1, `dead at statement ${n}`)
    assert.deepEqual(await readdir(join(app.ctx.config.dataDir, 'incoming-import')), [])
  }
})
