import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { userOf } from '../../../test/licenses.ts'
import { sell } from '../../../test/sales.ts'
import { asMember } from '../../../test/team.ts'
import { createSeller } from '../../../test/factories.ts'
import type { Role } from '../../access/roles.ts'
import { DAY } from '../../lib/time.ts'
import { runDue } from '../../jobs/worker.ts'
import { sweepFiles } from '../../deployments/storage/sweep-files-job.ts'
import { writeExports } from './write-exports-job.ts'

let app: TestApp
let owner: CallAs
before(async () => {
  app = await startTestApp('exports')
  app.ctx.clock.advance(Date.now() - app.ctx.clock.real())
  owner = await asDeveloper(app)
})
after(() => app.close())

const members = new Map<Role, Promise<CallAs>>()
/** The one member of a role. */
function member(role: Role): Promise<CallAs> {
  const known = members.get(role) ?? asMember(app, role)
  members.set(role, known)
  return known
}

/** Asks for an export and has it written; as it is read then. */
async function written(by: CallAs, body: object): Promise<Reply['json']> {
  const asked = await by('POST', '/exports.json', body)
  assert.equal(asked.status, 202, asked.text)
  await runDue(app.ctx, [writeExports])
  const { json } = await by('GET', `/exports/${asked.json.id}.json`)
  assert.equal(json.state, 'done', JSON.stringify(json))
  return json
}

const fetched = (url: string) => fetch(url.replace(app.ctx.baseUrl, app.address))
const fileOf = async ({ url }: { url: string }) => {
  const bytes = Buffer.from(await (await fetched(url)).arrayBuffer())
  return bytes.toString()
}

/** The rows of a file by the names of its columns. */
async function rowsOf(by: CallAs, body: object): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const text = await fileOf(await written(by, { format: 'jsonl', ...body }))
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

test('an export has exactly the rows of the filter of the list, of every product that is named', async () => {
  const { product, other } = app.seller
  const [first] = [await sell(app), await sell(app, { product: other })]
  await userOf(app, 'alone@example.com')
  const all = await rowsOf(owner, { kind: 'users' })
  const listed = await owner('GET', '/users.json?count=50')
  assert.deepEqual(
    all.map(({ id }) => id).toSorted(),
    listed.json.users.map(({ id }: { id: string }) => id).toSorted(),
  )
  const paid = await rowsOf(owner, {
    kind: 'users',
    filter: { filter: 'paid', product_ids: String(product.id) },
  })
  const shown = await owner('GET', `/products/${product.id}/users.json?filter=paid`)
  assert.deepEqual(
    paid.map(({ id, plugin_id }) => [id, plugin_id]),
    shown.json.users.map(({ id }: { id: string }) => [id, String(product.id)]),
  )
  const found = await rowsOf(owner, { kind: 'licenses', filter: { search: first.license.secret_key } })
  assert.deepEqual(
    found.map(({ id, secret_key, email }) => [id, secret_key, email]),
    [[first.license.id, first.license.secret_key, first.owner.email]],
  )
  const [, , third] = [1, 2, await rowsOf(owner, { kind: 'payments', columns: 'id, gross,currency' })]
  assert.deepEqual(Object.keys(third[0] ?? {}), ['id', 'gross', 'currency'])
})

test('who calls is told what it may export, and a column or a filter that there is not is named', async () => {
  const { json } = await owner('GET', '/exports/columns.json')
  assert.deepEqual(
    json.kinds.map(({ kind }: { kind: string }) => kind),
    [
      'licenses',
      'users',
      'payments',
      'subscriptions',
      'installs',
      'trials',
      'coupons',
      'carts',
      'events',
      'audit',
    ],
  )
  const refused = async (body: object) => {
    const { status, json: answer } = await owner('POST', '/exports.json', body)
    assert.equal(status, 400)
    return JSON.stringify(answer)
  }
  assert.match(await refused({ kind: 'users', columns: 'id,password_hash' }), /columns.*password_hash/)
  assert.match(
    await refused({ kind: 'users', filter: { color: 'red' } }),
    /filter\.color.*no filter of the list/,
  )
  assert.match(await refused({ kind: 'users', filter: { filter: 'rich' } }), /filter\.filter.*must be one of/)
  assert.match(await refused({ kind: 'payments', filter: { from: 'yesterday' } }), /filter\.from/)
  assert.match(await refused({ kind: 'users', time_zone: 'Middle/Earth' }), /time_zone.*must be a time zone/)
  assert.match(await refused({ kind: 'users', filter: { product_ids: 'x' } }), /filter\.product_ids/)
})

