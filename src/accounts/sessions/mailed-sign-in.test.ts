import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { HOUR, SECOND } from '../../lib/time.ts'
import { type Reply, startTestApp, type TestApp } from '../../../test/app.ts'
import {
  anywhere,
  auditOf,
  codeAt,
  enroll,
  FROM_ANYWHERE,
  logIn,
  setPassword,
  tryLogin,
} from '../../../test/logins.ts'
import { mailsTo } from '../../../test/mails.ts'
import { untilDone } from '../../work/afterwards.ts'

const EMAIL = 'seller@example.com'
const wrong = { password: 'not the right one' }

let app: TestApp
before(async () => {
  app = await startTestApp('mailed_sign_in', { config: FROM_ANYWHERE })
  await setPassword(app)
})
after(() => app.close())
afterEach(async () => {
  await untilDone()
  await app.write(async ({ db }) => {
    for (const table of [
      'login_failures',
      'login_addresses',
      'backup_codes',
      'two_factor',
      'mails',
    ] as const) {
      await db.deleteFrom(table).execute()
    }
  })
  await setPassword(app)
  app.ctx.clock.advance(HOUR)
})

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const useUp = () => times(10, () => tryLogin(app, { from: anywhere(), body: wrong }))
const links = async () => {
  await untilDone()
  const mails = await mailsTo(app, EMAIL)
  return mails
    .filter(({ kind }) => kind === 'sign_in_link')
    .map(({ text }) => new URL(/http\S+\/sign-in\/\S+/.exec(text)?.[0] ?? assert.fail(text)).pathname)
}
/** The link of the one mail that a right password brings while the account is closed. */
async function mailedLink(): Promise<string> {
  await useUp()
  assert.equal((await tryLogin(app, { from: anywhere() })).status, 429)
  const [link, ...more] = await links()
  assert.ok(link !== undefined && more.length === 0)
  return link
}
const follow = (link: string, method: 'GET' | 'POST', from = anywhere()) =>
  fetch(app.address + link, { method, headers: { 'x-forwarded-for': from }, redirect: 'manual' })

test('a thousand failures from as many addresses keep the owner out of neither a known address nor a new one', async () => {
  await logIn(app, { from: '192.0.2.1' })
  app.ctx.clock.advance(SECOND)
  const replies: Reply[] = []
  for (let group = 0; group < 20; group++) {
    replies.push(...(await times(50, () => tryLogin(app, { from: anywhere(), body: wrong }))))
  }
  const count = (status: number) => replies.filter((reply) => reply.status === status).length
  assert.deepEqual([count(401), count(429)], [10, 990])
  assert.deepEqual(await links(), [])
  await logIn(app, { from: '192.0.2.1' })
  app.ctx.clock.advance(SECOND)

  const refused = await tryLogin(app, { from: '203.0.113.8' })
  assert.equal(refused.status, 429)
  const [link = assert.fail('no link')] = await links()
  const shown = await follow(link, 'GET', '203.0.113.8')
  assert.deepEqual([shown.status, shown.headers.get('set-cookie')], [200, null], 'a scanner uses nothing up')
  const entered = await follow(link, 'POST', '203.0.113.8')
  const cookie = entered.headers.get('set-cookie') ?? assert.fail(await entered.text())
  assert.match(cookie, /Max-Age=43200; HttpOnly; SameSite=Lax/)
  const session = await app.call('GET', `/developers/${app.seller.developer.id}/session.json`, {
    token: null,
    headers: { cookie: cookie.split(';')[0] ?? '' },
  })
  assert.deepEqual([session.status, session.json.person.email], [200, EMAIL], session.text)
  const success = (await auditOf(app, 'login.success')).at(-1)
  assert.deepEqual([success?.ip, success?.details['second_factor']], ['203.0.113.8', 'link'])
  await logIn(app, { from: '203.0.113.8' })
})

