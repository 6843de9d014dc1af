// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { operations } from '../app.ts'
import { ROLES, type Role } from '../access/roles.ts'
import { toRfc2822 } from '../lib/time.ts'
import { startTestApp, type Reply, type TestApp } from '../../test/app.ts'
import { accessHeader, joinTeam, logIn, type Login, PASSWORD, setPassword } from '../../test/logins.ts'
import { chargedInSandbox, sell } from '../../test/sales.ts'
import { signed } from '../../test/security/signing.ts'
import { rolesDocument, ROLES_FILE } from '../../tools/roles.ts'
import { mountsOf } from './mounts.ts'
import { readOperation, writeOperation } from './operation.ts'
import { isAllowed } from './roles.ts'

let app: TestApp
const sessions = new Map<Role, Login>()
before(async () => {
  app = await startTestApp('roles')
  await setPassword(app)
  const owner = await logIn(app)
  for (const role of ROLES) {
    const email = `${role}@example.com`
    const { json } = await owner.call('POST', '/members.json', { body: { email, role } })
    await joinTeam(app, json.id)
    sessions.set(role, await logIn(app, { body: { email } }))
  }
})
after(() => app.close())

const sessionOf = (role: Role): Login => sessions.get(role) ?? assert.fail(role)

test('an operation without a group does not compile, nor a write that needs no right to write', () => {
  const shared = { id: 'a/b', summary: '', path: '/', scopes: ['account'], status: 204 } as const
  const read = { ...shared, method: 'GET', handle: () => undefined } as const
  const write = { ...shared, method: 'POST', emits: [], handle: async () => undefined } as const
  // @ts-expect-error it has no group
  readOperation(read)
  // @ts-expect-error there is no such group
  readOperation({ ...read, access: 'nothing.read' })
  // @ts-expect-error it writes
  writeOperation({ ...write, access: 'sales.read' })
})

/** Which right these need is said by the list, or by what is done to its rows (`docs/lists.md`). */
const OF_LISTS =
  'create-bulk create-export list-bulk-items list-bulks list-export-columns list-exports retrieve-account-list-total retrieve-bulk retrieve-export retrieve-list-total retry-bulk'
    .split(' ')
    .map((name) => `keywright/${name}`)

test('what nobody need be logged in for is for every role, and but for whole lists it alone', () => {
  const ofEverybody = operations.filter(({ access }) => access === 'everybody')
  // A token is told of itself.
  const closed = ofEverybody
    .filter(({ caller }) => caller !== 'open' && caller !== 'token')
    .map(({ id }) => id)
  assert.deepEqual(closed.toSorted(), OF_LISTS)
})

test('what writes two groups is for a role with the right to both', () => {
  assert.deepEqual(
    ROLES.filter((role) => isAllowed({ role }, { access: ['licenses.write', 'sales.write'] })),
    ['admin'],
  )
})

test('docs/roles.md is what the table says (`npm run roles` writes it)', async () => {
  assert.equal(await readFile(ROLES_FILE, 'utf8'), rolesDocument())
})

/** Every address of the account, asked for what does not exist, so that nothing is changed by who may. */
const addresses = () =>
  mountsOf(operations).filter(
    ({ kind, served, op }) =>
      served &&
      (kind === 'developer' || kind === 'account') &&
      op.access !== 'everybody' &&
      op.caller !== 'session' &&
      op.caller !== 'signature',
  )
const pathOf = (path: string) =>
  path
    .replace('/developers/{developer_id}', '')
    .replace('{product_id}', String(app.seller.product.id))
    .replaceAll(/\{\w+\}/g, '987654321')

test('each role is let through to exactly the operations of its column, with a session and with its token', async () => {
  for (const role of ROLES) {
    const { call, reply } = sessionOf(role)
    const headers = await accessHeader(app, Number(reply.json.person.id))
    for (const { method, path, op } of addresses()) {
      const expected = isAllowed({ role }, op)
      const body = op.body ? { body: {} } : {}
      const bySession = await call(method as 'GET', pathOf(path), body)
      const byToken = await app.call(
        method as 'GET',
        `/developers/${app.seller.developer.id}${pathOf(path)}`,
        { token: null, headers, ...body },
      )
      for (const { status, json, text } of [bySession, byToken]) {
        const at = `${role} ${op.id}: ${status} ${text.slice(0, 200)}`
        assert.equal(json?.error?.code === 'role_not_allowed', !expected, at)
        assert.equal(status === 401, !expected, at)
      }
    }
  }
})

