import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createLog } from '../../log.ts'
import { spellingsOf } from '../../../test/security/secrets.ts'

const lines: string[] = []
let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('key_limits', {
    log: createLog('debug', { write: (line) => void lines.push(line) }),
    config: {
      trustProxy: ['127.0.0.1'],
      rate: {
        failed: { perSecond: 1, burst: 4 },
        keyed: { perSecond: 1, burst: 6 },
        authenticated: null,
      },
    },
  })
  clients = clientsOf(app)
})
after(() => app.close())

let last = 0
const anywhere = () => `192.0.2.${++last}`
const from = (ip: string, body: object) =>
  app.call('POST', clients.path('/licenses/activate.json'), {
    token: null,
    headers: { 'x-forwarded-for': ip },
    body: { uid: newUid(), ...body },
  })

test('keys that are guessed are counted by address, and then the right one is not looked up either', async () => {
  const license = await clients.ownLicense(9)
  const [guesser, other] = [anywhere(), anywhere()]
  const guesses = await Promise.all(
    Array.from({ length: 10 }, (_, index) => from(guesser, { license_key: `sk_guess${index}` })),
  )
  const count = (status: number) => guesses.filter((reply) => reply.status === status).length
  assert.deepEqual([count(404), count(429)], [4, 6])
  const right = await from(guesser, { license_key: license.secret_key })
  assert.deepEqual([right.status, right.json.error.code], [429, 'too_many_requests'])
  assert.ok(Number(right.headers.get('retry-after')) >= 1)
  assert.deepEqual(await clients.counts(license), [0, 0])
  assert.equal((await from(other, { license_key: license.secret_key })).status, 200)
  app.ctx.clock.advance(1_000)
  assert.equal((await from(guesser, { license_key: license.secret_key })).status, 200)
})

test('uses of one key are counted by the key, however it is spelled and wherever it is used; others go on', async () => {
  const [license, other] = [await clients.ownLicense(9), await clients.ownLicense(9)]
  const spelled = license.secret_key.replace('s', '%73')
  const keys = [license.secret_key, spelled, ` ${license.secret_key}`]
  const uses = await Promise.all(
    Array.from({ length: 9 }, (_, index) => from(anywhere(), { license_key: keys[index % 3] })),
  )
  assert.equal(uses.filter(({ status }) => status === 200).length, 6)
  assert.equal(uses.filter(({ status }) => status === 429).length, 3)
  assert.equal((await from(anywhere(), { license_key: other.secret_key })).status, 200)
  const withToken = await app.call('POST', clients.path('/licenses/activate.json'), {
    body: { uid: newUid(), license_key: license.secret_key },
  })
  assert.equal(withToken.status, 200, 'a token is not limited')
})

test('S39: no line of the log has a license key, a uid or a token, wherever it was sent', async () => {
  const license = await clients.ownLicense(9)
  const active = await clients.active(license)
  await clients.verify(active)
  await clients.verify({ ...active, key: `${active.key}x` })
  const query = new URLSearchParams({ uid: active.uid, license_key: active.key })
  const header = { 'x-forwarded-for': anywhere() }
  for (const path of [
    `/licenses/activate.json?${query}`,
    `/licenses/deactivate.json?${query}&install_id=${active.installId}`,
    `/licenses/${active.key}/activate.json`,
    `/licenses/${encodeURIComponent(active.key)}.json`,
  ]) {
    await app.call('POST', clients.path(path), { token: null, headers: header })
  }
  const broken = { uid: active.uid, license_key: active.key, install_id: 'x' }
  const refused = await app.call('POST', clients.path('/licenses/activate.json'), {
    token: null,
    body: broken,
  })
  assert.equal(refused.status, 400)
  assert.ok(!refused.text.includes(active.key), 'nor does a refusal echo it')
  await app.call(
    'GET',
    `/installs/${active.installId}/licenses/${license.id}.json?license_key=${active.key}`,
    {
      token: active.token,
    },
  )
  await app.recorded()
  const log = lines.join('')
  assert.ok(log.includes('licenses/activate'), 'the log was captured')
  const audited = await app.ctx.db.selectFrom('audit_log').selectAll().execute()
  const kept = JSON.stringify(audited, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  for (const secret of [active.key, active.token, active.json['install_secret_key'] ?? '']) {
    for (const spelling of spellingsOf(secret)) {
      assert.ok(!log.includes(spelling), 'log')
      assert.ok(!kept.includes(spelling), 'audit log')
    }
  }
})
