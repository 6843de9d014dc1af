import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { licenseOf, mailsOf, userOf } from '../../../test/licenses.ts'
import { auditOf } from '../../../test/logins.ts'
import { systemScope } from '../../access/scope.ts'
import { DAY, HOUR, MINUTE, SECOND, toUtcTime } from '../../lib/time.ts'
import { untilDone } from '../../work/afterwards.ts'
import { cancelLink } from './portal-link.ts'
import { usePortalLink } from './portal-login-queries.ts'

let app: TestApp
let people = 0
before(async () => {
  app = await startTestApp('portal_link_once')
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const productId = () => app.seller.product.id
const linkIn = (text = '') => /http\S+\/portal\/login\?token=\S+/.exec(text)?.[0] ?? assert.fail(text)

/** The link that somebody is mailed who asks for one. */
async function asked(): Promise<string> {
  const email = `asker${++people}@example.com`
  await userOf(app, email)
  const body = { email, product_id: productId() }
  assert.equal((await app.call('POST', '/portal/link.json', { token: null, body })).status, 202)
  await untilDone()
  return linkIn((await mailsOf(app, 'portal_link')).findLast(({ recipient }) => recipient === email)?.text)
}

const follow = (link: string, method: string) =>
  fetch(link.replace(app.ctx.baseUrl, app.address), {
    method,
    headers: { accept: 'text/html' },
    redirect: 'manual',
  })
const statusOf = async (link: string, method: string) => (await follow(link, method)).status

const written = async () => {
  const { db } = app.ctx
  const tokens = await db.selectFrom('access_tokens').select('id').execute()
  const used = await db.selectFrom('used_proofs').select('proof_hash').execute()
  const entered = await auditOf(app, 'user_login.success')
  return [tokens.length, used.length, entered.length]
}

test('49: a mail scanner that follows a link changes nothing, and the link works for an hour', async () => {
  const link = await asked()
  const before = await written()
  for (const method of ['GET', 'HEAD', 'GET', 'GET']) assert.equal(await statusOf(link, method), 200)
  assert.deepEqual(await written(), before)
  app.ctx.clock.set(START + HOUR - SECOND)
  assert.equal(await statusOf(link, 'GET'), 200)
  assert.equal(await statusOf(link, 'POST'), 303)
})

test('49: an unused link is over after an hour', async () => {
  const link = await asked()
  app.ctx.clock.set(START + HOUR)
  for (const method of ['GET', 'POST']) assert.equal(await statusOf(link, method), 404)
})

test('49: a link works again within five minutes of its first use, then says so and offers another', async () => {
  const link = await asked()
  app.ctx.clock.set(START + 20 * MINUTE)
  assert.equal(await statusOf(link, 'POST'), 303)
  app.ctx.clock.advance(5 * MINUTE - SECOND)
  assert.equal(await statusOf(link, 'GET'), 200)
  assert.equal(await statusOf(link, 'POST'), 303, 'twice')
  app.ctx.clock.advance(SECOND)
  const before = await written()
  for (const method of ['GET', 'POST']) {
    const gone = await follow(link, method)
    const page = await gone.text()
    assert.equal(gone.status, 404)
    assert.equal(gone.headers.get('set-cookie'), null)
    assert.ok(page.includes('This link no longer works'), page)
    assert.ok(page.includes('was used before'), page)
    assert.ok(page.includes(`href="./?product_id=${productId()}"`), page)
  }
  assert.deepEqual(await written(), before)
})

test('49: the second use does not lengthen the time, and of ten at once each is let in', async () => {
  const link = await asked()
  const all = await Promise.all(Array.from({ length: 10 }, () => statusOf(link, 'POST')))
  assert.deepEqual([...new Set(all)], [303])
  app.ctx.clock.advance(4 * MINUTE)
  assert.equal(await statusOf(link, 'POST'), 303)
  app.ctx.clock.advance(MINUTE)
  assert.equal(await statusOf(link, 'POST'), 404)
})

test('49: two who come when its time is over are refused by the statement that uses it, whoever looked before', async () => {
  const at = (ms: number) => toUtcTime(START + ms)
  const use = (now: number) =>
    app.write(({ db }) =>
      usePortalLink(db, { linkHash: 'h', now: at(now), againUntil: at(now + MINUTE), expires: at(HOUR) }),
    )
  assert.deepEqual(await Promise.all([use(0), use(0)]), [true, true])
  assert.deepEqual(await Promise.all([use(MINUTE), use(MINUTE)]), [false, false])
})

test('the link in a mail about a purchase is for once too, and works for a day', async () => {
  const email = `buyer${++people}@example.com`
  await userOf(app, email)
  await licenseOf(app, 1, { body: { email, send_email: true } })
  const mail = (await mailsOf(app, 'license')).findLast(({ recipient }) => recipient === email)
  const link = linkIn(mail?.text)
  app.ctx.clock.set(START + DAY - HOUR)
  assert.equal(await statusOf(link, 'POST'), 303)
  app.ctx.clock.advance(5 * MINUTE)
  assert.equal(await statusOf(link, 'POST'), 404)
})

test('the link by which what is charged soon is cancelled works until then, however often', async () => {
  const userId = Number(await userOf(app, `payer${++people}@example.com`))
  const scope = systemScope({ developerId: app.seller.developer.id, productId: productId() })
  const link = await cancelLink(app.ctx, scope, { userId, lastsMs: 2 * DAY })
  for (const at of [0, 6 * MINUTE, DAY]) {
    app.ctx.clock.set(START + at)
    assert.equal(await statusOf(link, 'POST'), 303)
  }
})
