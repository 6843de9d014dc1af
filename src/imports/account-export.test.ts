import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  AGAIN,
  askForAddress,
  askForAll,
  fetchedFrom,
  filesOf,
  filesOfCommand,
  wholeAccount,
} from '../../test/account-exports.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { asDeveloper } from '../../test/callers.ts'
import { createSeller } from '../../test/factories.ts'
import { importingApp, readImport } from '../../test/importing.ts'
import { auditOf, joinTeam, logIn, setPassword, type Login } from '../../test/logins.ts'
import { rowsIn } from '../../test/moved-rows.ts'
import { sell } from '../../test/sales.ts'
import { until } from '../../test/workers-of-app.ts'
import { ROLES } from '../access/roles.ts'
import { sweepFiles } from '../deployments/storage/sweep-files-job.ts'
import { runDue } from '../jobs/worker.ts'
import { DAY, HOUR, MINUTE } from '../lib/time.ts'
import { writeExports } from '../lists/exports/write-exports-job.ts'
import { bringImports } from './asked/bring-imports-job.ts'

let app: TestApp
let owner: Login
before(async () => {
  app = await startTestApp('account_export', { at: Date.now(), config: { mode: 'development' } })
  await setPassword(app)
  owner = await logIn(app)
  await sell(app)
  await sell(app, { product: app.seller.other })
  await until(areNoted)
})
after(() => app.close())

/** Whether it is written of both tokens, beside their requests, that they were used: a row of a file. */
async function areNoted(): Promise<boolean> {
  const tokens = await app.ctx.db.selectFrom('api_tokens').select('last_used_at').execute()
  return tokens.filter(({ last_used_at: used }) => used !== null).length === 2
}

/** Everything of a time ago is over, and the owner logs in again. */
async function later(ms: number): Promise<void> {
  app.ctx.clock.advance(ms)
  owner = await logIn(app)
}

const seen = async (by: Pick<Login, 'call'>) =>
  (await by.call('GET', '/exports.json?kind=account')).json.exports.map(({ id }: { id: string }) => id)

test('all that an account has comes as a ZIP file of the files that the command writes', async () => {
  for (const format of ['jsonl', 'csv'] as const) {
    const { zip, reply, shown } = await wholeAccount(app, owner, { format })
    assert.equal(reply.headers.get('content-type'), 'application/zip')
    assert.match(
      reply.headers.get('content-disposition') ?? '',
      /filename="account-\d{4}-\d\d-\d\d-\d+\.zip"/,
    )
    const [files, wanted] = [await filesOf(zip), await filesOfCommand(app, format)]
    assert.deepEqual([...files.keys()], [...wanted.keys()])
    for (const [name, text] of wanted) assert.equal(files.get(name), text, name)
    const rows = JSON.parse(files.get('manifest.json') ?? '').kinds.map((kind: { rows: number }) => kind.rows)
    assert.equal(
      shown.rows,
      rows.reduce((sum: number, count: number) => sum + count, 0),
    )
    assert.deepEqual([shown.kind, shown.format, shown.progress, shown.url], ['account', format, 1, null])
  }
  const left = await readdir(join(app.ctx.config.dataDir, 'incoming-import'))
  assert.deepEqual(left, [], 'files with keys')
})

test('what is written of an account is brought into another server as the export of the command is', async () => {
  const { zip } = await wholeAccount(app, owner)
  const other = await importingApp('account_export_to')
  try {
    const { id } = (await other.upload(zip, { dry_run: 'false' })).json
    await runDue(other.app.ctx, [bringImports])
    const done = await readImport(other.owner, id)
    assert.deepEqual([done.state, done.bad, done.added], ['finished', 0, done.rows])
    const [there, here] = [await filesOf(zip), await filesOfCommand(other.app, 'jsonl')]
    for (const [name, text] of there) {
      if (name === 'manifest.json') continue
      const rows = name === 'api_tokens.jsonl' ? ofTokens(text, here.get(name)) : here.get(name)
      assert.equal(rows, text, name)
    }
  } finally {
    await other.app.close()
  }
})

/** Of the tokens here, those that came: the account that they were brought into has some of its own. */
const ofTokens = (came: string, here = '') => {
  const ids = new Set(rowsIn(came).map(({ token_hash: hash }) => hash))
  const lines = here.split('\n').filter((line) => line !== '' && ids.has(JSON.parse(line).token_hash))
  return lines.map((line) => `${line}\n`).join('')
}

