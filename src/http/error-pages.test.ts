// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { refusals } from '../app.ts'
import type { RefusalCode } from '../lib/errors.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('error_pages')
})
after(() => app.close())

const pageAt = async (path: string) => {
  const response = await fetch(app.address + path)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

test('every code that can be answered has its page, which says when and by whom', async () => {
  const codes = Object.keys(refusals) as RefusalCode[]
  assert.ok(codes.length > 100)
  for (const code of codes) {
    const { status, type, text } = await pageAt(`/docs/errors/${code}`)
    assert.deepEqual([status, type], [200, 'text/html; charset=utf-8'], code)
    assert.ok(text.includes(`<h1>${code}</h1>`), code)
    assert.match(text, new RegExp(`<dt>Status</dt><dd>${refusals[code].status}</dd>`), code)
    assert.match(text, /<dt>Answered by<\/dt><dd>[^<]{5,}<\/dd>/, code)
  }
  const list = await pageAt('/docs/errors')
  for (const code of codes) assert.ok(list.text.includes(`href="errors/${code}"`), code)
})

test('the list of codes says beside each its status and when it is answered', async () => {
  const { text } = await pageAt('/docs/errors')
  for (const code of ['signature_invalid', 'not_found'] as const) {
    const { status, says } = refusals[code]
    const entry = `<dt><a href="errors/${code}">${code}</a></dt><dd>${status}: ${says}</dd>`
    assert.ok(text.includes(entry), code)
  }
  const links = [...text.matchAll(/href="([^"]+)"/g)].map(
    ([, to = '']) => new URL(to, `${app.address}/docs/errors`),
  )
  for (const { pathname } of [links.at(0), links.at(-1)].filter((link) => link !== undefined))
    assert.equal((await pageAt(pathname)).status, 200, pathname)
})

test('a refusal names the page of its code, which is there', async () => {
  const { json } = await app.call('GET', '/products/987654321/users.json')
  const { code, documentation_url: address } = json.error
  assert.equal(address, `${app.ctx.baseUrl}/docs/errors/${code}`)
  assert.equal((await pageAt(new URL(address).pathname)).status, 200)
})

test('a code that nothing answers has no page, and its name is not run', async () => {
  const { status, text } = await pageAt(`/docs/errors/${encodeURIComponent('<img src=x onerror=alert(1)>')}`)
  assert.equal(status, 404)
  assert.ok(!text.includes('<img'))
})
