// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { built } from '../../test/web/built.ts'
import type { Manifest } from './manifest.ts'

let app: TestApp
let manifest: Manifest
before(async () => {
  manifest = await built()
  app = await startTestApp('web_serving')
})
after(() => app.close())

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(app.address + path, { headers, redirect: 'manual' })

/** As a browser: `fetch` of Node unpacks by itself, so that what was sent is asked by its length. */
const lengthOf = (response: Response) => Number(response.headers.get('content-length'))

test('the checkout is at the root with a product, and under every path that clients make', async () => {
  const { id } = app.seller.product
  const paths = [
    `/?plugin_id=${id}&mode=dialog`,
    `/?product_id=${id}`,
    `/checkout/product/${id}/`,
    `/product/${id}/plan/2/licenses/unlimited/currency/usd/`,
    `/plugin/${id}/`,
    `/app/${id}/`,
    `/mode/dialog/product/${id}/`,
  ]
  for (const path of paths) {
    const response = await open(path)
    assert.equal(response.status, 200, path)
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  }
})

test('a page may be in any frame, runs what was built into it alone, and is asked for again by its tag', async () => {
  const response = await open(`/checkout/product/${app.seller.product.id}/`)
  const policy = response.headers.get('content-security-policy') ?? ''
  assert.equal(response.headers.get('x-frame-options'), null)
  assert.match(policy, /frame-ancestors \*/)
  assert.ok(!policy.includes('unsafe'), policy)
  assert.match(policy, /script-src 'self' 'sha256-[\w+/]{43}='/)
  const etag = response.headers.get('etag') ?? ''
  const again = await open(`/checkout/product/${app.seller.product.id}/`, { 'if-none-match': etag })
  assert.deepEqual([again.status, await again.text()], [304, ''])
})

test('a file of the build stays for ever, and is sent as small as the browser takes it', async () => {
  const { script } = manifest.pages['checkout'] ?? assert.fail()
  const about = manifest.files[script] ?? assert.fail()
  const plain = await open(`/-/web/${script}`, { 'accept-encoding': 'identity' })
  assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(plain.headers.get('vary'), 'accept-encoding')
  const text = await plain.text()
  for (const [encoding, size] of [
    ['br', about.br],
    ['gzip', about.gzip],
  ] as const) {
    const packed = await open(`/-/web/${script}`, { 'accept-encoding': encoding })
    assert.equal(packed.headers.get('content-encoding'), encoding)
    assert.equal(lengthOf(packed), size)
    assert.equal(await packed.text(), text)
  }
  const etag = plain.headers.get('etag') ?? ''
  assert.equal((await open(`/-/web/${script}`, { 'if-none-match': etag })).status, 200, 'another form of it')
  const same = { 'if-none-match': etag, 'accept-encoding': 'identity' }
  assert.equal((await open(`/-/web/${script}`, same)).status, 304)
})

test('what other sites load has an address that never changes, and may be loaded from anywhere', async () => {
  const paths = [
    '/js/v1/',
    '/js/v1',
    '/js/v1/legacy/',
    '/js/v1/pricing/',
    '/checkout.min.js',
    '/checkout.js',
    '/assets/img/spinner.svg',
  ]
  for (const path of paths) {
    const response = await open(path)
    assert.equal(response.status, 200, path)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    assert.equal(response.headers.get('cache-control'), 'public, max-age=300, stale-while-revalidate=86400')
  }
  assert.match(await (await open('/js/v1/')).text(), /FS/)
  assert.equal((await open('/favicon.ico')).headers.get('content-type'), 'image/svg+xml')
  assert.match(await (await open('/robots.txt')).text(), /Disallow: \//)
})

test('no path leads out of the folder of the build', async () => {
  for (const name of ['..%2f..%2fpackage.json', '%2e%2e%2fbuild.ts', 'lock', 'checkout', '.env', 'x.json']) {
    assert.equal((await open(`/-/web/${name}`)).status, 404, name)
  }
})

test('56: the build keeps to its sizes', () => {
  const packed = (name: string) =>
    manifest.files[name]?.gzip ?? manifest.files[name]?.size ?? assert.fail(name)
  const sum = (names: readonly string[]) => names.reduce((all, name) => all + packed(name), 0)
  // Of one language, whichever is the largest: no page is drawn without. Those of a part are loaded with it.
  const isApp = (name: string) => name === 'dashboard' || name === 'portal'
  const texts = Object.keys(manifest.files).filter((name) => /^(?:en|de)-[\w-]{8}\.js$/.test(name))
  assert.equal(texts.length, 4, 'two languages of two pages')
  const words = Math.max(...texts.map(packed))
  for (const [name, most, mostStyles] of [
    ['checkout', 30_000, 6_000],
    ['pricing', 25_000, 6_000],
    ['contact', 15_000, 6_000],
    ['designer', 20_000, 6_000],
    ['dashboard', 200_000, 15_000],
    ['portal', 170_000, 15_000],
  ] as const) {
    const { script, preloads, styles, head } = manifest.pages[name] ?? assert.fail(name)
    const size = sum([script, ...preloads]) + (isApp(name) ? words : 0)
    assert.ok(size <= most, `${name}: ${size} bytes`)
    assert.ok(gzipSync(head).length <= 1_500, `what stands in ${name}: ${gzipSync(head).length} bytes`)
    assert.ok(sum(styles) <= mostStyles, `styles of ${name}: ${sum(styles)} bytes`)
  }
  for (const name of ['overlay.js', 'legacy.js', 'pricing.js']) {
    assert.ok(
      packed(manifest.fixed[name] ?? '') <= 6_000,
      `${name}: ${packed(manifest.fixed[name] ?? '')} bytes`,
    )
  }
})

test('what a page loads later comes in small parts', () => {
  const pages = Object.values(manifest.pages)
  const first = new Set(pages.flatMap(({ script, preloads }) => [script, ...preloads]))
  const later = Object.entries(manifest.files).filter(([name, { type }]) => type === 'js' && !first.has(name))
  assert.ok(later.length > 10)
  for (const [name, { gzip, size }] of later) assert.ok((gzip ?? size) <= 40_000, `${name}: ${gzip} bytes`)
})

test('each form of a file unpacks to the same', async () => {
  const { file } = await import('./build.ts').then(({ webBuild }) => ({
    file: (name: string) => webBuild.file(name),
  }))
  for (const [name, about] of Object.entries(manifest.files)) {
    const plain = (await file(name)) ?? assert.fail(name)
    assert.equal(plain.length, about.size)
    if (about.br === undefined) continue
    assert.deepEqual(brotliDecompressSync((await file(`${name}.br`)) ?? assert.fail()), plain)
    assert.deepEqual(gunzipSync((await file(`${name}.gz`)) ?? assert.fail()), plain)
  }
})