test('only the owner who is logged in asks for all of an account, sees that it was asked for, and has its file: no member, no key, no token and no other account', async () => {
  const { id } = await wholeAccount(app, owner)
  const members = await Promise.all(
    ROLES.map(async (role) => {
      const email = `${role}@team.example.com`
      const added = await owner.browse('POST', '/members.json', { body: { email, role } })
      await joinTeam(app, added.json.id)
      return logIn(app, { body: { email } })
    }),
  )
  for (const member of members) {
    for (const { status, json } of [await askForAll(member), await askForAddress(member, id)])
      assert.deepEqual([status, json.error.code], [401, 'role_not_allowed'])
    assert.equal((await member.call('GET', `/exports/${id}.json`)).status, 404)
    assert.deepEqual(await seen(member), [])
  }
  const token = await asDeveloper(app)
  for (const path of ['/exports/account.json', `/exports/${id}/address.json`])
    assert.equal((await token('POST', path, AGAIN)).status, 401)
  assert.equal((await token('GET', `/exports/${id}.json`)).status, 404)
  const foreign = await app.write((tx) => createSeller(tx, 'another-of-whole@example.com'))
  await setPassword(app, foreign.developer.id)
  const another = await logIn(app, {
    account: foreign.developer.id,
    body: { email: 'another-of-whole@example.com' },
  })
  assert.equal((await askForAddress(another, id)).status, 404)
  assert.equal((await another.call('GET', `/exports/${id}.json`)).status, 404)
  assert.deepEqual(await seen(another), [])
  assert.equal(await askedBy(another), 202)
  assert.ok((await seen(owner)).includes(id))
  await runDue(app.ctx, [writeExports])
})

const askedBy = async (by: Login) => (await askForAll(by)).status

test('with a wrong password nothing is written and no address is shown: ten are counted together, then the right one waits an hour', async () => {
  const { id } = await wholeAccount(app, owner)
  const before = await seen(owner)
  const wrong = { current_password: 'wrong' }
  for (let n = 0; n < 10; n++) {
    const { status, json } = await (n % 2 ? askForAll(owner, wrong) : askForAddress(owner, id, wrong))
    assert.deepEqual([status, json.error.code], [401, 'invalid_credentials'])
  }
  assert.deepEqual([(await askForAll(owner)).status, (await askForAddress(owner, id)).status], [429, 429])
  assert.deepEqual(await seen(owner), before)
  await later(HOUR)
  assert.equal((await askForAddress(owner, id)).status, 200)
})

test('of many that ask at once for all of an account one does, and another one can be asked for when that is done', async () => {
  const replies = await Promise.all(Array.from({ length: 6 }, () => askForAll(owner)))
  const [asked, ...refused] = replies.toSorted((a, b) => a.status - b.status)
  assert.equal(asked?.status, 202, asked?.text)
  for (const { status, json } of refused)
    assert.deepEqual([status, json.error.code], [400, 'export_under_way'])
  await runDue(app.ctx, [writeExports])
  assert.equal(await askedBy(owner), 202)
  await runDue(app.ctx, [writeExports])
})

test('an address of the file works for 15 minutes, the file is there for 24 hours, and the newest one ends those before it', async () => {
  const first = await wholeAccount(app, owner)
  const { json: shown } = await askForAddress(owner, first.id)
  app.ctx.clock.advance(14 * MINUTE)
  assert.equal((await fetchedFrom(app, shown.url)).status, 200)
  app.ctx.clock.advance(MINUTE)
  assert.equal((await fetchedFrom(app, shown.url)).status, 404)
  const again = (await askForAddress(owner, first.id)).json.url
  const second = await wholeAccount(app, owner, { format: 'csv' })
  assert.equal((await fetchedFrom(app, again)).status, 404, 'the one before')
  assert.equal((await askForAddress(owner, first.id)).status, 404)
  assert.equal((await owner.call('GET', `/exports/${first.id}.json`)).json.state, 'expired')
  await later(DAY - MINUTE)
  await runDue(app.ctx, [sweepFiles])
  const last = await askForAddress(owner, second.id)
  assert.equal((await fetchedFrom(app, last.json.url)).status, 200)
  await later(MINUTE)
  assert.equal((await fetchedFrom(app, last.json.url)).status, 404)
  assert.equal((await askForAddress(owner, second.id)).status, 404)
  app.ctx.clock.advance(DAY)
  await runDue(app.ctx, [sweepFiles])
  const left: string[] = []
  for await (const { sha256 } of app.ctx.storage.list()) left.push(sha256)
  assert.deepEqual(left, [])
  owner = await logIn(app)
})

test('the audit log has who asked for all of an account, who was shown an address, and each download', async () => {
  const { id } = await wholeAccount(app, owner)
  const asked = (await auditOf(app, 'keywright/export-account')).at(-1)
  const shown = (await auditOf(app, 'keywright/show-export-address')).at(-1)
  const loaded = (await auditOf(app, 'keywright/download-export')).at(-1)
  const { id: person } = app.seller.developer
  for (const entry of [asked, shown])
    assert.deepEqual([entry?.actor_id, entry?.developer_id], [person, person])
  assert.equal(String(asked?.details['id']), id)
  assert.deepEqual(loaded?.details, { params: { export_id: Number(id) }, kind: 'account' })
  assert.ok(!JSON.stringify(asked).includes(AGAIN.current_password))
})
