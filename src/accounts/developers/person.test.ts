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
