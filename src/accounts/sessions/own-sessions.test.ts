import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HOUR } from '../../lib/time.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createSeller } from '../../../test/factories.ts'
import { FROM_ANYWHERE, logIn, setPassword } from '../../../test/logins.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('own_sessions', { config: FROM_ANYWHERE })
  await setPassword(app)
})
after(() => app.close())

interface Seen {
  readonly id: string
  readonly ip: string | null
  readonly agent: string | null
  readonly last_used_at: string | null
  readonly is_current: boolean
}

/** A call of the person of a session, whichever account. */
const by = (token: string, method: 'GET' | 'DELETE', path: string, headers: Record<string, string> = {}) =>
  app.call(method, path, { token: null, headers: { 'x-keywright-session': token, ...headers } })
const seenBy = async (token: string): Promise<Seen[]> =>
  (await by(token, 'GET', '/sessions.json?count=50')).json.sessions
const statusOf = async (token: string) => (await by(token, 'GET', '/session.json')).status

test('where one is logged in is listed with address, browser and last use, and which one asks', async () => {
  const first = await logIn(app, { from: '203.0.113.7' })
  const second = await logIn(app)
  const used = { 'user-agent': 'Browser/1', 'x-forwarded-for': '198.51.100.9' }
  await by(second.token, 'GET', '/session.json', used)
  await app.recorded()
  const [latest, before] = await seenBy(second.token)
  assert.deepEqual(
    [latest?.ip, latest?.agent, latest?.last_used_at, latest?.is_current],
    ['198.51.100.9', 'Browser/1', '2026-01-31 10:00:00', true],
  )
  assert.deepEqual([before?.ip, before?.last_used_at, before?.is_current], ['203.0.113.7', null, false])
  const text = JSON.stringify(await seenBy(first.token))
  assert.ok(!text.includes(first.token) && !text.includes(second.token))
})

test('a session that is ended is let in nowhere from then on, and is not there a second time', async () => {
  const [kept, other] = [await logIn(app), await logIn(app)]
  const [latest] = await seenBy(kept.token)
  const path = `/sessions/${latest?.id}.json`
  assert.equal((await by(kept.token, 'DELETE', path)).status, 204)
  assert.deepEqual([await statusOf(kept.token), await statusOf(other.token)], [200, 401])
  assert.equal((await by(kept.token, 'DELETE', path)).status, 404)
  assert.ok(!(await seenBy(kept.token)).some(({ id }) => id === latest?.id))
})

test("another person's session is not found, and goes on", async () => {
  const stranger = await app.write((tx) => createSeller(tx, 'other-person@example.com'))
  await setPassword(app, stranger.developer.id)
  const theirs = await logIn(app, { account: null, body: { email: 'other-person@example.com' } })
  const [session] = await seenBy(theirs.token)
  const mine = await logIn(app)
  assert.equal((await by(mine.token, 'DELETE', `/sessions/${session?.id}.json`)).status, 404)
  assert.equal(await statusOf(theirs.token), 200)
})

test('a session that has ended by itself is not listed', async () => {
  await logIn(app)
  app.ctx.clock.advance(12 * HOUR)
  const { token } = await logIn(app)
  assert.equal((await seenBy(token)).length, 1)
})
