import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { TestApp } from '../../../test/app.ts'
import { zipOf } from '../../../test/archives.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { createSeller } from '../../../test/factories.ts'
import { importingApp, linesOf, readImport, zipOfRows, type Upload } from '../../../test/importing.ts'
import { movedRows } from '../../../test/moved-rows.ts'
import { asMember } from '../../../test/team.ts'
import { sweepFiles } from '../../deployments/storage/sweep-files-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { checkLedger } from '../../sales/ledger/check-ledger.ts'
import { DAY, HOUR, MINUTE } from '../../lib/time.ts'
import { bringImports } from './bring-imports-job.ts'

let app: TestApp
let owner: CallAs
let upload: Upload
before(async () => {
  ;({ app, owner, upload } = await importingApp('imports'))
})
after(() => app.close())

const run = () => runDue(app.ctx, [bringImports])
const count = async (table: 'users' | 'licenses' | 'payments' | 'imported_rows') =>
  (
    await app.ctx.db
      .selectFrom(table)
      .select((is) => is.fn.countAll().as('n'))
      .executeTakeFirstOrThrow()
  ).n
const stored = async () => {
  const files = await Array.fromAsync(app.ctx.storage.list())
  return files.length
}
const code = ({ json }: { json: { error?: { code: string } } }) => json.error?.code

/** Asks for an import that must be taken, and has the job do all of it that it may. */
async function imported(file: Buffer, fields: Record<string, string> = {}) {
  const asked = await upload(file, fields)
  assert.equal(asked.status, 202, asked.text)
  assert.equal(asked.json.state, 'checking')
  await run()
  return readImport(owner, asked.json.id)
}

test('a dry run names what is wrong by kind, file and line, writes nothing, and is canceled', async () => {
  const files = movedRows(3)
  Object.assign(files['users']?.[1] ?? {}, { email: 'no address' })
  Object.assign(files['licenses']?.[1] ?? {}, { quota: -1 })
  Object.assign(files['licenses']?.[2] ?? {}, { plan_id: 77 })
  const found = await imported(await zipOfRows(files))
  assert.deepEqual(
    [found.state, found.is_dry_run, found.bad, found.added, found.progress],
    ['checked', true, 3, 0, 1],
  )
  assert.equal(await count('imported_rows'), 0)
  const users = found.kinds.find((one: { kind: string }) => one.kind === 'users')
  assert.deepEqual(users, {
    kind: 'users',
    file: 'users.jsonl',
    looked_at: 3,
    written: 0,
    add: 2,
    change: 0,
    same: 0,
    kept: 0,
    bad: 1,
  })
  const report = await owner('GET', `/imports/${found.id}/report.json?kind=users`)
  const [line] = report.json.report
  assert.deepEqual(
    [line.part, line.file, line.line, line.field, line.code],
    ['check', 'users.jsonl', 2, 'email', 'wrong_form'],
  )
  const page = await owner('GET', `/imports/${found.id}/report.json?count=1&offset=1&fields=kind,line`)
  assert.deepEqual(page.json.report, [{ kind: 'licenses', line: 2 }])
  assert.equal((await owner('POST', `/imports/${found.id}/cancel.json`)).json.state, 'canceled')
  assert.equal(code(await owner('POST', `/imports/${found.id}/start.json`)), 'import_not_possible')
  assert.equal(code(await owner('POST', `/imports/${found.id}/cancel.json`)), 'import_not_possible')
  assert.equal(code(await owner('POST', `/imports/${found.id}/undo.json`)), 'import_not_possible')
})

/** A row that was changed here since it was brought stays, and is named by a dry run and by an import. */
async function staysNamed() {
  const setQuota = (quota: number) =>
    app.write(({ db }) => db.updateTable('licenses').set({ quota }).where('id', '=', 1_001).execute())
  await setQuota(9)
  const files = movedRows(5)
  for (const license of files['licenses']?.slice(0, 2) ?? []) license['quota'] = 4
  for (const dryRun of ['true', 'false']) {
    const { id, kinds } = await imported(await zipOfRows(files), { dry_run: dryRun })
    const licenses = kinds.find(({ kind }: { kind: string }) => kind === 'licenses')
    assert.deepEqual([licenses.kept, licenses.change], [1, 1], dryRun)
    const { report } = (await owner('GET', `/imports/${id}/report.json`)).json
    const told = { part: 'kept', kind: 'licenses', file: 'licenses.jsonl', line: 2, key: '1001', field: null }
    const message = 'was changed here since it was brought: it stays so'
    assert.deepEqual(report, [{ id: '1', ...told, code: 'changed_here', message }])
    if (dryRun === 'true') await owner('POST', `/imports/${id}/cancel.json`)
  }
  await setQuota(3)
}