test('no login is shown a secret key of the account, its stores or its products, and of tokens that of an admin alone', async () => {
  const { developer, store, product, other } = app.seller
  const secrets = [developer, store, product, other].map(({ secretKey }) => secretKey)
  const shown = new Set<string>()
  for (const role of ROLES) {
    const { call, reply } = sessionOf(role)
    const byToken = { token: null, headers: await accessHeader(app, Number(reply.json.person.id)) }
    for (const { method, path } of addresses().filter(({ op }) => op.kind === 'read')) {
      const login = await call(method as 'GET', pathOf(path))
      const token = await app.call(method as 'GET', `/developers/${developer.id}${pathOf(path)}`, byToken)
      if (secrets.some((secret) => login.text.includes(secret))) shown.add(`login ${role}`)
      if (secrets.some((secret) => token.text.includes(secret))) shown.add(`token ${role}`)
    }
  }
  assert.deepEqual([...shown], ['token admin'])
})

test("nobody but an admin is shown a user's secret key: not listed, retrieved, updated nor created", async () => {
  const users = `/products/${app.seller.product.id}/users`
  const made = (role: Role) => ({ email: `customer-of-${role}@example.com`, name: 'Cora Customer' })
  const { json } = await sessionOf('admin').call('POST', `${users}.json`, { body: made('admin') })
  assert.match(json.secret_key, /^sk_/)
  const update = (role: Role) => ({ body: { first: `Of ${role}` } })
  for (const role of ROLES) {
    const { call } = sessionOf(role)
    const replies = [
      await call('GET', `${users}.json`),
      await call('GET', `${users}/${json.id}.json`),
      await call('GET', `${users}/${json.id}.json?fields=id,secret_key`),
      ...(isAllowed({ role }, { access: 'customers.write' })
        ? [
            await call('PUT', `${users}/${json.id}.json`, update(role)),
            await call('POST', `${users}.json`, { body: made(role) }),
          ]
        : []),
    ]
    for (const { status, text } of replies) {
      assert.equal(status, 200, text)
      assert.equal(text.includes('"secret_key"'), role === 'admin', `${role}: ${text}`)
    }
  }
})

test('what is refused by its role is not done, however well it is asked', async () => {
  const count = async () => (await app.ctx.db.selectFrom('users').select('id').execute()).length
  const before = await count()
  const path = `/products/${app.seller.product.id}/users.json`
  const body = { email: 'new@example.com', name: 'New' }
  for (const role of ['accountant', 'developer'] as const) {
    const reply = await sessionOf(role).call('POST', path, { body })
    assert.equal(reply.json.error.code, 'role_not_allowed')
  }
  assert.equal(await count(), before)
  assert.equal((await sessionOf('support').call('POST', path, { body })).status, 200)
})

test('who is refused by its role is in the audit log as refused, and not as let in', async () => {
  const { call, reply } = sessionOf('developer')
  await app.recorded()
  const [before = 0] = await app.ctx.db
    .selectFrom('audit_log')
    .select((eb) => eb.fn.max('id').as('id'))
    .execute()
    .then((rows) => rows.map(({ id }) => Number(id)))
  const { id } = app.seller.product
  assert.equal((await call('POST', `/products/${id}/users.json`, { body: {} })).status, 401)
  await app.recorded()
  const rows = await app.ctx.db.selectFrom('audit_log').selectAll().where('id', '>', before).execute()
  assert.deepEqual(
    rows.map(({ action, actor_id, product_id, details }) => [action, actor_id, product_id, details]),
    [
      [
        'authentication.failure',
        Number(reply.json.person.id),
        id,
        JSON.stringify({ count: 1, reason: 'role_not_allowed' }),
      ],
    ],
  )
  assert.match(rows[0]?.credential ?? '', /^session:\d+$/)
})

const takeToken = (headers: Record<string, string>) =>
  app.call('GET', `/developers/${app.seller.developer.id}/token.json`, { token: null, headers })

/** Signed with the keys of the account. */
function bySignature(): Promise<Reply> {
  const { developer } = app.seller
  const call = { method: 'GET', path: `/v1/developers/${developer.id}/token.json` }
  const date = toRfc2822(app.ctx.clock.real())
  const { headers } = signed(developer, call, { date, signedType: null })
  return takeToken(headers as Record<string, string>)
}

