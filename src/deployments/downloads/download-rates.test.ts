// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { newUid } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { release } from '../../../test/archives.ts'
import { asInstall, asPublic, type CallAs } from '../../../test/callers.ts'
import { expectOk, holding, keysOf } from '../../../test/installs.ts'
import { optInByServer, optInForm } from '../../../test/opt-in.ts'
import { GENEROUS, letThrough } from '../../../test/rates.ts'
import { DAY } from '../../lib/time.ts'

const OF_ADDRESS = 8
const OF_INSTALL = 10
const OF_PAIR = 25
const rate = {
  ...GENEROUS,
  strangers: { perSecond: 0.5, burst: OF_ADDRESS },
  installs: { perSecond: 0.5, burst: OF_INSTALL },
  pairs: { perSecond: 1, burst: OF_PAIR },
}

let app: TestApp
before(async () => {
  app = await startTestApp('download_rates', { config: { rate } })
  const body = { setting_type: 1, data: JSON.stringify({ confirms_opt_in: false }) }
  expectOk(await app.call('PUT', `/products/${app.seller.product.id}/settings.json`, { body }))
  await release(app, '1.0')
})
after(() => app.close())
beforeEach(() => app.ctx.clock.advance(DAY))

/** Of so many calls at once how many were served. */
const served = async (count: number, call: () => Promise<{ status: number; headers: Headers }>) =>
  letThrough(await Promise.all(Array.from({ length: count }, call)))

/** The address that a caller is told, relative to the server. */
async function addressFor(as: CallAs): Promise<string> {
  const { pathname, search } = new URL(expectOk(await as('GET', '/updates/latest.json')).json.url)
  return `${app.address}${pathname}${search}`
}

async function get(url: string, options: RequestInit = {}) {
  const response = await fetch(url, options)
  await response.arrayBuffer()
  return response
}

const counted = async (): Promise<number> =>
  (await app.ctx.db.selectFrom('events').select('id').where('type', 'like', '%.downloaded').execute()).length

/** How many downloads are counted while something is done. */
async function during(work: () => Promise<unknown>): Promise<number> {
  const before = await counted()
  await work()
  return (await counted()) - before
}

test('by an address that anybody was given so many downloads are served and counted as are set, and no part of one', async () => {
  const url = await addressFor(asPublic(app))
  const downloads = await during(async () => assert.equal(await served(30, () => get(url)), OF_ADDRESS))
  assert.equal(downloads, OF_ADDRESS)
  assert.equal((await get(url, { method: 'HEAD' })).status, 200)
  app.ctx.clock.advance(DAY)
  const again = await addressFor(asPublic(app))
  const range = { headers: { range: 'bytes=-1' } }
  assert.equal(await during(() => served(OF_ADDRESS, () => get(again, range))), 0)
})

test('what a site downloads counts as what it writes, by its keys and by its address together', async () => {
  const { json } = await optInByServer(app, optInForm(app, `${newUid()}@example.com`, { site_uid: newUid() }))
  const { install } = holding(app, json)
  const url = await addressFor(install)
  const downloads = await during(async () => {
    assert.equal(await served(6, () => install('GET', '/updates/latest.zip')), 6)
    assert.equal(await served(20, () => get(url)), OF_INSTALL - 6)
    assert.equal(await served(20, () => install('GET', '/updates/latest.zip')), 0)
  })
  assert.equal(downloads, OF_INSTALL)
  expectOk(await install('GET', '/updates/latest.json'))
})

test('the installs of a pair of own reach download no more together than the pair may write', async () => {
  const { json } = await optInByServer(app, optInForm(app, `${newUid()}@example.com`, { site_uid: newUid() }))
  const { user } = holding(app, json)
  const path = `/products/${app.seller.product.id}/installs.json`
  const urls: string[] = []
  for (let n = 0; n < 4; n++) {
    const made = expectOk(await user('POST', path, { uid: newUid() }))
    urls.push(await addressFor(asInstall(app, keysOf(made.json))))
  }
  const each = await Promise.all(urls.map((url) => served(OF_INSTALL, () => get(url))))
  assert.equal(
    each.reduce((sum, one) => sum + one, 0),
    OF_PAIR - urls.length,
  )
})

test('HEAD, which writes nothing, counts as no download, with keys and by an address', async () => {
  const { json } = await optInByServer(app, optInForm(app, `${newUid()}@example.com`, { site_uid: newUid() }))
  const { install } = holding(app, json)
  const url = await addressFor(install)
  const downloads = await during(async () => {
    assert.equal(await served(20, () => install('HEAD', '/updates/latest.zip')), 20)
    assert.equal(await served(20, () => get(url, { method: 'HEAD' })), 20)
    assert.equal(await served(20, () => install('GET', '/updates/latest.zip')), OF_INSTALL)
  })
  assert.equal(downloads, OF_INSTALL)
})

test('what strangers download uses up nothing of who has an address of its own', async () => {
  const { json } = await optInByServer(app, optInForm(app, `${newUid()}@example.com`, { site_uid: newUid() }))
  const { user } = holding(app, json)
  const path = `/products/${app.seller.product.id}/updates/latest.json`
  const own = await addressFor((method) => user(method, path))
  const anybodys = await addressFor(asPublic(app))
  assert.equal(await served(30, () => get(anybodys)), OF_ADDRESS)
  const sent = await served(60, () => get(own))
  assert.ok(sent > OF_ADDRESS && sent <= OF_PAIR, `${sent}`)
})