test('what was looked at is brought in when it is started, told once, repeated without doubles, and undone', async () => {
  const file = await zipOfRows(movedRows(5))
  const looked = await imported(file)
  assert.deepEqual([looked.bad, looked.added, looked.is_at_work], [0, 0, true])
  assert.ok(looked.expires_at)
  const started = await owner('POST', `/imports/${looked.id}/start.json`)
  assert.deepEqual([started.status, started.json.state], [202, 'checking'])
  await run()
  const done = await readImport(owner, looked.id)
  assert.deepEqual([done.state, done.added, done.bad, done.progress], ['finished', done.rows, 0, 1])
  assert.deepEqual([await count('users'), await count('licenses')], [5, 5])
  assert.equal((await checkLedger(app.ctx)).ok, true)
  const events = await app.ctx.db
    .selectFrom('events')
    .select('data')
    .where('type', '=', 'import.finished')
    .execute()
  assert.deepEqual(
    events.map(({ data }) => JSON.parse(data ?? '').import_id),
    [looked.id],
  )
  const again = await imported(file, { dry_run: 'false' })
  assert.deepEqual([again.state, again.added, again.same], ['finished', 0, done.rows])
  await staysNamed()
  assert.equal((await owner('POST', `/imports/${looked.id}/undo.json`)).json.state, 'undoing')
  await run()
  const undone = await readImport(owner, looked.id)
  assert.deepEqual([undone.state, undone.removed, undone.stayed], ['undone', done.rows, 0])
  assert.deepEqual([await count('users'), await count('imported_rows')], [0, 0])
})

test('one file of a kind is brought by its name, as CSV too; a file of another name is refused', async () => {
  const csv = Buffer.from(
    'id,title,public_key,secret_key,created\n77,Shop,pk_0123456789abcdef,sk_0123456789abcdef,2026-01-01 10:00:00\n',
  )
  const done = await imported(csv, { name: 'stores.csv', dry_run: 'false' })
  assert.deepEqual([done.state, done.added, done.file_name], ['finished', 1, 'stores.csv'])
  for (const name of ['customers.csv', 'stores.xlsx', 'stores.json'])
    assert.equal(code(await upload(csv, { name })), 'invalid_argument', name)
  assert.equal((await upload(csv, { name: 'stores.csv', source: 'elsewhere' })).status, 400)
  assert.equal(code(await owner('POST', '/imports.json', { source: 'files' })), 'missing_argument')
})

test('a file that is no archive, has nothing to read, or has a name twice is given up at once, with the reason', async () => {
  for (const [file, says] of [
    [Buffer.from('no zip'), /^The file is damaged, or no ZIP file\.$/],
    [await zipOf({ 'a.txt': 'x' }), /^The file has no file of a kind/],
    [
      await zipOf({ 'a/users.csv': 'id\n', 'b/users.csv': 'id\n' }),
      /two files in it that are called users.csv/,
    ],
    [await zipOf({ 'manifest.json': '{"format":"other"}' }), /^manifest.json is of another version/],
  ] as const) {
    const failed = await imported(file)
    assert.equal(failed.state, 'failed')
    assert.match(failed.error, says)
    assert.doesNotMatch(failed.error, /incoming|tmp/)
  }
})

test('one import of an account is under way at a time: of ten that are asked for at once exactly one is', async () => {
  const file = Buffer.from(linesOf(movedRows(1)['stores'] ?? []))
  const replies = await Promise.all(Array.from({ length: 10 }, () => upload(file, { name: 'stores.jsonl' })))
  const taken = replies.filter(({ status }) => status === 202)
  assert.equal(taken.length, 1)
  assert.deepEqual([...new Set(replies.map(code))].toSorted(), ['import_under_way', undefined])
  const other = await app.write((tx) => createSeller(tx, 'other@example.com'))
  const theirs = await asDeveloper(app, other.developer)
  const id = taken[0]?.json.id
  assert.equal((await theirs('GET', `/imports/${id}.json`)).status, 404)
  assert.deepEqual((await theirs('GET', '/imports.json')).json.imports, [])
  await owner('POST', `/imports/${id}/cancel.json`)
  const next = await upload(file, { name: 'stores.jsonl' })
  assert.equal(next.status, 202)
  await owner('POST', `/imports/${next.json.id}/cancel.json`)
})

test('imports are for the owner and admins: no other role asks for one, or sees one', async () => {
  const admin = await asMember(app, 'admin')
  assert.equal((await admin('GET', '/imports.json')).status, 200)
  for (const role of ['developer', 'support', 'accountant'] as const) {
    const member = await asMember(app, role)
    assert.equal(code(await member('GET', '/imports.json')), 'role_not_allowed', role)
    assert.equal(code(await member('POST', '/imports.json', { source: 'files' })), 'role_not_allowed', role)
  }
})

test('an import that was looked at and not started within a day is canceled, and its file swept away', async () => {
  const looked = await imported(await zipOfRows(movedRows(2, 9_000)))
  app.ctx.clock.advance(2 * HOUR)
  await runDue(app.ctx, [sweepFiles])
  assert.equal(await stored(), 1)
  app.ctx.clock.advance(DAY)
  await run()
  // The access tokens of the owner are over by now.
  const row = await app.ctx.db
    .selectFrom('imports')
    .select(['state', 'asked', 'file'])
    .where('id', '=', Number(looked.id))
    .executeTakeFirst()
  assert.deepEqual(row, { state: 'canceled', asked: null, file: null })
  app.ctx.clock.advance(2 * HOUR + MINUTE)
  await runDue(app.ctx, [sweepFiles])
  assert.equal(await stored(), 0)
})

test('of an import nothing is left in the folder of the server', async () => {
  const left = await readdir(join(app.ctx.config.dataDir, 'incoming-import')).catch(() => [])
  assert.deepEqual(left, [])
})
