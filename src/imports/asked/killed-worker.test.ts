// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { importingApp, readImport, zipOfRows } from '../../../test/importing.ts'
import { lastFirst } from '../../../test/last-first.ts'
import { movedRows } from '../../../test/moved-rows.ts'
import { KILL_HOOK } from '../../../test/spread-kills.ts'
import { ended, until, workersOf } from '../../../test/workers-of-app.ts'
import { SystemClock } from '../../lib/clock.ts'
import { checkLedger } from '../../sales/ledger/check-ledger.ts'

const CUSTOMERS = 300
/** So many commits write rows at least, whoever was killed before. */
const COMMITS = 12
/** Some of what undoing takes, or a little more. */
const RANDOM_MS = 250

const random = (to: number) => Math.floor(Math.random() * to)

/** A server that takes imports, and real workers on its database and files. */
async function placeOfWorkers(t: { after(done: () => unknown): void }) {
  const { app, owner, upload } = await importingApp('worker_killed')
  const atEnd = lastFirst(t)
  atEnd(() => app.close())
  const { begin } = workersOf(app, atEnd)
  /** When the lease of whoever was killed is over. */
  const endLease = () =>
    app.ctx.database.transaction((db) => db.updateTable('imports').set({ lease_until: 0 }).execute())
  return { app, owner, upload, begin, endLease }
}

test('an import whose worker is killed twice at random, and once more as it is undone, is taken up by the next one: every row is there once, the report is right, and it is undone', async (t) => {
  const { app, owner, upload, begin, endLease } = await placeOfWorkers(t)
  const rows = movedRows(CUSTOMERS)
  const { id } = (await upload(await zipOfRows(rows), { dry_run: 'false' })).json
  const isClaimed = async () => {
    const found = await app.ctx.db.selectFrom('imports').select('lease_until').executeTakeFirstOrThrow()
    return found.lease_until > new SystemClock().real()
  }
  const killedAt: string[] = []
  for (let n = 0; n < 2; n++) {
    const at = `${1 + random(COMMITS)} ${['before', 'after'][random(2)]}`
    const child = begin({ NODE_OPTIONS: KILL_HOOK, KILL_AT_COMMIT: at })
    killedAt.push(at)
    assert.equal(await ended(child), 'SIGKILL', `at commit ${at}`)
    // Until that is over it is the killed worker's.
    assert.equal(await isClaimed(), true)
    await endLease()
  }
  const last = begin()
  const stateOf = async () => (await readImport(owner, id)).state
  await until(async () => (await stateOf()) === 'finished')
  const names = killedAt.join(', ')
  const done = await readImport(owner, id)
  assert.deepEqual([done.bad, done.added, done.changed, done.kept], [0, done.rows, 0, 0], names)
  assert.equal((await owner('GET', `/imports/${id}/report.json`)).json.report.length, 0)
  const noted = await app.ctx.db.selectFrom('imported_rows').select(['kind', 'row_key']).execute()
  const counts = Object.fromEntries(
    [...Map.groupBy(noted, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]),
  )
  const given = Object.fromEntries(Object.entries(rows).map(([kind, all]) => [kind, all.length]))
  assert.deepEqual(counts, given, names)
  const looked = Object.fromEntries(
    done.kinds.map((one: { kind: string; looked_at: number }) => [one.kind, one.looked_at]),
  )
  assert.deepEqual(looked, given, names)
  for (const table of ['users', 'licenses', 'payments'] as const) {
    const here = await app.ctx.db.selectFrom(table).select('id').execute()
    assert.equal(here.length, given[table], `${table}, ${names}`)
  }
  assert.equal((await checkLedger(app.ctx)).ok, true, names)
  await owner('POST', `/imports/${id}/undo.json`)
  await until(async () => (await isClaimed()) || (await stateOf()) === 'undone')
  await pause(random(RANDOM_MS))
  await ended(last, 'SIGKILL')
  await endLease()
  begin()
  await until(async () => (await stateOf()) === 'undone')
  const undone = await readImport(owner, id)
  assert.deepEqual([undone.removed, undone.stayed], [done.rows, 0], names)
  assert.deepEqual(await app.ctx.db.selectFrom('imported_rows').select('row_key').execute(), [])
  assert.deepEqual(await app.ctx.db.selectFrom('users').select('id').execute(), [])
})
