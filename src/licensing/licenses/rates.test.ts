// Runs slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { licenseOn, offerFor, userOf } from '../../../test/licenses.ts'
import { OPT_IN, optInForm, OWNERS } from '../../../test/opt-in.ts'
import { readConfig } from '../../config.ts'
import { SECOND } from '../../lib/time.ts'
import type { License } from './schema.ts'

const MANY = 200
/** The rates of a server as it comes (`docs/decisions.md` 7.1). The clock stands still, so nothing is given back. */
const { rate } = readConfig({ PORT: '0' })

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('rates', { config: { rate, trustProxy: ['127.0.0.1'] } })
  clients = clientsOf(app)
})
after(() => app.close())

let last = 0
const anywhere = () => `198.51.100.${++last}`

/** A call without token from an address. */
function from(ip: string, method: 'GET' | 'POST', path: string, body?: object): Promise<Reply> {
  const headers = { 'x-forwarded-for': ip }
  return app.call(method, clients.path(path), { token: null, headers, ...(body && { body }) })
}

const activate = (ip: string, key: string, more: object = {}) =>
  from(ip, 'POST', '/licenses/activate.json', { uid: newUid(), license_key: key, ...more })
const verify = (ip: string, { key, uid, installId }: { key: string; uid: string; installId: string }) =>
  from(ip, 'GET', `/installs/${installId}/license.json?${new URLSearchParams({ uid, license_key: key })}`)

const all = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** How often each answer was given. */
function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, json } of replies) {
    const said = `${status} ${json?.error?.code ?? 'ok'}`
    counts[said] = (counts[said] ?? 0) + 1
  }
  return counts
}

async function licenses(count: number, quota: number | null): Promise<License[]> {
  const email = `${newUid()}@example.com`
  await userOf(app, email)
  const offer = await offerFor(app, quota)
  const issued: License[] = []
  for (let n = 0; n < count; n++) issued.push(await licenseOn(app, offer, { body: { email } }))
  return issued
}

test('two hundred buyers behind one address activate, verify and deactivate at once, and none is told to wait', async () => {
  const ip = anywhere()
  const sold = await licenses(MANY, 1)
  const uids = sold.map(newUid)
  const active = await all(MANY, (n) => activate(ip, sold[n]?.secret_key ?? '', { uid: uids[n] }))
  assert.deepEqual(tally(active), { '200 ok': MANY })
  const places = active.map(({ json }, n) => ({
    key: sold[n]?.secret_key ?? '',
    uid: uids[n] ?? '',
    installId: json.install_id as string,
  }))
  assert.deepEqual(tally(await Promise.all(places.map((place) => verify(ip, place)))), { '200 ok': MANY })
  const off = places.map(({ key, uid, installId }) =>
    from(ip, 'POST', '/licenses/deactivate.json', { uid, license_key: key, install_id: installId }),
  )
  assert.deepEqual(tally(await Promise.all(off)), { '200 ok': MANY })
})

test('two hundred sites of one buyer activate one license at once, from one address', async () => {
  const [license] = await licenses(1, null)
  assert.ok(license)
  const ip = anywhere()
  assert.deepEqual(tally(await all(MANY, () => activate(ip, license.secret_key))), { '200 ok': MANY })
  assert.deepEqual(await clients.counts(license), [MANY, 0])
})

test('who is refused for another reason than an unknown key has not guessed', async () => {
  const [license] = await licenses(1, 1)
  assert.ok(license)
  const ip = anywhere()
  const replies = await all(MANY, () => activate(ip, license.secret_key))
  assert.deepEqual(tally(replies), { '200 ok': 1, '400 license_utilized': MANY - 1 })
  const malformed = await all(MANY, () => activate(ip, 'sk_guess', { install_id: 'x' }))
  assert.deepEqual(tally(malformed), { '400 invalid_argument': MANY }, 'nothing was looked up')
  const [other] = await licenses(1, 1)
  assert.equal((await activate(ip, other?.secret_key ?? '')).status, 200)
})

test('an address has forty failures, of whatever look-up, and ten a second; the neighbours go on meanwhile', async () => {
  const [license] = await licenses(1, null)
  assert.ok(license)
  const [ip, neighbour] = [anywhere(), anywhere()]
  const place = { uid: newUid(), key: 'sk_guess', installId: '1' }
  const guesses = [
    () => activate(ip, `sk_guess${newUid()}`),
    () => verify(ip, place),
    () => from(ip, 'POST', '/deactivate.json', { uid: newUid(), license_key: 'sk_no', install_id: 1 }),
  ]
  const guess = (n: number) => (guesses[n % 3] ?? guesses[0])?.() as Promise<Reply>
  for (let n = 1; n < rate.failed.burst; n++) assert.equal((await guess(n)).status, 404, `guess ${n}`)
  assert.equal((await activate(ip, license.secret_key)).status, 200, 'one is left')
  assert.equal((await guess(0)).status, 404)
  for (let n = 0; n < 6; n++) {
    const reply = await guess(n)
    assert.deepEqual([reply.status, reply.json.error.code], [429, 'too_many_requests'])
    assert.ok(Number(reply.headers.get('retry-after')) >= 1)
    assert.match(reply.headers.get('ratelimit') ?? '', /^"default";r=0;t=\d+$/)
    assert.match(reply.headers.get('ratelimit-policy') ?? '', /^"default";q=40;w=4$/)
  }
  assert.equal((await activate(ip, license.secret_key)).status, 429)
  assert.equal((await activate(neighbour, license.secret_key)).status, 200)
  app.ctx.clock.advance(SECOND)
  const later = []
  for (let n = 0; n < 12; n++) later.push(await guess(n))
  assert.deepEqual([...new Set(later.slice(0, 10).map(({ status }) => status))], [404])
  assert.deepEqual(
    later.slice(10).map(({ status }) => status),
    [429, 429],
  )
})

