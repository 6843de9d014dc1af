import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { HOUR } from '../../lib/time.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createSeller } from '../../../test/factories.ts'
import { auditOf, enroll, logIn, setPassword, tryLogin } from '../../../test/logins.ts'
import { mailsTo } from '../../../test/mails.ts'
import { untilDone } from '../../work/afterwards.ts'

const EMAIL = 'seller@example.com'
const FRESH = 'seven Manx cats, awake'

let app: TestApp
before(async () => {
  app = await startTestApp('forgotten_password')
  await setPassword(app)
  await app.write((tx) => createSeller(tx, 'other@example.com'))
})
after(() => app.close())
afterEach(async () => {
  await untilDone()
  await app.write(async ({ db }) => {
    for (const table of ['login_failures', 'backup_codes', 'two_factor', 'mails'] as const)
      await db.deleteFrom(table).execute()
  })
  await setPassword(app)
  app.ctx.clock.advance(HOUR)
})

const ask = (email: string) => app.call('POST', '/password/forgotten.json', { token: null, body: { email } })

async function links(email = EMAIL): Promise<string[]> {
  await untilDone()
  const mails = await mailsTo(app, email)
  return mails
    .filter(({ kind }) => kind === 'forgotten_password')
    .map(({ text }) => new URL(/http\S+\/password\/\S+/.exec(text)?.[0] ?? assert.fail(text)).pathname)
}

async function mailedLink(): Promise<string> {
  assert.equal((await ask(EMAIL)).status, 202)
  const [link, ...more] = await links()
  assert.ok(link !== undefined && more.length === 0)
  return link
}

const choose = (link: string, password = FRESH) =>
  fetch(app.address + link, { method: 'POST', body: new URLSearchParams({ password }) })

test('a mailed link gives another password, and ends every login so far', async () => {
  const before = await logIn(app)
  const link = await mailedLink()
  assert.equal((await fetch(app.address + link)).status, 200, 'a scanner uses nothing up')
  const changed = await choose(link)
  assert.equal(changed.status, 200)
  assert.equal(changed.headers.get('set-cookie'), null, 'it logs nobody in')
  assert.equal((await before.call('GET', '/session.json')).status, 401)
  assert.equal((await tryLogin(app)).status, 401)
  assert.equal((await tryLogin(app, { body: { password: FRESH } })).status, 200)
  assert.equal((await auditOf(app, 'password.changed')).at(-1)?.credential, 'link')
})

test('a link works once, also when it is followed many times at once', async () => {
  const link = await mailedLink()
  const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await choose(link)).status))
  assert.deepEqual(statuses.toSorted(), [200, 404, 404, 404, 404, 404])
  assert.equal((await choose(link)).status, 404)
})

test('a link works for exactly an hour', async () => {
  const link = await mailedLink()
  app.ctx.clock.advance(HOUR - 1)
  assert.equal((await fetch(app.address + link)).status, 200)
  app.ctx.clock.advance(1)
  assert.equal((await choose(link)).status, 404)
})

test('a password that breaks the rules changes nothing, and the link works on', async () => {
  const link = await mailedLink()
  const refused = await choose(link, 'short')
  assert.equal(refused.status, 400)
  assert.match(await refused.text(), /at least 8/)
  assert.equal((await tryLogin(app)).status, 200)
  assert.equal((await choose(link)).status, 200)
})

test('an unknown address, and one without a password, are answered the same, and mailed nothing', async () => {
  for (const email of ['nobody@example.com', 'other@example.com']) {
    const reply = await ask(email)
    assert.deepEqual([reply.status, reply.text], [202, (await ask(EMAIL)).text])
    assert.deepEqual(await links(email), [])
  }
})

test('a person is mailed three links an hour', async () => {
  for (let asked = 0; asked < 5; asked++) assert.equal((await ask(EMAIL)).status, 202)
  assert.equal((await links()).length, 3)
})

test('two-factor stays on: the new password alone lets nobody in', async () => {
  await enroll(app, await logIn(app))
  assert.equal((await choose(await mailedLink())).status, 200)
  const reply = await tryLogin(app, { body: { password: FRESH } })
  assert.equal(reply.json.error.code, 'two_factor_required')
})

test('a changed link, and one to log in, change no password', async () => {
  const link = await mailedLink()
  assert.equal((await choose(`${link}x`)).status, 404)
  assert.equal((await choose(link.replace('/password/', '/sign-in/'))).status, 404)
})
