import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { chainAudit } from '../../access/chain-audit-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { MINUTE } from '../../lib/time.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createSeller } from '../../../test/factories.ts'
import { joinTeam, logIn, type Login, setPassword } from '../../../test/logins.ts'

let app: TestApp
let owner: Login
before(async () => {
  app = await startTestApp('account_audit')
  await setPassword(app)
  owner = await logIn(app)
})
after(() => app.close())

interface Entry {
  readonly id: string
  readonly action: string
  readonly actor: { readonly kind: string; readonly id: string; readonly credential: string }
  readonly plugin_id: string | null
  readonly request_id: string | null
  readonly details: { readonly params?: object }
  readonly seq: number | null
}

const read = async (query = '') => {
  await app.recorded()
  const { status, json, text } = await owner.call('GET', `/audit.json?count=50${query}`)
  assert.equal(status, 200, text)
  return json as { entries: Entry[]; chain: { checked_to: number | null; ok: boolean } }
}
const actionsOf = ({ entries }: { entries: readonly Entry[] }) => entries.map(({ action }) => action)

test('who did what in the account is told: by whom, how, about which product, by which request', async () => {
  const { id } = app.seller.product
  const made = await owner.call('POST', `/products/${id}/tokens.json`, { body: { name: 'CI' } })
  const { entries } = await read()
  const entry = entries.find(({ action }) => action === 'keywright/create-api-token')
  assert.deepEqual(
    [entry?.actor.kind, entry?.actor.id, entry?.plugin_id, entry?.request_id],
    ['developer', String(app.seller.developer.id), String(id), made.headers.get('x-request-id')],
  )
  assert.match(entry?.actor.credential ?? '', /^session:\d+$/)
  assert.ok(!JSON.stringify(entries).includes(made.json.token))
  const actions = actionsOf({ entries })
  assert.ok(actions.includes('login.success') && actions.includes('authentication.success'), String(actions))
})

test('it is narrowed by actor, action, product, request and time, and goes on before an entry', async () => {
  const { id } = app.seller.other
  const by = { token: app.seller.other.token, body: { email: 'ada@example.com', name: 'Ada Lovelace' } }
  const { headers } = await app.call('POST', `/products/${id}/users.json`, by)
  const all = await read()
  const has = async (query: string, fits: (one: Entry) => boolean) => {
    const { entries } = await read(query)
    assert.ok(entries.length > 0 && entries.every(fits), query)
  }
  await has('&action=users/create', ({ action }) => action === 'users/create')
  await has('&actor=token', ({ actor }) => actor.kind === 'token')
  const developer = String(app.seller.developer.id)
  await has(
    `&actor=developer:${developer}`,
    ({ actor }) => actor.kind === 'developer' && actor.id === developer,
  )
  await has(`&product_id=${id}`, (one) => one.plugin_id === String(id))
  const request = headers.get('x-request-id') ?? ''
  await has(`&request_id=${request}`, (one) => one.request_id === request)
  await has('&from=2026-01-31&to=2026-01-31 10:00:00', () => true)
  assert.deepEqual((await read('&from=2026-02-01')).entries, [])
  assert.deepEqual((await read('&to=2026-01-30')).entries, [])
  assert.deepEqual((await read('&actor=developer:987654321')).entries, [])
  const [first, second] = all.entries
  const next = await read(`&before=${first?.id}`)
  assert.equal(next.entries[0]?.id, second?.id)
  assert.equal((await owner.call('GET', '/audit.json?count=2')).json.entries.length, 2)
})

test("another seller's account has nothing of it, and neither has a member's own", async () => {
  const email = 'member-of-audit@example.com'
  const { json } = await owner.call('POST', '/members.json', { body: { email, role: 'admin' } })
  const person = await joinTeam(app, json.id)
  const member = await logIn(app, { body: { email } })
  await member.call('POST', `/products/${app.seller.product.id}/tokens.json`, { body: { name: 'by member' } })
  await member.call('POST', '/members.json', { body: { email: 'third@example.com', role: 'support' } })
  const { entries } = await read(`&actor=developer:${person}`)
  const actions = actionsOf({ entries })
  assert.ok(actions.includes('keywright/add-member') && actions.includes('keywright/create-api-token'))
  const own = await logIn(app, { account: null, body: { email } })
  await app.recorded()
  const theirs = await app.call('GET', `/developers/${person}/audit.json?count=50`, {
    token: null,
    headers: { 'x-keywright-session': own.token },
  })
  assert.deepEqual(
    [...new Set(actionsOf(theirs.json))].filter((action) => action.startsWith('keywright/')),
    [],
  )
  const stranger = await app.write((tx) => createSeller(tx, 'stranger-of-audit@example.com'))
  await setPassword(app, stranger.developer.id)
  const other = await logIn(app, {
    account: stranger.developer.id,
    body: { email: 'stranger-of-audit@example.com' },
  })
  const { developer } = stranger
  const asked = await app.call('GET', `/developers/${developer.id}/audit.json?count=50`, {
    token: null,
    headers: { 'x-keywright-session': other.token },
  })
  assert.ok(
    asked.json.entries.every((one: Entry) => one.actor.id === String(developer.id)),
    asked.text,
  )
  const foreign = await app.call('GET', `/developers/${app.seller.developer.id}/audit.json`, {
    token: null,
    headers: { 'x-keywright-session': other.token },
  })
  assert.equal(foreign.status, 401)
})

test('whether the rows are as they were chained is told, and a row that was changed since is found', async () => {
  await read()
  app.ctx.clock.advance(MINUTE)
  await runDue(app.ctx, [chainAudit])
  const chained = await read('&action=users/create')
  const [row] = chained.entries
  assert.deepEqual(chained.chain, { checked_to: row?.seq, ok: true })
  assert.ok(row?.seq)
  const on = app.ctx.database.engine === 'postgres' ? sql` on audit_log` : sql``
  const isOk = async (ip: string) => {
    await app.ctx.database.transaction(async (db) => {
      await sql`drop trigger if exists audit_log_no_update${on}`.execute(db)
      await sql`update audit_log set ip = ${ip} where id = ${row?.id}`.execute(db)
    })
    return (await read('&action=users/create')).chain.ok
  }
  assert.equal(await isOk('192.0.2.99'), false)
  assert.equal(await isOk('127.0.0.1'), true)
  await app.ctx.database.transaction((db) =>
    sql`update audit_log set developer_id = ${app.seller.developer.id} where id =
      (select max(id) from audit_log where developer_id <> ${app.seller.developer.id} and seq is not null)`.execute(
      db,
    ),
  )
  assert.equal((await read()).chain.ok, false, 'whose a row is belongs to the chain')
})

test('who did what is for admins', async () => {
  const email = 'support-of-audit@example.com'
  const { json } = await owner.call('POST', '/members.json', { body: { email, role: 'support' } })
  await joinTeam(app, json.id)
  const { call } = await logIn(app, { body: { email } })
  assert.equal((await call('GET', '/audit.json')).json.error.code, 'role_not_allowed')
})
