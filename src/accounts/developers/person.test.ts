import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY, HOUR } from '../../lib/time.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { logIn, PASSWORD, setPassword, tryLogin } from '../../../test/logins.ts'
import { mailsTo } from '../../../test/mails.ts'
import { createDeveloper } from './service.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('person')
  await setPassword(app)
})
after(() => app.close())

async function linkTo(email: string): Promise<string> {
  const mail = (await mailsTo(app, email)).at(-1)
  return /http:\/\/keywright\.test(\/confirm-own-email\/\S+)/.exec(mail?.text ?? '')?.[1] ?? 'no link'
}
const follow = (path: string, method = 'POST') => fetch(app.address + path, { method })

const another = (email: string) =>
  app.write((tx) => createDeveloper(tx, { email, first: 'An', last: 'Other', passwordHash: null }))

test('a developer changes its own name at once, and no other', async () => {
  const other = await another('unchanged@example.com')
  const login = await logIn(app)
  const { status, json } = await login.call('PUT', '/person.json', {
    body: { first: 'Grace', last: 'Hopper', picture: 'https://example.com/g.png' },
  })
  assert.deepEqual(
    [status, json.first, json.last, json.picture],
    [200, 'Grace', 'Hopper', 'https://example.com/g.png'],
  )
  const session = await login.call('GET', '/session.json')
  assert.equal(session.json.person.first, 'Grace')
  const row = await app.ctx.db.selectFrom('developers').select('first').where('id', '=', other).execute()
  assert.deepEqual(row, [{ first: 'An' }])
})

test('a person has a language and a time zone of its own in every session, and mails in that language', async () => {
  const beside = await logIn(app)
  const login = await logIn(app)
  const chosen = { language: 'de', zone: 'Europe/Berlin' }
  const { status, json } = await login.call('PUT', '/person.json', { body: chosen })
  assert.deepEqual([status, json.language, json.zone], [200, 'de', 'Europe/Berlin'])
  const { person } = (await beside.call('GET', '/session.json')).json
  assert.deepEqual([person.language, person.zone], ['de', 'Europe/Berlin'])
  const other = await another('as-the-browser@example.com')
  await setPassword(app, other)
  const told = (await tryLogin(app, { account: other, body: { email: 'as-the-browser@example.com' } })).json
    .person
  assert.deepEqual([told.language, told.zone], [null, null])

  const body = { email: 'adresse@example.com', current_password: PASSWORD }
  assert.equal((await login.call('PUT', '/person.json', { body })).status, 200)
  assert.match((await mailsTo(app, body.email)).at(-1)?.text ?? '', /^Guten Tag/)
  const none = await login.call('PUT', '/person.json', { body: { language: null, zone: null } })
  assert.deepEqual([none.json.language, none.json.zone], [null, null])
})

test('a language that pages do not have and a zone that nobody knows are refused by their names, and nothing is stored', async () => {
  const login = await logIn(app)
  for (const [field, value] of [
    ['zone', 'Mars/Base'],
    ['zone', ''],
    ['zone', 7],
    ['language', 'fr'],
    ['language', ''],
  ] as const) {
    const { status, json } = await login.call('PUT', '/person.json', {
      body: { first: 'Nobody', zone: 'UTC', [field]: value },
    })
    assert.deepEqual([status, json.error.details.map((one: { field: string }) => one.field)], [400, [field]])
  }
  const { person } = (await login.call('GET', '/session.json')).json
  assert.deepEqual([person.first, person.language, person.zone], ['Grace', null, null])
})

test('another address needs the password, is confirmed there, and told to the old one', async () => {
  const login = await logIn(app)
  const email = 'grace@example.com'
  const missing = await login.call('PUT', '/person.json', { body: { email } })
  assert.deepEqual([missing.status, missing.json.error.details[0].field], [402, 'current_password'])
  const wrong = await login.call('PUT', '/person.json', {
    body: { email, current_password: 'wrong password', first: 'Nobody' },
  })
  assert.equal(wrong.status, 401)
  const asked = await login.call('PUT', '/person.json', { body: { email, current_password: PASSWORD } })
  assert.deepEqual([asked.status, asked.json.email, asked.json.first], [200, 'seller@example.com', 'Grace'])
  const link = await linkTo(email)
  assert.equal((await follow(link, 'GET')).status, 200)
  assert.equal((await tryLogin(app)).status, 200, 'the old address logs in until then')
  const replies = await Promise.all(Array.from({ length: 5 }, () => follow(link)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 404, 404, 404, 404])
  assert.equal((await tryLogin(app)).status, 401)
  assert.equal((await tryLogin(app, { body: { email } })).status, 200)
  const told = (await mailsTo(app, 'seller@example.com')).at(-1)
  assert.equal(told?.kind, 'own_email_changed')
  await app.write(({ db }) =>
    db
      .updateTable('developers')
      .set({ email: 'seller@example.com', email_folded: 'seller@example.com' })
      .where('id', '=', app.seller.developer.id)
      .execute(),
  )
})

test('an address that another developer has, before or meanwhile, is refused', async () => {
  await another('had@example.com')
  const login = await logIn(app)
  const ask = (email: string) =>
    login.call('PUT', '/person.json', { body: { email, current_password: PASSWORD, first: 'Changed' } })
  const refused = await ask('Had@example.com')
  assert.deepEqual([refused.status, refused.json.error.code], [400, 'developer_email_taken'])
  assert.deepEqual(await mailsTo(app, 'Had@example.com'), [])
  assert.notEqual((await login.call('GET', '/session.json')).json.person.first, 'Changed')

  await ask('meanwhile@example.com')
  const link = await linkTo('meanwhile@example.com')
  await another('meanwhile@example.com')
  assert.equal((await follow(link)).status, 400)
  assert.equal((await tryLogin(app)).status, 200)
})

test('a new password ends the link to an address that was asked for with the one before', async () => {
  const login = await logIn(app)
  const ask = { email: 'outlived@example.com', current_password: PASSWORD }
  assert.equal((await login.call('PUT', '/person.json', { body: ask })).status, 200)
  const link = await linkTo(ask.email)
  assert.equal((await follow(link, 'GET')).status, 200)
  const body = { current_password: PASSWORD, new_password: 'another pass phrase of mine' }
  assert.equal((await login.call('PUT', '/password.json', { body })).status, 204)
  assert.deepEqual([(await follow(link, 'GET')).status, (await follow(link)).status], [404, 404])
  assert.equal((await login.call('GET', '/session.json')).json.person.email, 'seller@example.com')
  await setPassword(app)
})

test('of ten addresses that a person asks for at once, five are asked for in an hour', async () => {
  const login = await logIn(app)
  app.ctx.clock.advance(HOUR + 1000)
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) => {
      const body = { email: `often${n}@example.com`, current_password: PASSWORD }
      return login.call('PUT', '/person.json', { body })
    }),
  )
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [
    ...Array<number>(5).fill(200),
    ...Array<number>(5).fill(429),
  ])
})

test('addresses that were asked for under a clock that was ahead keep nobody from one when that comes back', async () => {
  const { clock } = app.ctx
  clock.advance(HOUR + 1000)
  const now = clock.real()
  const askFor = async (email: string) => {
    const { call } = await logIn(app)
    return (await call('PUT', '/person.json', { body: { email, current_password: PASSWORD } })).status
  }
  clock.advance(400 * DAY)
  for (let n = 0; n < 5; n++) assert.equal(await askFor(`ahead${n}@example.com`), 200)
  assert.equal(await askFor('ahead5@example.com'), 429)
  clock.set(now)
  assert.equal(await askFor('ahead6@example.com'), 200)
})
