import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { operations } from '../app.ts'
import { ROLES, type Role } from '../lib/roles.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { logIn, type Login, PASSWORD, setPassword } from '../../test/logins.ts'
import { rolesDocument, ROLES_FILE } from '../../tools/roles.ts'
import { mountsOf } from './mounts.ts'
import { groupOf, isAllowed } from './roles.ts'

let app: TestApp
const sessions = new Map<Role, Login>()
before(async () => {
  app = await startTestApp('roles')
  await setPassword(app)
  const owner = await logIn(app)
  for (const role of ROLES) {
    const email = `${role}@example.com`
    const { json } = await owner.call('POST', '/members.json', { body: { email, role } })
    await setPassword(app, Number(json.id))
    sessions.set(role, await logIn(app, { body: { email } }))
  }
})
after(() => app.close())

const sessionOf = (role: Role): Login => sessions.get(role) ?? assert.fail(role)

test('every operation belongs to a group', () => {
  assert.deepEqual(
    operations.filter(({ id }) => groupOf(id) === undefined).map(({ id }) => id),
    [],
  )
})

test('every group of the table has its right id: the longest beginning counts', () => {
  assert.deepEqual(
    ['coupons/list', 'coupons/create-note', 'plans/create-license', 'plans/create', 'nothing/of-it'].map(
      groupOf,
    ),
    ['catalogue', 'notes', 'licenses', 'catalogue', undefined],
  )
})

test('docs/roles.md is what the table says (`npm run roles` writes it)', async () => {
  assert.equal(await readFile(ROLES_FILE, 'utf8'), rolesDocument())
})

test('an operation without a group is for admins only', () => {
  const op = { id: 'nothing/of-it', kind: 'read' } as const
  assert.deepEqual(
    ROLES.map((role) => isAllowed(role, op)),
    [true, false, false, false],
  )
})

/** Every address of the account, asked for what does not exist, so that nothing is changed by who may. */
const addresses = () =>
  mountsOf(operations).filter(
    ({ kind, served, op }) =>
      served &&
      (kind === 'developer' || kind === 'account') &&
      groupOf(op.id) !== 'open' &&
      op.access !== 'session',
  )
const pathOf = (path: string) =>
  path
    .replace('/developers/{developer_id}', '')
    .replace('{product_id}', String(app.seller.product.id))
    .replaceAll(/\{\w+\}/g, '987654321')

test('each role is let through to exactly the operations of its column, with a session and with its token', async () => {
  for (const role of ROLES) {
    const { call } = sessionOf(role)
    const { access } = (await call('GET', '/token.json')).json
    const authorization = `FSA ${app.seller.developer.id}:${access}`
    for (const { method, path, op } of addresses()) {
      const expected = isAllowed(role, op)
      const body = op.body ? { body: {} } : {}
      const bySession = await call(method as 'GET', pathOf(path), body)
      const byToken = await app.call(
        method as 'GET',
        `/developers/${app.seller.developer.id}${pathOf(path)}`,
        {
          token: null,
          headers: { authorization },
          ...body,
        },
      )
      for (const { status, json, text } of [bySession, byToken]) {
        const at = `${role} ${op.id}: ${status} ${text.slice(0, 200)}`
        assert.equal(json?.error?.code === 'role_not_allowed', !expected, at)
        assert.equal(status === 401, !expected, at)
      }
    }
  }
})

test('nobody but an admin is shown a secret key of the account, its stores or its products', async () => {
  const { developer, store, product, other } = app.seller
  const secrets = [developer, store, product, other].map(({ secretKey }) => secretKey)
  const shown = new Set<Role>()
  for (const role of ROLES) {
    for (const { method, path } of addresses().filter(({ op }) => op.kind === 'read')) {
      const { text } = await sessionOf(role).call(method as 'GET', pathOf(path))
      if (secrets.some((secret) => text.includes(secret))) shown.add(role)
    }
  }
  assert.deepEqual([...shown], ['admin'])
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

test("the account's own keys are not limited, and a token taken with them has no role", async () => {
  const { id } = app.seller.developer
  const owner = await logIn(app)
  const { access } = (await owner.call('GET', '/token.json')).json
  const headers = { authorization: `FSA ${id}:${access}` }
  const members = await app.call('GET', `/developers/${id}/members.json`, { token: null, headers })
  assert.equal(members.json.members.length, ROLES.length)
})

test('a change of the role holds at once, for the session and the token', async () => {
  const owner = await logIn(app)
  const { json } = await owner.call('POST', '/members.json', {
    body: { email: 'mover@example.com', role: 'accountant' },
  })
  await setPassword(app, Number(json.id))
  const mover = await logIn(app, { body: { email: 'mover@example.com', password: PASSWORD } })
  const { access } = (await mover.call('GET', '/token.json')).json
  const headers = { authorization: `FSA ${app.seller.developer.id}:${access}` }
  const path = `/developers/${app.seller.developer.id}/bank_account.json`
  const byToken = async () => (await app.call('GET', path, { token: null, headers })).status
  assert.deepEqual([(await mover.call('GET', '/bank_account.json')).status, await byToken()], [200, 200])
  await owner.call('PUT', `/members/${json.id}.json`, { body: { role: 'support' } })
  assert.deepEqual([(await mover.call('GET', '/bank_account.json')).status, await byToken()], [401, 401])
  assert.equal((await mover.call('GET', '/session.json')).json.role, 'support')
  await owner.call('DELETE', `/members/${json.id}.json`)
  assert.deepEqual([(await mover.call('GET', '/session.json')).status, await byToken()], [401, 401])
})
