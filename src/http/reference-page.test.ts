import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import Fastify from 'fastify'
import { Type } from '../lib/type.ts'
import { refusals } from '../app.ts'
import { readOperation } from './operation.ts'
import { mountReference } from './reference-page.ts'

const ping = readOperation({
  id: 'keywright/ping',
  summary: 'Answer',
  method: 'GET',
  path: '/ping.json',
  scopes: ['root'],
  caller: 'open',
  access: 'everybody',
  status: 200,
  response: Type.Object({ api: Type.String() }),
  handle: async () => ({ api: 'pong' }),
})

async function start(t: TestContext) {
  const server = Fastify({ exposeHeadRoutes: false })
  mountReference(server, { operations: [ping], refusals, baseUrl: 'https://licenses.example' })
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => server.close())
  return (path: string, init?: RequestInit) => fetch(`${address}${path}`, init)
}

test('the document says which server it describes, as JSON', async (t) => {
  const get = await start(t)
  const response = await get('/v1/openapi.json')
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  const { openapi, info, servers, paths } = (await response.json()) as Record<string, Record<string, unknown>>
  assert.match(String(openapi), /^3\.1\./)
  assert.deepEqual([info?.['title'], info?.['version']], ['Keywright', '1.0'])
  assert.deepEqual(servers, [{ url: 'https://licenses.example/v1' }])
  assert.deepEqual(Object.keys(paths ?? {}), ['/ping.json'])
})

test('everything the page loads is a file of this server, and it is there', async (t) => {
  const get = await start(t)
  const page = await (await get('/docs')).text()
  const addresses = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address)
  assert.equal(addresses.length, 5)
  for (const address of addresses) {
    const response = await get(new URL(address, 'http://here/docs').href.replace('http://here', ''))
    assert.equal(response.status, 200, address)
    assert.ok((await response.text()).length > 100, address)
  }
  const types = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon.png', 'start.js'].map(async (name) =>
    (await get(`/docs/${name}`)).headers.get('content-type'),
  )
  assert.deepEqual(await Promise.all(types), [
    'text/css; charset=utf-8',
    'text/javascript; charset=utf-8',
    'image/png',
    'text/javascript; charset=utf-8',
  ])
})

test('the page may load and call this server only, and runs nothing that is written in it', async (t) => {
  const get = await start(t)
  const response = await get('/docs')
  const policy = response.headers.get('content-security-policy') ?? ''
  const allowed = Object.fromEntries(
    policy.split('; ').map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]),
  )
  assert.deepEqual(allowed, {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
  })
  assert.doesNotMatch(await response.text(), /<style|<script>| on\w+=/)
})

test('the reference asks no validator, and calls the server it came from', async (t) => {
  const get = await start(t)
  const script = await (await get('/docs/start.js')).text()
  assert.match(script, /validatorUrl: null/)
  assert.match(script, /spec\.servers = \[\{ url: new URL\('v1', base\)/)
})

test('files are kept for a year under the hash of their bytes, the page and the document are asked for again', async (t) => {
  const get = await start(t)
  const page = await (await get('/docs')).text()
  const [address = ''] = /docs\/swagger-ui\.css\?[\w-]{11}/.exec(page) ?? []
  const asset = await get(`/${address}`)
  assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.ok(asset.headers.get('etag')?.startsWith(`"${address.split('?')[1]}`))
  for (const path of ['/docs', '/v1/openapi.json']) {
    assert.equal((await get(path)).headers.get('cache-control'), 'no-cache', path)
  }
})

for (const path of ['/docs', '/docs/swagger-ui.css', '/v1/openapi.json']) {
  test(`${path} that did not change is not sent again`, async (t) => {
    const get = await start(t)
    const first = await get(path)
    const etag = first.headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"another", ${etag}`]) {
      const again = await get(path, { headers: { 'if-none-match': known } })
      assert.equal(again.status, 304, known)
      assert.equal(await again.text(), '')
      assert.equal(again.headers.get('etag'), etag)
    }
    assert.equal((await get(path, { headers: { 'if-none-match': '"another"' } })).status, 200)
  })
}

test('HEAD answers as GET without the body', async (t) => {
  const get = await start(t)
  const head = await get('/docs', { method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.equal(head.headers.get('content-length'), String((await (await get('/docs')).text()).length))
})

test('/docs/ leads to /docs', async (t) => {
  const get = await start(t)
  const response = await get('/docs/')
  assert.ok(response.redirected && new URL(response.url).pathname === '/docs')
})
