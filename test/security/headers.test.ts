// Runs on sqlite.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import { startServer } from '../../src/start.ts'
import { testContext } from '../app.ts'
import { jsonBody, type Answer, type Call } from './client.ts'
import { rawExchange } from './raw.ts'
import { confirmationTokensOf } from './secrets.ts'
import { SHORT } from './slow.ts'
import { startWorld, type World } from './world.ts'

const ORIGIN = 'https://app.example.com'
const DAY_OLD = { perSecond: 0.001, burst: 1 }

let world: World
before(async () => {
  world = await startWorld('headers', {
    config: { corsOrigins: [ORIGIN], trustProxy: ['127.0.0.1'] },
    timeouts: { ...SHORT, headers: 300, keepAlive: 60_000 },
  })
})
after(() => world.close())

/** What may differ from response to response, and is only there. */
const VARYING = [
  'date',
  'content-length',
  'x-request-id',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'etag',
  'location',
  'last-modified',
]
const fixed = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !VARYING.includes(name)))

const EVERYWHERE = {
  'x-api-server': 'keywright',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}
const EXPOSED = 'X-Request-Id, X-Api-Server, Retry-After, RateLimit, RateLimit-Policy, Keywright-Ignored'
const CORS = { vary: 'Origin', 'access-control-expose-headers': EXPOSED }
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
/** Of a page nothing runs or loads, and its own style alone applies. */
async function isPage(call: Call, status: number): Promise<void> {
  const { text } = await world.send({ ...call, method: 'GET' })
  const [, style = ''] = /<style>(.*)<\/style>/s.exec(text) ?? []
  const source = `'sha256-${hash('sha256', style, 'base64')}'`
  await has(call, status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src ${source}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  })
}

const users = () => `/v1/products/${world.seller.product.id}/users.json`
const authorized = (call: Partial<Call> = {}): Call => ({
  method: 'GET',
  path: users(),
  ...call,
  headers: { authorization: `Bearer ${world.seller.product.token}`, ...call.headers },
})
const create = (email: string, extra: Record<string, string> = {}): Call => {
  const { headers, body } = jsonBody({ email, name: 'Some Body' })
  return authorized({ method: 'POST', headers: { ...headers, ...extra }, body })
}

async function has(call: Call, status: number, headers: Record<string, string>): Promise<Answer> {
  const answer = await world.send(call)
  assert.equal(answer.status, status, answer.text.slice(0, 500))
  assert.deepEqual(fixed(answer.headers), { ...EVERYWHERE, ...CORS, ...headers })
  assert.match(String(answer.headers['x-request-id']), /^req_[0-9a-z]+$/)
  return answer
}