test('an access token is given for a signature alone: no token renews itself, no session outlives its end', async () => {
  const owner = await logIn(app)
  const { status, json } = await bySignature()
  assert.equal(status, 200)
  for (const headers of [
    { authorization: `FSA ${app.seller.developer.id}:${json.access}` },
    await accessHeader(app, app.seller.developer.id),
    { 'x-keywright-session': owner.token },
    { cookie: owner.cookie, 'x-keywright-csrf': owner.csrf },
  ]) {
    assert.equal((await takeToken(headers)).status, 401, Object.keys(headers)[0])
  }
})

test("the account's own keys are not limited, and a token taken with them has no role", async () => {
  const { id } = app.seller.developer
  const headers = { authorization: `FSA ${id}:${(await bySignature()).json.access}` }
  const members = await app.call('GET', `/developers/${id}/members.json`, { token: null, headers })
  assert.equal(members.json.members.length, ROLES.length)
})

test('a change of the role holds at once, for the session and the token', async () => {
  const owner = await logIn(app)
  const { json } = await owner.call('POST', '/members.json', {
    body: { email: 'mover@example.com', role: 'accountant' },
  })
  const personId = await joinTeam(app, json.id)
  const mover = await logIn(app, { body: { email: 'mover@example.com', password: PASSWORD } })
  const headers = await accessHeader(app, personId)
  const path = `/developers/${app.seller.developer.id}/bank_account.json`
  const byToken = async () => (await app.call('GET', path, { token: null, headers })).status
  assert.deepEqual([(await mover.call('GET', '/bank_account.json')).status, await byToken()], [200, 200])
  await owner.call('PUT', `/members/${json.id}.json`, { body: { role: 'support' } })
  assert.deepEqual([(await mover.call('GET', '/bank_account.json')).status, await byToken()], [401, 401])
  assert.equal((await mover.call('GET', '/session.json')).json.role, 'support')
  await owner.call('DELETE', `/members/${json.id}.json`)
  assert.deepEqual([(await mover.call('GET', '/session.json')).status, await byToken()], [401, 401])
})

test('support refunds where it was given the right, by session and by token, until it is taken back', async () => {
  const owner = await logIn(app)
  const body = { email: 'refunder@example.com', role: 'support', can_refund: true }
  const { json: member } = await owner.call('POST', '/members.json', { body })
  assert.equal(member.can_refund, true)
  const personId = await joinTeam(app, member.id)
  const refunder = await logIn(app, { body: { email: body.email } })
  const headers = await accessHeader(app, personId)
  const charged = await chargedInSandbox()
  const { payment } = await sell(app, {
    payment: charged,
    subscription: { gateway: 'test', environment: 1 },
  })
  const path = `/products/${app.seller.product.id}/payments/${payment.id}/refunds.json`
  const bySession = async (call = refunder.call) => (await call('POST', path, { body: { amount: 1 } })).status
  const byToken = async () =>
    (
      await app.call('POST', `/developers/${app.seller.developer.id}${path}`, {
        token: null,
        headers,
        body: { amount: 1 },
      })
    ).status
  assert.deepEqual([await bySession(), await byToken()], [201, 201])
  assert.deepEqual(
    [
      await bySession(sessionOf('support').call),
      (await refunder.call('GET', '/session.json')).json.can_refund,
    ],
    [401, true],
  )
  const note = `/products/${app.seller.product.id}/payments/${payment.id}/note.json`
  assert.equal((await refunder.call('POST', note, { body: { note: 'x' } })).status, 401)
  const change = (to: object) => owner.call('PUT', `/members/${member.id}.json`, { body: to })
  assert.equal((await change({ role: 'support' })).json.can_refund, true)
  assert.equal((await change({ role: 'support', can_refund: false })).json.can_refund, false)
  assert.deepEqual([await bySession(), await byToken()], [401, 401])
})

test('the right to refund is for support, and ends where another role is given', async () => {
  const owner = await logIn(app)
  const body = { email: 'moved@example.com', role: 'support', can_refund: true }
  const { json: member } = await owner.call('POST', '/members.json', { body })
  const change = (to: object) => owner.call('PUT', `/members/${member.id}.json`, { body: to })
  for (const role of ['developer', 'admin', 'accountant']) {
    const { status, json } = await change({ role, can_refund: true })
    assert.deepEqual([status, json.error.details[0].field], [400, 'can_refund'])
  }
  assert.equal((await change({ role: 'developer' })).json.can_refund, false)
  assert.equal((await change({ role: 'support' })).json.can_refund, false)
})
