import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createSeller } from '../../../test/factories.ts'
import { logIn, type Login, setPassword, tryLogin } from '../../../test/logins.ts'

const TEN = Array.from({ length: 10 })

let app: TestApp
let owner: Login
before(async () => {
  app = await startTestApp('members')
  await setPassword(app)
  owner = await logIn(app, { body: { remember_me: true } })
})
after(() => app.close())

const add = (body: object) => owner.call('POST', '/members.json', { body })

const eventsOf = async (type: string, memberId: string) =>
  (await app.ctx.db.selectFrom('events').selectAll().where('type', '=', type).execute()).filter(({ data }) =>
    data?.includes(`"member_id":"${memberId}"`),
  )

test('a member of one team is nobody in another, and a stranger logs in to neither', async () => {
  const other = await app.write((tx) => createSeller(tx, 'elsewhere@example.com'))
  await setPassword(app, other.developer.id)
  assert.equal((await tryLogin(app, { body: { email: 'elsewhere@example.com' } })).status, 401)
  const theirs = await logIn(app, { account: other.developer.id, body: { email: 'elsewhere@example.com' } })
  const headers = { 'x-keywright-session': theirs.token }
  const path = `/developers/${app.seller.developer.id}/members.json`
  assert.equal((await app.call('GET', path, { token: null, headers })).status, 401)
  const { members } = (await theirs.call('GET', '/members.json')).json
  assert.deepEqual(members, [])
  const member = (await add({ email: 'colleague@example.com', role: 'support' })).json
  const change = await theirs.call('PUT', `/members/${member.id}.json`, { body: { role: 'admin' } })
  assert.equal(change.status, 404)
  assert.equal((await theirs.call('DELETE', `/members/${member.id}.json`)).status, 404)
})

test('the owner and a member cannot be added again; bad input names its fields', async () => {
  await add({ email: 'again@example.com', role: 'support' })
  for (const email of ['AGAIN@example.com', 'seller@example.com']) {
    const { status, json } = await add({ email, role: 'admin' })
    assert.deepEqual([status, json.error.code], [400, 'member_email_taken'])
  }
  const bad = await add({ email: 'nobody', role: 'owner', first: 'a\u202e' })
  assert.deepEqual(bad.json.error.details.map(({ field }: { field: string }) => field).toSorted(), [
    'email',
    'first',
    'role',
  ])
  assert.equal((await add({})).status, 402)
})

test('of ten additions of one address at once one is made, with one account and one mail', async () => {
  const replies = await Promise.all(TEN.map(() => add({ email: 'race@example.com', role: 'support' })))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, ...Array<number>(9).fill(400)])
  const { db } = app.ctx
  const accounts = await db
    .selectFrom('developers')
    .select('id')
    .where('email', '=', 'race@example.com')
    .execute()
  const mails = await db
    .selectFrom('mails')
    .select('id')
    .where('recipient', '=', 'race@example.com')
    .execute()
  assert.deepEqual([accounts.length, mails.length], [1, 1])
})

test('a role is changed with an event when it differs, and the list shows it', async () => {
  const { id } = (await add({ email: 'role@example.com', role: 'support' })).json
  const change = (role: string) => owner.call('PUT', `/members/${id}.json`, { body: { role } })
  assert.equal((await change('developer')).json.role, 'developer')
  assert.equal((await change('developer')).status, 200)
  const told = await eventsOf('member.updated', id)
  assert.deepEqual(
    told.map(({ data }) => JSON.parse(data ?? '')),
    [{ member_id: id, role: 'developer', from: { role: 'support' }, to: { role: 'developer' } }],
  )
  const { members } = (await owner.call('GET', '/members.json?count=50&fields=id,role')).json
  assert.deepEqual(
    members.find((member: { id: string }) => member.id === id),
    { id, role: 'developer' },
  )
  assert.equal((await owner.call('PUT', '/members/987654321.json', { body: { role: 'admin' } })).status, 404)
})

test('of ten removals at once one is made and told', async () => {
  const { id } = (await add({ email: 'gone@example.com', role: 'support' })).json
  const replies = await Promise.all(TEN.map(() => owner.call('DELETE', `/members/${id}.json`)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [204, ...Array<number>(9).fill(404)])
  assert.equal((await eventsOf('member.deleted', id)).length, 1)
})
