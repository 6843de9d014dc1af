import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestApp } from '../../../test/app.ts'
import type { CallAs } from '../../../test/callers.ts'
import { importingApp, readImport, zipOfFolder, type Upload } from '../../../test/importing.ts'
import { runDue } from '../../jobs/worker.ts'
import { checkLedger } from '../../sales/ledger/check-ledger.ts'
import { PLATFORMS } from '../platforms/platforms.ts'
import { bringImports } from './bring-imports-job.ts'

let app: TestApp
let owner: CallAs
let upload: Upload
before(async () => {
  ;({ app, owner, upload } = await importingApp('import_of_platform'))
})
after(() => app.close())

const licenses = () => app.ctx.db.selectFrom('licenses').select('id').execute()

/** Asks for an import without a dry run, and has the job do all of it that it may. */
async function imported(fields: Readonly<Record<string, string>>) {
  const source = 'lemon-squeezy'
  const asked = await upload(await zipOfFolder(source), { dry_run: 'false', source, ...fields })
  assert.equal(asked.status, 202, asked.text)
  await runDue(app.ctx, [bringImports])
  return readImport(owner, asked.json.id)
}

const report = async (id: string) =>
  (await owner('GET', `/imports/${id}/report.json?fields=file,line,kind,code`)).json.report as unknown[]

const ASIDE = [
  { kind: 'pricing', reason: 'no_fixed_price', count: 1 },
  { kind: 'coupons', reason: 'limited_to_products', count: 1 },
  { kind: 'payments', reason: 'not_paid', count: 1 },
  { kind: 'payments', reason: 'is_order', count: 2 },
]
const FIRST = { file: 'license-keys.json', line: 4, kind: 'licenses', code: 'impossible_time' }

test('of another platform nothing is written while a row cannot come, and each such row is told with its file', async () => {
  const found = await imported({})
  assert.deepEqual(
    [found.state, found.source, found.bad, found.left_out, found.added],
    ['checked', 'lemon-squeezy', 5, 0, 0],
  )
  const lines = await report(found.id)
  assert.deepEqual([lines.length, lines[0]], [5, FIRST])
  assert.equal((await owner('POST', `/imports/${found.id}/start.json`)).status, 202)
  await runDue(app.ctx, [bringImports])
  const started = await readImport(owner, found.id)
  assert.deepEqual([started.state, started.bad, await licenses()], ['checked', 5, []])
  await owner('POST', `/imports/${found.id}/cancel.json`)
})

test('what of another platform is no row here is counted, and what does not fit is told, when it is looked at and when it was brought', async () => {
  const looked = await imported({ dry_run: 'true', leave_out: 'true' })
  assert.deepEqual(looked.aside, ASIDE)
  assert.ok(looked.does_not_fit.length > 3)
  assert.deepEqual(looked.does_not_fit, PLATFORMS['lemon-squeezy'].noFit)
  await owner('POST', `/imports/${looked.id}/start.json`)
  const started = await readImport(owner, looked.id)
  assert.deepEqual([started.aside, started.does_not_fit], [[], []])
  await runDue(app.ctx, [bringImports])
  const brought = await readImport(owner, looked.id)
  assert.deepEqual(
    [brought.state, brought.aside, brought.does_not_fit],
    ['finished', ASIDE, looked.does_not_fit],
  )
  await owner('POST', `/imports/${looked.id}/undo.json`)
  await runDue(app.ctx, [bringImports])
})

test('rows of another platform that cannot come are left out where that is asked for, are told, and the others are undone as any', async () => {
  const found = await imported({ leave_out: 'true' })
  assert.deepEqual([found.state, found.bad, found.left_out, found.added], ['finished', 0, 5, found.rows])
  const lines = await report(found.id)
  assert.deepEqual([lines.length, lines[0]], [5, FIRST])
  assert.equal((await licenses()).length, 3)
  assert.equal((await checkLedger(app.ctx)).ok, true)
  const again = await imported({ leave_out: 'true' })
  assert.deepEqual([again.added, again.changed, again.same], [0, 0, found.rows])
  await owner('POST', `/imports/${found.id}/undo.json`)
  await runDue(app.ctx, [bringImports])
  assert.deepEqual([(await readImport(owner, found.id)).state, await licenses()], ['undone', []])
})

test('what is asked of platforms alone is refused of all else, and one is read from a ZIP file alone', async () => {
  const fieldsOf = ({ json }: Awaited<ReturnType<Upload>>) =>
    json.error.details.map(({ field }: { field: string }) => field)
  const zip = await zipOfFolder('lemon-squeezy')
  const given = { leave_out: 'true', shop: 'second', renew_here: 'true' }
  const methods = Buffer.from('subscription_id\n')
  assert.deepEqual(fieldsOf(await upload(zip, given, methods)), [...Object.keys(given), 'payment_methods'])
  assert.deepEqual(fieldsOf(await upload(zip, { source: 'gumroad', name: 'sales.json' })), ['file'])
})