describe('S36: headers of every kind of response', () => {
  test('answers of operations', async () => {
    await has(authorized(), 200, JSON_TYPE)
    await has(create('headers@example.com'), 200, JSON_TYPE)
    await has({ method: 'GET', path: '/v1/ping.json' }, 200, JSON_TYPE)
  })

  test('refusals', async () => {
    await has(authorized({ path: `${users()}?count=0` }), 400, JSON_TYPE)
    await has({ method: 'GET', path: users() }, 401, JSON_TYPE)
    await has(authorized({ method: 'POST' }), 402, JSON_TYPE)
    await has(authorized({ path: users().replace('.json', '/987654321.json') }), 404, JSON_TYPE)
    await has({ method: 'GET', path: '/nothing' }, 404, JSON_TYPE)
    await has(authorized({ method: 'PATCH' }), 405, { ...JSON_TYPE, allow: 'GET, HEAD, POST' })
    await has(authorized({ method: 'HEAD' }), 200, JSON_TYPE)
    await has(
      authorized({ method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }),
      415,
      JSON_TYPE,
    )
    await has(
      authorized({
        method: 'POST',
        body: 'x'.repeat(1_048_577),
        headers: { 'content-type': 'application/json' },
      }),
      413,
      JSON_TYPE,
    )
    await has(authorized({ path: '/v1/products/%zz/users.json' }), 401, JSON_TYPE)
  })

  test('idempotent replays, conflicts and misuse of a key', async () => {
    const key = { 'idempotency-key': 'headers' }
    await has(create('replayed@example.com', key), 200, JSON_TYPE)
    await has(create('replayed@example.com', key), 200, { ...JSON_TYPE, 'idempotent-replayed': 'true' })
    await has(create('another@example.com', key), 422, JSON_TYPE)
    await has(create('another@example.com', { 'idempotency-key': 'x'.repeat(256) }), 400, JSON_TYPE)
  })

  test('health, readiness, figures and the description of the interface', async () => {
    await has({ method: 'GET', path: '/healthz' }, 200, JSON_TYPE)
    await has({ method: 'GET', path: '/readyz' }, 200, JSON_TYPE)
    await has({ method: 'GET', path: '/metrics' }, 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    })
    await has({ method: 'GET', path: '/v1/openapi.json' }, 200, { ...JSON_TYPE, 'cache-control': 'no-cache' })
    const docs = await world.send({ method: 'GET', path: '/docs' })
    const policy = String(docs.headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /)
    assert.match(policy, /frame-ancestors 'none'; base-uri 'none'; form-action 'none'$/)
    await has({ method: 'GET', path: '/docs' }, 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-cache',
    })
  })

  test('figures are for this machine only, and not for what a proxy on it passes on', async () => {
    const passed = { 'x-forwarded-for': '198.51.100.7', forwarded: 'for=198.51.100.7', via: '1.1 proxy' }
    const names = { 'x-forwarded-host': 'localhost', host: 'figures.example.com' }
    const marks = { ...passed, ...names, 'x-real-ip': '198.51.100.7' }
    for (const [name, value] of Object.entries(marks))
      await has({ method: 'GET', path: '/metrics', headers: { [name]: value } }, 404, JSON_TYPE)
    const own = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }
    await has({ method: 'GET', path: '/metrics', headers: { host: 'localhost:8080' } }, 200, own)
  })

  test('a server with a public address tells its figures for the token alone, as a proxy may add no header', async () => {
    for (const [baseUrl, status] of [
      ['https://licenses.example.com', 404],
      ['http://localhost:8080', 200],
      ['http://[::1]:8080', 200],
    ] as const) {
      const { ctx, drop } = await testContext('metrics', { config: { baseUrl, metricsToken: 'figures' } })
      const running = await startServer(ctx)
      const read = (headers: Record<string, string>) => fetch(`${running.address}/metrics`, { headers })
      assert.equal((await read({})).status, status, baseUrl)
      assert.equal((await read({ authorization: 'Bearer figures' })).status, 200)
      await running.stop()
      await drop()
    }
  })

  test('pages', async () => {
    assert.equal((await world.send(create('page@example.com'))).status, 200)
    const [token = ''] = (await confirmationTokensOf(world)).slice(-1)
    const path = `/confirm-email/${token}`
    await isPage({ method: 'GET', path }, 200)
    await isPage({ method: 'POST', path }, 200)
    await isPage({ method: 'GET', path }, 404)
    await isPage({ method: 'POST', path }, 404)
  })

  test('an error of ours', async () => {
    const rename = (from: string, to: string) =>
      world.ctx.database.transaction((db) =>
        sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db),
      )
    await rename('product_users', 'product_users_away')
    try {
      await has(authorized(), 500, JSON_TYPE)
    } finally {
      await rename('product_users_away', 'product_users')
    }
  })

  test('bytes that are no request, and requests that are refused for their head alone', async () => {
    const ping = 'GET /v1/ping.json HTTP/1.1\r\n'
    const cases: Readonly<Record<string, readonly [status: number, code: string, path?: string]>> = {
      'GET /v1/ping.json HTTP/1.1\nHost: x\n\n': [400, 'invalid_request'],
      [`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`]: [431, 'headers_too_large'],
      'GET / HTTP/1.1\r\nHost: x\r\n': [408, 'request_timeout'],
      [`${ping}\r\n`]: [400, 'invalid_request', '/ping.json'],
      [`${ping}Host: x\r\nHost: x\r\n\r\n`]: [400, 'invalid_request', '/ping.json'],
      [`${ping}Host: x\r\nExpect: a miracle\r\n\r\n`]: [417, 'expectation_failed', '/ping.json'],
    }
    for (const [bytes, [status, code, asked = '']] of Object.entries(cases)) {
      const { text } = await rawExchange(world.address, [bytes], { patience: 3_000 })
      const [head = '', body = ''] = text.split('\r\n\r\n')
      const [first, ...lines] = head.split('\r\n')
      assert.match(String(first), new RegExp(`^HTTP/1.1 ${status} `))
      const headers: Record<string, string> = {}
      for (const [name = '', value = ''] of lines.map((line) => line.split(': ')))
        headers[name.toLowerCase()] = value
      assert.deepEqual(fixed(headers), { ...EVERYWHERE, ...JSON_TYPE })
      assert.equal(headers['connection'], 'close')
      const { error, path, request } = JSON.parse(body)
      assert.equal(error.request_id, headers['x-request-id'])
      assert.deepEqual([path, request, error.code, error.http], [asked, {}, code, status])
    }
  })

  test('over https, as the proxy says, browsers are told to stay there', async () => {
    const hsts = { 'strict-transport-security': 'max-age=31536000' }
    await has({ method: 'GET', path: '/healthz', headers: { 'x-forwarded-proto': 'https' } }, 200, {
      ...JSON_TYPE,
      ...hsts,
    })
    await has({ method: 'GET', path: '/healthz', headers: { 'x-forwarded-proto': 'http' } }, 200, JSON_TYPE)
  })
})

