import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY } from '../../lib/time.ts'
import { acceptInvitation } from './invitations.ts'
import { CONTENT_PLACE } from '../../mail/outbox.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createSeller } from '../../../test/factories.ts'
import { auditOf, logIn, type Login, PASSWORD, setPassword, tryLogin } from '../../../test/logins.ts'

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
const open = (path: string, form?: Record<string, string>) =>
  fetch(app.address + path, {
    method: form ? 'POST' : 'GET',
    redirect: 'manual',
    ...(form && { body: new URLSearchParams(form) }),
  })

/** The path of the latest invitation that was mailed to an address; '' when there is none. */
async function invitationOf(email: string): Promise<string> {
  const mails = await app.ctx.db
    .selectFrom('mails')
    .select('content')
    .where('recipient', '=', email)
    .where('kind', '=', 'member_invitation')
    .orderBy('id', 'desc')
    .execute()
  const sealed = mails[0]?.content
  if (!sealed) return ''
  const { text } = JSON.parse(app.ctx.keys.open(sealed, CONTENT_PLACE)) as { text: string }
  return /http:\/\/keywright\.test(\/invitation\/\S+)/.exec(text)?.[1] ?? ''
}

const eventsOf = async (type: string, memberId: string) =>
  (await app.ctx.db.selectFrom('events').selectAll().where('type', '=', type).execute()).filter(({ data }) =>
    data?.includes(`"member_id":"${memberId}"`),
  )

test('an unknown address gets an account of its own, and a link to choose a password with', async () => {
  const added = await add({ email: 'new@example.com', role: 'support', first: 'Nora', last: '<b>New</b>' })
  assert.equal(added.status, 201, added.text)
  const { id, created, ...member } = added.json
  assert.deepEqual(member, {
    updated: null,
    email: 'new@example.com',
    first: 'Nora',
    last: '<b>New</b>',
    picture: '',
    role: 'support',
    is_invited: true,
  })
  assert.equal((await tryLogin(app, { body: { email: 'new@example.com', password: '' } })).status, 401)
  const path = await invitationOf('new@example.com')
  const page = await open(path)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /Sam Seller has invited new@example\.com/)
  const weak = await open(path, { password: 'password1' })
  assert.equal(weak.status, 400)
  assert.match(await weak.text(), /most common passwords/)
  assert.equal((await open(path, { password: PASSWORD })).status, 200)
  const member2 = await logIn(app, { body: { email: 'new@example.com' } })
  const session = (await member2.call('GET', '/session.json')).json
  assert.deepEqual([session.person.id, session.role], [id, 'support'])
  assert.equal(session.person.is_verified, true)
  assert.equal((await eventsOf('member.created', id)).length, 1)
  assert.equal((await auditOf(app, 'invitation.accepted')).at(-1)?.actor_id, Number(id))
  assert.ok(created)
})

test('an invitation opens without being used up, works once of ten at once, and for 7 days', async () => {
  await add({ email: 'once@example.com', role: 'support' })
  const path = await invitationOf('once@example.com')
  for (let times = 0; times < 3; times++) assert.equal((await open(path)).status, 200)
  const replies = await Promise.all(TEN.map((_, index) => open(path, { password: `${PASSWORD} ${index}` })))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, ...Array<number>(9).fill(404)])
  assert.equal((await open(path)).status, 404)
  await add({ email: 'late@example.com', role: 'support' })
  const late = await invitationOf('late@example.com')
  app.ctx.clock.advance(7 * DAY - 1000)
  assert.equal((await open(late)).status, 200)
  app.ctx.clock.advance(1000)
  assert.equal((await open(late, { password: PASSWORD })).status, 404)
  assert.equal((await open('/invitation/unknown')).status, 404)
  owner = await logIn(app, { body: { remember_me: true } })
})

test('of ten transactions that accept one invitation at once one does', async () => {
  await add({ email: 'parallel@example.com', role: 'support' })
  const token = (await invitationOf('parallel@example.com')).replace('/invitation/', '')
  const from = { ip: '192.0.2.1', requestId: 'test' }
  const accepted = await Promise.allSettled(
    TEN.map((_, index) => app.write((tx) => acceptInvitation(tx, token, `hash ${index}`, from))),
  )
  assert.equal(accepted.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('an invitation never changes a password that is there', async () => {
  const { id } = (await add({ email: 'twice@example.com', role: 'support' })).json
  const first = await invitationOf('twice@example.com')
  await owner.call('DELETE', `/members/${id}.json`)
  await add({ email: 'twice@example.com', role: 'support' })
  const second = await invitationOf('twice@example.com')
  assert.notEqual(first, second)
  assert.equal((await open(second, { password: PASSWORD })).status, 200)
  assert.equal((await open(first, { password: 'another long pass phrase' })).status, 404)
  await logIn(app, { body: { email: 'twice@example.com' } })
  const third = (await add({ email: 'third@example.com', role: 'support' })).json
  const path = await invitationOf('third@example.com')
  await setPassword(app, Number(third.id))
  assert.equal((await open(path)).status, 404)
})

test('who has an account is added to the team at once, without a mail and with an account of its own still', async () => {
  const other = await app.write((tx) => createSeller(tx, 'known@example.com'))
  await setPassword(app, other.developer.id)
  const { json } = await add({ email: 'Known@example.com', role: 'accountant' })
  assert.deepEqual(
    [json.id, json.email, json.is_invited],
    [String(other.developer.id), 'known@example.com', false],
  )
  assert.equal(await invitationOf('known@example.com'), '')
  const known = await logIn(app, { body: { email: 'known@example.com' } })
  assert.equal((await known.call('GET', '/session.json')).json.role, 'accountant')
  const own = await app.call('GET', `/developers/${other.developer.id}/session.json`, {
    token: null,
    headers: { 'x-keywright-session': known.token },
  })
  assert.equal(own.json.role, 'admin')
})

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
  const [member] = (await owner.call('GET', '/members.json')).json.members
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
  assert.equal((await eventsOf('member.updated', id)).length, 1)
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
