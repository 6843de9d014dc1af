import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY, HOUR } from '../../lib/time.ts'
import { CONTENT_PLACE } from '../../mail/outbox.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createSeller } from '../../../test/factories.ts'
import { mailsTo } from '../../../test/mails.ts'
import {
  accessHeader,
  auditOf,
  logIn,
  type Login,
  PASSWORD,
  setPassword,
  tryLogin,
} from '../../../test/logins.ts'
import { acceptInvitation } from './invitations.ts'

const TEN = Array.from({ length: 10 })

let app: TestApp
let owner: Login
before(async () => {
  app = await startTestApp('invitations')
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

test('an unknown address gets an account of its own, and a link to join the team with a password it chooses', async () => {
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
    can_refund: false,
    is_invited: true,
  })
  assert.equal((await tryLogin(app, { body: { email: 'new@example.com', password: '' } })).status, 401)
  const path = await invitationOf('new@example.com')
  const page = await open(path)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /Sam Seller has invited new@example\.com to its team/)
  const weak = await open(path, { password: 'password1' })
  assert.equal(weak.status, 400)
  assert.match(await weak.text(), /most common passwords/)
  assert.equal((await open(path, { password: PASSWORD })).status, 200)
  const member2 = await logIn(app, { body: { email: 'new@example.com' } })
  const session = (await member2.call('GET', '/session.json')).json
  assert.equal(session.role, 'support')
  const listed = (await owner.call('GET', '/members.json?count=50')).json.members
  assert.equal(listed.find((one: { id: string }) => one.id === id).is_invited, false)
  assert.equal(session.person.is_verified, true)
  assert.equal((await eventsOf('member.created', id)).length, 1)
  assert.equal((await auditOf(app, 'invitation.accepted')).at(-1)?.actor_id, Number(session.person.id))
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

test('of ten transactions that accept one invitation at once one does, with a password to choose and without', async () => {
  for (const hasPassword of [false, true]) await acceptTenTimes(hasPassword)
})

async function acceptTenTimes(hasPassword: boolean): Promise<void> {
  const email = `parallel-${hasPassword}@example.com`
  await add({ email, role: 'support' })
  if (hasPassword) await setPassword(app, (await personOf(email)).id)
  const token = (await invitationOf(email)).replace('/invitation/', '')
  const from = { ip: '192.0.2.1', requestId: 'test' }
  const accepted = await Promise.allSettled(
    TEN.map((_, index) => app.write((tx) => acceptInvitation(tx, token, `hash ${index}`, from))),
  )
  assert.equal(accepted.filter(({ status }) => status === 'fulfilled').length, 1)
}

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
  await add({ email: 'third@example.com', role: 'support' })
  const path = await invitationOf('third@example.com')
  const { id: third } = await personOf('third@example.com')
  await setPassword(app, third)
  const { password_hash: before } = await personOf('third@example.com')
  assert.equal((await open(path, { password: 'another long pass phrase' })).status, 200)
  assert.equal((await personOf('third@example.com')).password_hash, before)
})