describe('S36: origins', () => {
  const preflight = (origin: string, path = users()): Call => ({
    method: 'OPTIONS',
    path,
    headers: {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  })

  test('one on the list may call, and its preflight has the headers of every response', async () => {
    await has(authorized({ headers: { origin: ORIGIN } }), 200, {
      ...JSON_TYPE,
      'access-control-allow-origin': ORIGIN,
    })
    const allowed = {
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Type, Content-MD5, Idempotency-Key, X-Keywright-Strict, X-Keywright-If-Any',
      'access-control-max-age': '600',
    }
    await has(preflight(ORIGIN), 204, { ...allowed, 'access-control-allow-origin': ORIGIN })
    await has({ method: 'OPTIONS', path: '/anything' }, 204, allowed)
  })

  test('any other may not, however alike it looks, and none may send cookies', async () => {
    const others = [
      'https://evil.example.com',
      `${ORIGIN}.evil.com`,
      'https://app.example.com:8443',
      'http://app.example.com',
      'https://APP.example.com',
      'https://xapp.example.com',
      'null',
      '*',
      '',
    ]
    for (const origin of others) {
      for (const call of [authorized({ headers: { origin } }), preflight(origin)]) {
        const { headers } = await world.send(call)
        assert.equal(headers['access-control-allow-origin'], undefined, origin)
        assert.equal(headers['access-control-allow-credentials'], undefined, origin)
      }
    }
  })

  test('without a list no origin may, and OPTIONS is no method of a path', async (t) => {
    const closed = await startWorld('headers_closed', {
      config: { rate: { failed: DAY_OLD, keyed: DAY_OLD, authenticated: null } },
    })
    t.after(() => closed.close())
    const ping = { method: 'GET', path: '/v1/ping.json', headers: { origin: ORIGIN } }
    const { headers } = await closed.send(ping)
    assert.deepEqual(fixed(headers), { ...EVERYWHERE, ...JSON_TYPE })
    const asked = await closed.send(preflight(ORIGIN, '/v1/ping.json'))
    assert.equal(asked.status, 405)
    assert.deepEqual(fixed(asked.headers), { ...EVERYWHERE, ...JSON_TYPE, allow: 'GET, HEAD' })
    const first = await closed.send({ method: 'GET', path: '/v1/products/1/users.json' })
    assert.deepEqual(fixed(first.headers), { ...EVERYWHERE, ...JSON_TYPE })
    const second = await closed.send({ method: 'GET', path: '/v1/products/1/users.json' })
    assert.equal(second.status, 429)
    const limit = {
      'retry-after': '1000',
      ratelimit: '"default";r=0;t=1000',
      'ratelimit-policy': '"default";q=1;w=1000',
    }
    assert.deepEqual(fixed(second.headers), { ...EVERYWHERE, ...JSON_TYPE, ...limit })
    const away = { 'x-forwarded-proto': 'https' }
    const untrusted = await closed.send({ method: 'GET', path: '/healthz', headers: away })
    assert.equal(untrusted.headers['strict-transport-security'], undefined)
  })
})
