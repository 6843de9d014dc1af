// Runs on sqlite.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test, type TestContext as T } from 'node:test'
import { startTestApp, type TestApp, type TestOptions } from '../../test/app.ts'
import { built } from '../../test/web/built.ts'
import { createLog } from '../log.ts'

async function openApp(t: T, name: string, config: TestOptions['config'] = {}) {
  await built()
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const app = await startTestApp(name, { config, log })
  t.after(() => app.close())
  return { app, lines }
}

const checkoutOf = ({ seller }: TestApp) => `/checkout/product/${seller.product.id}/`
const pricingOf = ({ seller }: TestApp) => `/pricing/product/${seller.product.id}/`

/** What no two answers share. */
const OWN = ['date', 'x-request-id', 'connection', 'keep-alive']

async function ask(app: TestApp, path: string, init: RequestInit = {}) {
  const response = await fetch(app.address + path, init)
  const headers = [...response.headers].filter(([name]) => !OWN.includes(name))
  return { status: response.status, headers, body: await response.text() }
}

const scriptIn = (page: string) => /<script type="module" src="([^"]+)"/.exec(page)?.[1] ?? assert.fail()

test('what is known by heart is answered, logged and counted as what is not', async (t) => {
  const { app, lines } = await openApp(t, 'kept_alike')
  const { body } = await ask(app, checkoutOf(app))
  lines.length = 0
  const paths = [pricingOf(app), scriptIn(body), '/js/v1/', '/checkout/designer']
  for (const path of paths) {
    const first = await ask(app, path)
    assert.equal(first.status, 200, path)
    assert.deepEqual(await ask(app, path), first, path)
    const etag = new Headers(first.headers).get('etag') ?? ''
    const known = await ask(app, path, { headers: { 'if-none-match': etag } })
    assert.deepEqual([known.status, known.body], [304, ''], path)
    const head = await ask(app, path, { method: 'HEAD' })
    assert.deepEqual(head, { ...first, body: '' }, path)
    const told = lines.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.equal(new Set(told.map((line) => line['request_id'])).size, 4, path)
    assert.deepEqual(
      told.map(({ method }) => method),
      ['GET', 'GET', 'GET', 'HEAD'],
    )
    assert.deepEqual(
      told.map(({ status }) => status),
      [200, 200, 304, 200],
    )
    const [one, other] = told.map(({ operation, path, ip, credential }) => ({
      operation,
      path,
      ip,
      credential,
    }))
    assert.deepEqual(other, one)
    const figures = await ask(app, '/metrics')
    const counted = `keywright_http_request_seconds_count{operation="${one?.operation}",status="200"} 3`
    assert.ok(figures.body.includes(counted), counted)
    lines.length = 0
  }
})

test('a product that is changed is shown changed at the next look', async (t) => {
  const { app } = await openApp(t, 'kept_changed')
  const { id } = app.seller.product
  const titles = ['One', 'Two', 'Three']
  for (const title of titles) {
    for (const path of [checkoutOf(app), pricingOf(app)]) {
      await ask(app, path)
      await ask(app, path)
    }
    assert.equal((await app.call('PUT', `/products/${id}.json`, { body: { title } })).status, 200)
    for (const path of [checkoutOf(app), pricingOf(app)])
      assert.match((await ask(app, path)).body, new RegExp(`<title>${title}</title>`), path)
  }
})

test('the pages of two servers of one process are not those of one another', async (t) => {
  const apps = [(await openApp(t, 'kept_one')).app, (await openApp(t, 'kept_other')).app] as const
  const [one, other] = apps
  assert.equal(checkoutOf(one), checkoutOf(other))
  for (const [n, app] of apps.entries()) {
    const body = { title: `Server ${n}` }
    assert.equal((await app.call('PUT', `/products/${app.seller.product.id}.json`, { body })).status, 200)
  }
  for (let turn = 0; turn < 2; turn++)
    for (const [n, app] of apps.entries())
      assert.match((await ask(app, checkoutOf(app))).body, new RegExp(`<title>Server ${n}</title>`))
})

test('a table that is known in one language is not shown to who reads another', async (t) => {
  const { app } = await openApp(t, 'kept_language')
  const languageOf = async (language: string) => {
    const { body } = await ask(app, pricingOf(app), { headers: { 'accept-language': language } })
    return /<html lang="(\w+)"/.exec(body)?.[1]
  }
  for (let turn = 0; turn < 2; turn++)
    for (const language of ['de', 'en']) assert.equal(await languageOf(language), language)
})

test('a request that is refused for its head is refused for what is known by heart too', async (t) => {
  const { app } = await openApp(t, 'kept_refused')
  for (let turn = 0; turn < 2; turn++) await ask(app, checkoutOf(app))
  const { hostname, port } = new URL(app.address)
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${checkoutOf(app)} HTTP/1.1\r\nhost: one\r\nhost: other\r\n\r\n`)
  assert.match(await text(socket), /^HTTP\/1\.1 400 /)
})

test('behind a proxy what is known by heart says what every answer over TLS says', async (t) => {
  const { app, lines } = await openApp(t, 'kept_proxy', { trustProxy: ['127.0.0.0/8', '::1/128'] })
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' }
  for (let turn = 0; turn < 3; turn++) {
    const answer = await ask(app, checkoutOf(app), { headers })
    assert.ok(new Headers(answer.headers).has('strict-transport-security'))
  }
  for (const line of lines) assert.equal((JSON.parse(line) as { ip: string }).ip, '203.0.113.7')
})

test('with a list of origins what is known by heart says who may read it', async (t) => {
  const origin = 'https://shop.example'
  const { app } = await openApp(t, 'kept_origins', { corsOrigins: [origin] })
  const first = await ask(app, checkoutOf(app), { headers: { origin } })
  assert.equal(new Headers(first.headers).get('access-control-allow-origin'), origin)
  for (let turn = 0; turn < 2; turn++)
    assert.deepEqual(await ask(app, checkoutOf(app), { headers: { origin } }), first)
})