const personOf = (email: string) =>
  app.ctx.db
    .selectFrom('developers')
    .select(['id', 'password_hash'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()

test('of two teams that invite one person at once, both by links, one lets it choose the password', async () => {
  const other = await app.write((tx) => createSeller(tx, 'second-team@example.com'))
  await setPassword(app, other.developer.id)
  const account = other.developer.id
  const theirs = await logIn(app, { account, body: { email: 'second-team@example.com' } })
  const body = { email: 'both@example.com', role: 'support' }
  await add(body)
  const first = await invitationOf(body.email)
  await theirs.call('POST', '/members.json', { body })
  const second = await invitationOf(body.email)
  assert.notEqual(first, second)
  const choices = [PASSWORD, 'another long pass phrase']
  const replies = await Promise.all(
    [first, second].map((path, index) => open(path, { password: choices[index] ?? '' })),
  )
  const statuses = replies.map(({ status }) => status)
  if (statuses.includes(400)) {
    const late = statuses.indexOf(400) === 0 ? first : second
    assert.doesNotMatch(await (await open(late)).text(), /type="password"/)
    assert.equal((await open(late, {})).status, 200)
  }
  const signIns = async (password: string) => {
    const tried = [app.seller.developer.id, account].map((id) =>
      tryLogin(app, { account: id, body: { email: body.email, password } }),
    )
    return (await Promise.all(tried)).map(({ status }) => status)
  }
  const outcomes = await Promise.all(choices.map(signIns))
  assert.deepEqual(outcomes.map(String).sort(), ['200,200', '401,401'])
  if (statuses.includes(400)) assert.deepEqual(outcomes[statuses.indexOf(400)], [401, 401])
})

test('who has an account is asked too: until it accepts it may do nothing, and nothing of it is shown', async () => {
  const other = await app.write((tx) => createSeller(tx, 'known@example.com'))
  await setPassword(app, other.developer.id)
  const added = await add({ email: 'Known@example.com', role: 'accountant', first: 'K' })
  assert.equal(added.status, 201, added.text)
  const { id, created: _created, ...shown } = added.json
  const invited = {
    updated: null,
    email: 'Known@example.com',
    first: 'K',
    last: '',
    picture: '',
    role: 'accountant',
    can_refund: false,
    is_invited: true,
  }
  assert.deepEqual(shown, invited)
  const unknown = (await add({ email: 'Unknown@example.com', role: 'accountant', first: 'K' })).json
  assert.deepEqual(
    { ...unknown, id: '', created: '' },
    { ...invited, email: 'Unknown@example.com', id: '', created: '' },
  )
  assert.equal(Number(unknown.id), Number(id) + 1, 'ids do not tell who had an account')
  assert.equal((await tryLogin(app, { body: { email: 'known@example.com' } })).status, 401)
  const own = await logIn(app, { account: other.developer.id, body: { email: 'known@example.com' } })
  const inTeam = (path: string) =>
    app.call('GET', `/developers/${app.seller.developer.id}${path}`, {
      token: null,
      headers: { 'x-keywright-session': own.token },
    })
  const authorization = await accessHeader(app, other.developer.id)
  const byToken = () =>
    app.call('GET', `/developers/${app.seller.developer.id}/bank_account.json`, {
      token: null,
      headers: authorization,
    })
  assert.deepEqual([(await inTeam('/session.json')).status, (await byToken()).status], [401, 401])
  const path = await invitationOf('known@example.com')
  const page = await (await open(path)).text()
  assert.match(page, /Join/)
  assert.doesNotMatch(page, /type="password"/)
  assert.equal((await inTeam('/session.json')).status, 401, 'a link that is opened accepts nothing')
  assert.equal((await open(path, {})).status, 200)
  assert.deepEqual([(await inTeam('/session.json')).status, (await byToken()).status], [200, 200])
  const known = await logIn(app, { body: { email: 'known@example.com' } })
  assert.equal((await known.call('GET', '/session.json')).json.role, 'accountant')
  assert.equal((await own.call('GET', '/session.json')).json.role, 'admin')
  const { members } = (await owner.call('GET', '/members.json?count=50')).json
  const now = members.find((one: { id: string }) => one.id === id)
  assert.deepEqual(
    [now.email, now.first, now.last, now.is_invited],
    ['known@example.com', 'Sam', 'Seller', false],
  )
})

test('who is taken out of the team before it accepted is not let in by its link', async () => {
  const { id } = (await add({ email: 'withdrawn@example.com', role: 'support' })).json
  const path = await invitationOf('withdrawn@example.com')
  assert.equal((await owner.call('DELETE', `/members/${id}.json`)).status, 204)
  assert.equal((await open(path)).status, 404)
  assert.equal((await open(path, { password: PASSWORD })).status, 404)
})

test('a team invites a hundred people an hour, and one address three times, under whatever name', async () => {
  const seller = await app.write((tx) => createSeller(tx, 'inviting@example.com'))
  await setPassword(app, seller.developer.id)
  const { call } = await logIn(app, { account: seller.developer.id, body: { email: 'inviting@example.com' } })
  const invite = (email: string) => call('POST', '/members.json', { body: { email, role: 'support' } })
  const often: number[] = []
  for (let n = 0; n < 4; n++) {
    const { status, json } = await invite(n % 2 === 0 ? 'often@victim.example' : 'OFTEN@victim.example')
    often.push(status)
    if (status === 201) await call('DELETE', `/members/${json.id}.json`)
  }
  assert.deepEqual(often, [201, 201, 201, 429])
  const rest = await Promise.all(Array.from({ length: 100 }, (_, n) => invite(`n${n}@victim.example`)))
  assert.equal(rest.filter(({ status }) => status === 201).length, 97)
  const refused = rest.filter(({ status }) => status === 429)
  assert.equal(refused.length, 3)
  assert.ok(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0))
  assert.equal((await add({ email: 'n0@victim.example', role: 'support' })).status, 201)
  app.ctx.clock.advance(HOUR)
  assert.equal((await invite('often@victim.example')).status, 201)
})

test('an invitation names who invites by two words at most, and by none that is no name', async () => {
  const mailed = async (first: string, last: string) => {
    const email = `named${first.length}.${last.length}@victim.example`
    await app.write(({ db }) =>
      db.updateTable('developers').set({ first, last }).where('id', '=', app.seller.developer.id).execute(),
    )
    assert.equal((await add({ email, role: 'support', first: 'Win www.evil.example' })).status, 201)
    const [mail] = await mailsTo(app, email)
    return mail
  }
  const named = await mailed('Ludwig Maria', 'van Beethoven')
  assert.equal(named?.subject, 'Ludwig Beethoven has invited you')
  const evil = await mailed('https://evil.example/now', 'You.have.won')
  assert.equal(evil?.subject, 'keywright.test has invited you')
  for (const mail of [named, evil]) assert.doesNotMatch(`${mail?.text}${mail?.html}`, /evil|won/)
})