test('an address of IPv6 is its network of 64 bits, and a header of who is no proxy names nobody', async () => {
  const guess = (ip: string) => activate(ip, `sk_guess${newUid()}`)
  for (let n = 0; n < rate.failed.burst; n++) await guess(`2001:db8:1:2::${(n + 1).toString(16)}`)
  assert.equal((await guess('2001:db8:1:2:ffff::1')).status, 429)
  assert.equal((await guess('2001:db8:1:3::1')).status, 404)
  const direct = await startTestApp('rates_direct', { config: { rate } })
  const there = clientsOf(direct)
  const spoof = (n: number) =>
    direct.call('POST', there.path('/licenses/activate.json'), {
      token: null,
      headers: { 'x-forwarded-for': `203.0.113.${n}` },
      body: { uid: newUid(), license_key: `sk_guess${n}` },
    })
  const statuses = []
  for (let n = 0; n < rate.failed.burst + 5; n++) statuses.push((await spoof(n)).status)
  await direct.close()
  assert.deepEqual(statuses.slice(rate.failed.burst), Array(5).fill(429))
})

test('keys that are guessed by the services of in-product clients count as well', async () => {
  const ip = anywhere()
  const post = (path: string, form: Readonly<Record<string, string>>) =>
    fetch(app.address + path, {
      method: 'POST',
      headers: { 'x-forwarded-for': ip },
      body: new URLSearchParams(form),
    })
  const id = String(app.seller.product.id)
  const statuses: number[] = []
  for (let n = 0; n < rate.failed.burst / 2; n++) {
    const license_key = `sk_guess${n}`
    statuses.push((await post(OWNERS, { license_key, 'plugin_ids[0]': id })).status)
    statuses.push((await post(OPT_IN, optInForm(app, '', { license_key, format: 'json' }))).status)
  }
  assert.deepEqual([...new Set(statuses)], [200, 404])
  const more = await post(OWNERS, { license_key: 'sk_guess', 'plugin_ids[0]': id })
  assert.equal(more.status, 429)
  assert.equal((await activate(ip, 'sk_guess')).status, 429)
})

test('guesses that come all at once are no more than one after another: the right key among them is not told', async () => {
  const [license] = await licenses(1, null)
  assert.ok(license)
  const ip = anywhere()
  const uid = newUid()
  const { json } = await activate(anywhere(), license.secret_key, { uid })
  const place = (n: number) => {
    const key = n === MANY - 1 ? license.secret_key : `sk_guess${n}`
    return { key, uid, installId: json.install_id as string }
  }
  for (const guess of [
    (n: number) => verify(ip, place(n)),
    (n: number) => activate(ip, place(n).key, { uid }),
  ]) {
    const said = tally(await all(MANY, guess))
    const wrong = said['404 not_found'] ?? said['404 invalid_license_key']
    assert.deepEqual([wrong, said['429 too_many_requests']], [rate.failed.burst, MANY - rate.failed.burst])
    app.ctx.clock.advance(60 * SECOND)
  }
})

test('ordinary use of a license is told to wait nowhere: sites that are moved, a network that is connected at once', async () => {
  const [small] = await licenses(1, 5)
  const [large] = await licenses(1, 500)
  assert.ok(small && large)
  const ip = anywhere()
  for (let moved = 0; moved < 60; moved++) {
    const uid = newUid()
    const { status, json } = await activate(ip, small.secret_key, { uid })
    assert.equal(status, 200, json?.error?.message)
    const off: object = { uid, license_key: small.secret_key, install_id: json.install_id }
    assert.equal((await from(ip, 'POST', '/licenses/deactivate.json', off)).status, 200)
  }
  const sites = Array.from({ length: 500 }, (_, n) => ({
    uid: newUid(),
    url: `https://blog${n}.example.net`,
  }))
  const { id: plugin_id, publicKey: plugin_public_key } = app.seller.product
  const license_key = large.secret_key
  const body = JSON.stringify({ plugin_id, plugin_public_key, license_key, sites, format: 'json' })
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': ip }
  for (let twice = 0; twice < 2; twice++) {
    const reply = await fetch(app.address + OPT_IN, { method: 'POST', headers, body })
    assert.equal(reply.status, 200, (await reply.text()).slice(0, 200))
  }
  assert.deepEqual(await clients.counts(large), [500, 0])
})
