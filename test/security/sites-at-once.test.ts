import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { DAY, SECOND } from '../../src/lib/time.ts'
import { newUid } from '../activations.ts'
import { startTestApp, type Reply, type TestApp } from '../app.ts'
import { asPublic } from '../callers.ts'
import { licenseOf } from '../licenses.ts'
import { OPT_IN } from '../opt-in.ts'
import { letThrough } from '../rates.ts'

/** The rates of a server as it comes (`docs/decisions.md` 7.1); the clock stands still, so nothing is given back. */
const { rate } = readConfig({ PORT: '0' })
const { burst, perSecond } = rate.strangers ?? assert.fail()

let app: TestApp
before(async () => {
  app = await startTestApp('sites_at_once', { config: { rate } })
})
after(() => app.close())
beforeEach(() => app.ctx.clock.advance(DAY))

const uids = (count: number) => Array.from({ length: count }, newUid)
const skip = (count: number) => asPublic(app)('PUT', '/skip.json', { uids: uids(count) })
const all = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

async function rowsOf(table: 'skipped_sites' | 'installs'): Promise<number> {
  const { count } = await app.ctx.db
    .selectFrom(table)
    .select((of) => of.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function assertRefused({ status, headers, text }: Reply): void {
  assert.equal(status, 429, text)
  assert.ok(Number(headers.get('retry-after')) > 0)
}

test('each uid of a skip counts: of many at once no more are noted than an address has', async () => {
  const before = await rowsOf('skipped_sites')
  const replies = await all(40, () => skip(7))
  assert.equal(letThrough(replies), Math.floor(burst / 7))
  assert.equal((await rowsOf('skipped_sites')) - before, Math.floor(burst / 7) * 7)
  const twice = newUid()
  const same = await asPublic(app)('PUT', '/skip.json', { uid: twice, uids: [twice, twice] })
  assert.equal(same.status, 204, 'a uid that is named thrice is one')
})

test('a network of many sites skips once, and then waits for as long as they would have one by one', async () => {
  const before = await rowsOf('skipped_sites')
  const replies = await all(33, () => skip(500))
  assert.equal(letThrough(replies), 1)
  assert.equal((await rowsOf('skipped_sites')) - before, 500)
  const next = await skip(1)
  assertRefused(next)
  const wait = (500 - burst + 1) / perSecond
  assert.equal(Number(next.headers.get('retry-after')), wait)
  app.ctx.clock.advance((wait - 1) * SECOND)
  assertRefused(await skip(1))
  app.ctx.clock.advance(SECOND)
  assert.equal((await skip(1)).status, 204)
})

/** What is asked by one opt-in for so many sites, each answered with its status. */
async function optIn(count: number, more: object = {}): Promise<Response> {
  const { product } = app.seller
  return fetch(app.address + OPT_IN, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      plugin_id: product.id,
      plugin_public_key: product.publicKey,
      user_email: `${newUid()}@example.com`,
      sites: uids(count).map((uid) => ({ uid, url: `https://${uid}.example.org` })),
      format: 'json',
      ...more,
    }),
  })
}

test('each site of an opt-in counts', async () => {
  const body = { setting_type: 1, data: JSON.stringify({ confirms_opt_in: false }) }
  const set = await app.call('PUT', `/products/${app.seller.product.id}/settings.json`, { body })
  assert.equal(set.status, 200, set.text)
  const before = await rowsOf('installs')
  assert.equal(letThrough(await all(10, () => optIn(25))), Math.floor(burst / 25))
  assert.equal((await rowsOf('installs')) - before, Math.floor(burst / 25) * 25)
  app.ctx.clock.advance(DAY)
  assert.equal(letThrough(await all(10, () => optIn(200))), 1)
})

test('each site of an opt-in with a license key counts against the key', async () => {
  const { secret_key: license_key } = await licenseOf(app, null)
  const before = await rowsOf('installs')
  const most = Math.floor(rate.keyed.burst / 400)
  assert.equal(letThrough(await all(4, () => optIn(400, { license_key }))), most)
  assert.equal((await rowsOf('installs')) - before, most * 400)
})
