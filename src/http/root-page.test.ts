// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { built } from '../../test/web/built.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { VERSION } from '../lib/version.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('root_page')
})
after(() => app.close())

const open = (path: string, headers: Record<string, string> = {}) => fetch(app.address + path, { headers })
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test('a person who opens the address of the server is shown what it is, and what can be opened there', async () => {
  const response = await open('/', BROWSER)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(response.headers.get('vary'), 'accept')
  const page = await response.text()
  assert.match(page, /<h1>Keywright<\/h1>/)
  assert.ok(!page.includes(VERSION), 'the version is not told')
  const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link)
  assert.deepEqual(links, ['dashboard/', 'docs', 'v1/openapi.json', 'healthz'])
  await built()
  for (const link of links) assert.equal((await open(`/${link}`)).status, 200, link)
})

test('a program is answered the same as JSON', async () => {
  const response = await open('/')
  const said = (await response.json()) as Record<string, string>
  assert.deepEqual(Object.keys(said), ['name', 'description', 'dashboard', 'docs', 'openapi', 'health'])
  assert.ok(!JSON.stringify(said).includes(VERSION), 'the version is not told')
  for (const name of ['docs', 'openapi', 'health']) {
    assert.equal((await open(`/${said[name]}`)).status, 200, name)
  }
  const head = await fetch(`${app.address}/`, { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
})

test('a token opens nothing, and no checkout either', async () => {
  const authorization = `Bearer ${app.seller.product.token}`
  assert.equal((await open('/', { ...BROWSER, authorization })).status, 401, 'nothing of a product is here')
  assert.equal((await open('/?product_id=1', { ...BROWSER, authorization })).status, 401)
})