test('a right password gets its caller nothing while the limit stands, and is answered and counted as a wrong one', async () => {
  await useUp()
  const face = async (body: object) => {
    const from = anywhere()
    const { status, headers, json } = await tryLogin(app, { from, body })
    const { timestamp: _time, request_id: _id, ...error } = json.error
    // How much is left to the address is not another answer to the question.
    const left = await times(31, (index) =>
      tryLogin(app, { from, body: { ...wrong, email: `left${index}-${from}@example.com` } }),
    )
    const failed = left.filter((reply) => reply.status === 401).length
    return { status, error, cookie: headers.get('set-cookie'), retry: headers.get('retry-after'), failed }
  }
  for (const proof of [{}, { code: '000000' }, { backup_code: 'none' }]) {
    assert.deepEqual(await face(proof), await face({ ...wrong, ...proof }), JSON.stringify(proof))
  }
  await untilDone()
  const kinds = (await mailsTo(app, EMAIL)).map(({ kind }) => kind)
  assert.ok(!kinds.includes('new_sign_in'))
})

test('a link lets in once, also when it is followed many times at once', async () => {
  const link = await mailedLink()
  const statuses = (await times(6, () => follow(link, 'POST'))).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [303, 404, 404, 404, 404, 404])
  app.ctx.clock.advance(SECOND)
  assert.equal((await follow(link, 'GET')).status, 404)
})

test('a link works for an hour', async () => {
  const link = await mailedLink()
  app.ctx.clock.advance(HOUR - SECOND)
  assert.equal((await follow(link, 'GET')).status, 200)
  app.ctx.clock.advance(SECOND)
  assert.equal((await follow(link, 'POST')).status, 404)
})

test('a login, another password, another address and two-factor end a link', async () => {
  const { id } = app.seller.developer
  const change = (values: { email?: string; password_hash?: string }) =>
    app.write(({ db }) => db.updateTable('developers').set(values).where('id', '=', id).execute())
  const ends = {
    password: () => setPassword(app, id, 'another battery staple'),
    address: () => change({ email: 'seller2@example.com' }),
    'two-factor': () =>
      app.write(({ db, clock }) =>
        db
          .insertInto('two_factor')
          .values({ person_id: id, secret: '', last_step: 0, confirmed_at: clock.now() })
          .execute(),
      ),
  }
  await logIn(app, { from: '192.0.2.1' })
  app.ctx.clock.advance(SECOND)
  const link = await mailedLink()
  for (const [what, end] of Object.entries(ends)) {
    const before = await app.ctx.db
      .selectFrom('developers')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await end()
    assert.equal((await follow(link, 'POST')).status, 404, what)
    await change({ email: EMAIL, password_hash: before.password_hash ?? '' })
    await app.write(({ db }) => db.deleteFrom('two_factor').execute())
    assert.equal((await follow(link, 'GET')).status, 200, what)
  }
  await logIn(app, { from: '192.0.2.1' })
  app.ctx.clock.advance(SECOND)
  assert.equal((await follow(link, 'POST')).status, 404)
})

test('three links an hour are mailed to a person, none for a wrong password nor with two-factor', async () => {
  await useUp()
  await times(8, () => tryLogin(app, { from: anywhere() }))
  assert.equal((await links()).length, 3)
  app.ctx.clock.advance(HOUR)
  const login = await logIn(app, { from: '192.0.2.1' })
  const { secret } = await enroll(app, login)
  await useUp()
  assert.equal((await tryLogin(app, { from: anywhere() })).status, 429)
  assert.equal((await links()).length, 3)
  app.ctx.clock.advance(60 * SECOND)
  await logIn(app, { from: anywhere(), body: { code: codeAt(secret, app.ctx.clock.real()) } })
})

test('ten passwords of an address are looked at in an hour after a refusal, whoever they are for', async () => {
  await useUp()
  const from = anywhere()
  await times(10, () => tryLogin(app, { from, body: wrong }))
  await untilDone()
  assert.equal((await tryLogin(app, { from })).status, 429)
  assert.deepEqual(await links(), [])
  assert.equal((await tryLogin(app, { from: anywhere() })).status, 429)
  assert.equal((await links()).length, 1)
})

test('a token of another kind or a changed one is no link', async () => {
  const link = await mailedLink()
  for (const other of [`${link}x`, link.replace('.', '.x'), '/sign-in/x', '/sign-in/a.b.c']) {
    assert.equal((await follow(other, 'POST')).status, 404, other)
  }
  assert.equal((await follow(link, 'POST')).status, 303)
})
