// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestApp } from '../../../test/app.ts'
import type { CallAs } from '../../../test/callers.ts'
import { anotherProcess, dyingProcess } from '../../../test/dying.ts'
import { importingApp, readImport, zipOfRows, type Upload } from '../../../test/importing.ts'
import { movedRows } from '../../../test/moved-rows.ts'
import { runDue } from '../../jobs/worker.ts'
import { bringImports } from './bring-imports-job.ts'
import { claimAsked, LEASE_MS, updateAsked } from './queries.ts'

let app: TestApp
let owner: CallAs
let upload: Upload
before(async () => {
  ;({ app, owner, upload } = await importingApp('import_dies'))
})
after(() => app.close())

/** So that statements in every part of the work are met, and the test ends. */
const GROWS = 1.35

test('R04: a process that dies at a statement of an import, or of undoing it, leaves it to another one, and every row is there once', async () => {
  const file = await zipOfRows(movedRows(2))
  for (let n = 1; ; n = Math.ceil(n * GROWS)) {
    const { id } = (await upload(file, { dry_run: 'false' })).json
    const isOver = await dieAt(n)
    const done = await readImport(owner, id)
    assert.deepEqual([done.state, done.added, done.bad], ['finished', done.rows, 0], `dead at statement ${n}`)
    const noted = await app.ctx.db.selectFrom('imported_rows').select('row_key').execute()
    assert.equal(noted.length, done.rows)
    await owner('POST', `/imports/${id}/undo.json`)
    const isUndone = await dieAt(n)
    const undone = await readImport(owner, id)
    assert.deepEqual(
      [undone.state, undone.removed],
      ['undone', done.rows],
      `dead at statement ${n} of undoing`,
    )
    assert.deepEqual(await app.ctx.db.selectFrom('imported_rows').select('row_key').execute(), [])
    if (isOver && isUndone) return assert.ok(n > 100, `${n} statements`)
  }
})

/** Works in a process that dies at a statement, and then in another one; whether the first one came to its end. */
async function dieAt(n: number): Promise<boolean> {
  const dying = dyingProcess(app, n)
  await runDue(dying.ctx, [bringImports]).catch(() => {})
  const isOver = !dying.isDead()
  await dying.close()
  app.ctx.clock.advance(LEASE_MS + 1000)
  await runDue(app.ctx, [bringImports])
  return isOver
}

test('two workers never both work on an import: who holds the lease no longer, or whose import was canceled, changes nothing of it', async () => {
  const { id } = (await upload(await zipOfRows(movedRows(1)))).json
  const other = anotherProcess(app)
  const take = (ctx: typeof app.ctx) =>
    ctx.database.transaction((db) => claimAsked(db, { engine: ctx.database.engine, now: ctx.clock.real() }))
  const write = (row: Parameters<typeof updateAsked>[1]) =>
    app.ctx.database.transaction((db) => updateAsked(db, row, { state: 'finished' }))
  const first = (await take(app.ctx)) ?? assert.fail()
  assert.equal(await take(other.ctx), undefined)
  app.ctx.clock.advance(LEASE_MS + 1000)
  const second = (await take(other.ctx)) ?? assert.fail()
  assert.equal(await write(first), false)
  await owner('POST', `/imports/${id}/cancel.json`)
  assert.equal(await write(second), false)
  await other.close()
  assert.equal((await readImport(owner, id)).state, 'canceled')
})
