import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { createSeller } from '../../test/factories.ts'
import { joinTeam, logIn, type Login, setPassword } from '../../test/logins.ts'
import { testGateway } from '../gateways/test/gateway.ts'
import { toUtcTime } from '../lib/time.ts'
import { VERSION } from '../lib/version.ts'
import { Checkup } from './checkup.ts'
import type { ServerState } from './schema.ts'

let app: TestApp
let owner: Login
before(async () => {
  app = await startTestApp('server_state')
  await setPassword(app)
  owner = await logIn(app)
})
after(() => app.close())

const read = async ({ call }: Login = owner) => {
  const { status, json, text } = await call('GET', '/server.json')
  assert.equal(status, 200, text)
  return json as ServerState
}
const joined = async (email: string, role: string) => {
  const { json } = await owner.call('POST', '/members.json', { body: { email, role } })
  const person = await joinTeam(app, json.id)
  return { member: await logIn(app, { body: { email } }), person }
}

test('the only seller of a server is told how it is set up, and every line of the doctor but that of the port', async () => {
  const { ctx } = app
  const state = await read()
  assert.equal(state.version, VERSION)
  assert.equal(state.base_address, ctx.baseUrl)
  assert.equal(state.time, toUtcTime(ctx.clock.real()))
  assert.equal(state.database, ctx.database.engine)
  assert.equal(state.clock_skew_ms === null, ctx.database.engine === 'sqlite')
  assert.equal(state.is_only_seller, true)
  assert.equal(state.mail.kind, 'folder')
  assert.ok(state.mail.place?.startsWith(ctx.config.dataDir))
  assert.deepEqual(
    state.gateways.map(({ gateway }) => gateway),
    ctx.gateways.map(({ code }) => code),
  )
  const checks = state.checks?.map(({ check }) => check) ?? []
  for (const check of [
    'data folder',
    'disk',
    'database',
    'clock',
    'audit log',
    'renewals',
    'jobs',
    'archives',
  ])
    assert.ok(checks.includes(check), `${check}: ${checks.join(', ')}`)
  assert.ok(!checks.includes('port'))
})

test('what waits is counted of the account alone, and a job says when it ran and what it failed at', async () => {
  const { id } = app.seller.product
  const { waiting } = await read()
  const member = { email: 'waits@example.com', role: 'support' }
  await owner.call('POST', '/members.json', { body: member })
  assert.equal((await read()).waiting.mails, waiting.mails + 1)
  await app.ctx.database.transaction((db) =>
    db
      .insertInto('jobs')
      .values({
        name: 'prune',
        due_at: 0,
        lease_until: 0,
        fence: 0,
        last_started_at: 1_000,
        last_finished_at: null,
        failures: 2,
        last_error: `of product ${id}`,
      })
      .execute(),
  )
  const job = (await read()).jobs.find(({ name }) => name === 'prune')
  assert.deepEqual(
    [job?.state, job?.failures, job?.last_started, job?.last_error],
    ['failing', 2, toUtcTime(1_000), `of product ${id}`],
  )
})

test('a check that does not come to an end holds no answer, is asked for once, and is told when it has', async () => {
  let asked = 0
  const { promise, resolve } = Promise.withResolvers<{ state: 'whole' }>()
  const slow = {
    ...testGateway({ webhookSecret: 'a secret' }),
    code: 'slow',
    check: () => {
      asked++
      return promise
    },
  }
  const { config, database, keys, clock } = app.ctx
  const patient = { config, database, keys: async () => keys, gateways: async () => [slow] }
  const checkup = new Checkup()
  const lines = () => checkup.lines(patient, () => clock.real())
  const first = await lines()
  assert.equal(first.find(({ check }) => check === 'credentials')?.status, 'waiting')
  assert.equal(first.find(({ check }) => check === 'disk')?.at, toUtcTime(clock.real()))
  await lines()
  assert.equal(asked, 1)
  resolve({ state: 'whole' })
  const last = await lines()
  assert.equal(last.find(({ check }) => check === 'slow')?.status, 'ok')
})

test('the state of the server is for admins, and an account without a store learns nothing of the machine', async () => {
  const { member } = await joined('support-of-server@example.com', 'support')
  assert.equal((await member.call('GET', '/server.json')).json.error.code, 'role_not_allowed')
  const { person } = await joined('admin-of-server@example.com', 'admin')
  const own = await logIn(app, { account: null, body: { email: 'admin-of-server@example.com' } })
  const { status, json } = await app.call('GET', `/developers/${person}/server.json`, {
    token: null,
    headers: { 'x-keywright-session': own.token },
  })
  assert.equal(status, 200)
  assert.deepEqual([json.is_only_seller, json.checks, json.mail.place], [false, null, null])
})

test('on a server of several sellers none is told what is of all: checks, errors of jobs, places', async () => {
  await app.write((tx) => createSeller(tx, 'second-of-server@example.com'))
  const state = await read()
  assert.deepEqual(
    [state.is_only_seller, state.checks, state.mail.place, state.storage.place],
    [false, null, null, null],
  )
  assert.ok(state.jobs.length > 0 && state.jobs.every(({ last_error: error }) => error === null))
})