test('S25: no cell of a CSV file is a formula, and it reads back as it was', async () => {
  const names = ['=1+1', '+SUM(A1)', '-2+3', '@here', '"quoted", and more', "it's", 'zwölf']
  for (const [n, name] of names.entries()) {
    const body = { email: `cell${n}@example.com`, name }
    const { status } = await owner('POST', `/products/${app.seller.product.id}/users.json`, body)
    assert.equal(status, 200)
  }
  const text = await fileOf(
    await written(owner, { kind: 'users', columns: 'first,email', filter: { search: 'cell' } }),
  )
  assert.ok(text.startsWith('\uFEFFfirst,email\r\n'))
  const lines = text.slice(1).trimEnd().split('\r\n').slice(1)
  assert.deepEqual(
    lines.toReversed().map((line) => line.replace(/,cell\d@example\.com$/, '')),
    ["'=1+1", "'+SUM(A1)", "'-2+3", "'@here", '"""quoted"","', "it's", 'zwölf'],
  )
})

test('times are those of the zone that is asked for: as its clocks show them in CSV, with the offset in JSON', async () => {
  const [user] = await rowsOf(owner, { kind: 'users', time_zone: 'Asia/Kolkata', columns: 'created' })
  assert.match(String(user?.['created']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30$/)
  const utc = await rowsOf(owner, { kind: 'users', columns: 'created' })
  assert.equal(Date.parse(String(user?.['created'])), Date.parse(String(utc[0]?.['created'])))
})

test('who may not read a list may not export it, and what is hidden from a role is in no file of it', async () => {
  const developer = await member('developer')
  const refused = await developer('POST', '/exports.json', { kind: 'payments' })
  assert.deepEqual([refused.status, refused.json.error?.code ?? refused.json.code], [401, 'role_not_allowed'])
  const kinds = (await developer('GET', '/exports/columns.json')).json.kinds
  assert.ok(!kinds.some(({ kind }: { kind: string }) => kind === 'payments' || kind === 'audit'))
  const licenses = await rowsOf(developer, { kind: 'licenses' })
  assert.ok(licenses.length > 0 && licenses.every((row) => !('secret_key' in row)))
  const named = await developer('POST', '/exports.json', { kind: 'licenses', columns: 'id,secret_key' })
  assert.equal(named.status, 400)
  const support = await member('support')
  assert.ok(
    (await rowsOf(support, { kind: 'licenses' })).every(({ secret_key: key }) => typeof key === 'string'),
  )
})

test('an export is for who could have asked for it: no role that sees less, and no other account', async () => {
  const { id } = await written(owner, { kind: 'users' })
  const [accountant, developer] = [await member('accountant'), await member('developer')]
  assert.equal((await accountant('GET', `/exports/${id}.json`)).status, 404)
  const less = await written(developer, { kind: 'users' })
  const seen = async (by: CallAs) =>
    (await by('GET', '/exports.json')).json.exports.map((one: { id: string }) => one.id)
  assert.ok((await seen(accountant)).includes(less.id) && !(await seen(accountant)).includes(id))
  assert.ok((await seen(owner)).includes(less.id))
  const foreign = await app.write((tx) => createSeller(tx, 'another-of-exports@example.com'))
  const another = await asDeveloper(app, foreign.developer)
  assert.equal((await another('GET', `/exports/${id}.json`)).status, 404)
  assert.deepEqual((await another('GET', '/exports.json')).json.exports, [])
})

test('its address works for 24 hours and no other, each download is in the audit log, and then the file goes', async () => {
  const done = await written(owner, { kind: 'users' })
  const [first, wrong] = [await fetched(done.url), await fetched(done.url.replace(/\/\d+\./, '/999999.'))]
  assert.deepEqual([first.status, wrong.status], [200, 404])
  assert.match(
    first.headers.get('content-disposition') ?? '',
    /attachment; filename="users-\d{4}-\d\d-\d\d-\d+\.csv"/,
  )
  assert.equal(first.headers.get('content-type'), 'text/csv; charset=utf-8')
  const rows = await app.ctx.db
    .selectFrom('audit_log')
    .select('details')
    .where('action', '=', 'keywright/download-export')
    .execute()
  assert.ok(rows.some(({ details }) => details.includes(`"export_id":${done.id}`)))
  app.ctx.clock.advance(DAY - 60_000)
  await runDue(app.ctx, [sweepFiles])
  assert.equal((await fetched(done.url)).status, 200)
  app.ctx.clock.advance(60_000)
  assert.equal((await fetched(done.url)).status, 404)
  owner = await asDeveloper(app)
  const { json } = await owner('GET', `/exports/${done.id}.json`)
  assert.deepEqual([json.state, json.url], ['expired', null])
  app.ctx.clock.advance(DAY)
  await runDue(app.ctx, [sweepFiles])
  const left: string[] = []
  for await (const { sha256 } of app.ctx.storage.list()) left.push(sha256)
  assert.deepEqual(left, [])
})

test('while ten exports of an account wait it can ask for no more', async () => {
  owner = await asDeveloper(app)
  const ask = () => owner('POST', '/exports.json', { kind: 'users' })
  const replies = await Promise.all(Array.from({ length: 14 }, ask))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [
    ...Array.from({ length: 10 }, () => 202),
    ...Array.from({ length: 4 }, () => 400),
  ])
  await runDue(app.ctx, [writeExports])
  assert.equal((await ask()).status, 202)
})
