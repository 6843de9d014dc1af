import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createSeller } from '../../../test/factories.ts'
import { codeAt, enroll, joinTeam, logIn, type Login, setPassword, tryLogin } from '../../../test/logins.ts'

let app: TestApp
let owner: Login
before(async () => {
  app = await startTestApp('person_session')
  await setPassword(app)
  owner = await logIn(app)
})
after(() => app.close())

const signIn = (body: object = {}, headers: Record<string, string> = {}) =>
  tryLogin(app, { account: null, body, headers })

const enter = (body: object = {}) => logIn(app, { account: null, body })

const sessionOf = (headers: Record<string, string>) =>
  app.call('GET', '/session.json', { token: null, headers })

/** Invites a person to the seller's team in a role, and accepts in its place. */
async function join(email: string, role: string, can_refund = false): Promise<number> {
  const body = { email, first: 'Kim', last: 'Lee', role, can_refund }
  const invited = await owner.call('POST', '/members.json', { body })
  assert.equal(invited.status, 201, invited.text)
  return joinTeam(app, String(invited.json.id))
}

test('a person signs in by address and password alone, and is told its accounts', async () => {
  const { cookie, csrf } = await enter({ email: 'SELLER@example.com' })
  const { status, json } = await sessionOf({ cookie })
  assert.equal(status, 200)
  assert.equal(json.person.email, 'seller@example.com')
  assert.equal(json.csrf_token, csrf)
  assert.deepEqual(
    json.accounts.map((one: Record<string, unknown>) => [one['developer_id'], one['role']]),
    [[String(app.seller.developer.id), 'admin']],
  )
  assert.equal(json.accounts[0].rights.sales, 'write')
  assert.equal(json.accounts[0].public_key, app.seller.developer.publicKey)
})

test('a wrong password and an unknown address are one refusal', async () => {
  const [wrong, unknown] = [await signIn({ password: 'no' }), await signIn({ email: 'nobody@example.com' })]
  assert.deepEqual([wrong.status, unknown.status], [401, 401])
  assert.equal(wrong.json.error.code, 'invalid_credentials')
  assert.equal(unknown.json.error.code, wrong.json.error.code)
  assert.equal(unknown.json.error.message, wrong.json.error.message)
  assert.equal(wrong.headers.get('set-cookie'), null)
})

test('a member of a team has its own account and that of the team, with what its role may', async () => {
  const person = await join('kim@example.com', 'support')
  const { cookie } = await enter({ email: 'kim@example.com' })
  const { json } = await sessionOf({ cookie })
  const [own, team] = json.accounts
  assert.deepEqual([own.developer_id, own.role], [String(person), 'admin'])
  assert.deepEqual([team.developer_id, team.role], [String(app.seller.developer.id), 'support'])
  assert.equal(team.public_key, app.seller.developer.publicKey)
  assert.deepEqual([team.rights.sales, team.rights.refunds, team.rights.licenses], ['read', 'none', 'write'])
})

test('support that may refund is told so', async () => {
  await join('lou@example.com', 'support', true)
  const { cookie } = await enter({ email: 'lou@example.com' })
  const { json } = await sessionOf({ cookie })
  assert.equal(json.accounts[1].rights.refunds, 'write')
})

test('who is only invited has nothing of the team', async () => {
  const other = await app.write((tx) => createSeller(tx, 'other@example.com'))
  await setPassword(app, other.developer.id)
  const body = { email: 'other@example.com', first: 'O', last: 'T', role: 'admin' }
  assert.equal((await owner.call('POST', '/members.json', { body })).status, 201)
  const { cookie } = await enter({ email: 'other@example.com' })
  const { json } = await sessionOf({ cookie })
  assert.deepEqual(
    json.accounts.map((one: Record<string, unknown>) => one['developer_id']),
    [String(other.developer.id)],
  )
})

test('signing out needs the header against forgery, and ends the session', async () => {
  const { cookie, csrf } = await enter()
  const out = (headers: Record<string, string>) => app.call('POST', '/logout.json', { token: null, headers })
  assert.equal((await out({ cookie })).json.error.code, 'csrf_required')
  assert.equal((await out({ cookie, 'x-keywright-csrf': csrf })).status, 204)
  assert.equal((await sessionOf({ cookie })).status, 401)
})

test('a page of another site cannot sign anybody in', async () => {
  const reply = await signIn({}, { origin: 'https://evil.example' })
  assert.deepEqual([reply.status, reply.json.error.code], [401, 'csrf_required'])
})

test('no key or token asks for the session of a person', async () => {
  assert.equal((await sessionOf({})).status, 401)
  const bearer = await app.call('GET', '/session.json')
  assert.equal(bearer.status, 401)
})

test('a person stays signed in for 12 hours, with remember_me for 7 days', async () => {
  for (const [remember_me, seconds] of [
    [false, 43_200],
    [true, 604_800],
  ] as const) {
    const { cookie } = await enter({ remember_me })
    assert.equal((await sessionOf({ cookie })).json.expires, seconds)
  }
})

test('a person with two-factor signs in by its code, or once by a backup code', async () => {
  const pat = await app.write((tx) => createSeller(tx, 'pat@example.com'))
  await setPassword(app, pat.developer.id)
  const email = 'pat@example.com'
  const { secret, backupCodes } = await enroll(
    app,
    await logIn(app, { account: pat.developer.id, body: { email } }),
  )
  assert.equal((await signIn({ email })).json.error.code, 'two_factor_required')
  app.ctx.clock.advance(30_000)
  assert.equal((await signIn({ email, code: codeAt(secret, app.ctx.clock.real()) })).status, 200)
  assert.equal((await signIn({ email, backup_code: 'A'.repeat(24) })).json.error.code, 'two_factor_invalid')
  assert.equal((await signIn({ email, backup_code: backupCodes[0] })).status, 200)
})
