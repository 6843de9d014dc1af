import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asPublic, type CallAs } from '../../../test/callers.ts'
import { multipart, png } from '../../../test/pictures.ts'
import { HOUR } from '../../lib/time.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('product_info')
  developer = await asDeveloper(app)
})
after(() => app.close())

const fieldsOf = ({ json }: Reply) =>
  json.error.details.map(({ field }: { field: string }) => field).toSorted()
const infoPath = () => `/products/${app.seller.product.id}/info.json`

const INFO = {
  url: 'https://example.com/forms',
  description: 'Forms.\nMany of them.',
  short_description: 'Forms',
  banner_url: 'https://example.com/banner.png',
  card_banner_url: '',
  selling_point_0: 'Fast',
  selling_point_1: 'Small',
  selling_point_2: 'Kept',
  screenshots: { screenshot_0: 'https://example.com/0.png', screenshot_1: 'https://example.com/1.png' },
}

test('information is not found until the developer writes it, and then is open to the public key', async () => {
  assert.equal((await asPublic(app)('GET', '/info.json')).status, 404)
  const written = await developer('PUT', infoPath(), INFO)
  assert.equal(written.status, 200, written.text)
  const { id, ...rest } = written.json
  assert.match(id, /^[1-9]\d*$/)
  const plugin = { plugin_id: String(app.seller.product.id), created: '2026-01-31 10:00:00', updated: null }
  assert.deepEqual(rest, { ...INFO, ...plugin, icon: null })
  assert.deepEqual((await asPublic(app)('GET', '/info.json')).json, written.json)
})

test('it has the icon of the product, beside an add-on too', async () => {
  const upload = multipart(null, { icon: png(64, 64) })
  const { icon } = (await app.call('PUT', `/products/${app.seller.product.id}.json`, upload)).json
  assert.match(icon, /\/pictures\//)
  assert.equal((await asPublic(app)('GET', '/info.json')).json.icon, icon)
})

test('what is left out stays', async () => {
  app.ctx.clock.advance(HOUR)
  const { json } = await developer('PUT', infoPath(), { selling_point_2: '', screenshots: {} })
  assert.deepEqual(
    [json.updated, json.selling_point_2, json.screenshots, json.url],
    ['2026-01-31 11:00:00', '', {}, INFO.url],
  )
})

test('every malformed field is named, and nothing is stored', async () => {
  const before = (await developer('GET', infoPath())).json
  const reply = await developer('PUT', infoPath(), {
    url: 'javascript:alert(1)',
    description: 'a\u202eb',
    short_description: 'two\nlines',
    banner_url: 'x',
    card_banner_url: 7,
    selling_point_0: 'x'.repeat(256),
    selling_point_1: null,
    screenshots: { screenshot_0: 'ftp://example.com' },
  })
  assert.equal(reply.status, 400)
  assert.deepEqual(fieldsOf(reply), [
    'banner_url',
    'card_banner_url',
    'description',
    'screenshots',
    'selling_point_0',
    'selling_point_1',
    'short_description',
    'url',
  ])
  for (const screenshots of [
    { other: INFO.url },
    { screenshot_0: 7 },
    [INFO.url],
    'x',
    { screenshot_01: INFO.url },
  ]) {
    assert.deepEqual(fieldsOf(await developer('PUT', infoPath(), { screenshots })), ['screenshots'])
  }
  assert.deepEqual((await developer('GET', infoPath())).json, before)
})

test('only the developer writes information', async () => {
  assert.equal((await app.call('PUT', infoPath(), { body: INFO })).status, 401)
})

test('of two first writes at once both are kept', async () => {
  const path = `/products/${app.seller.other.id}/info.json`
  const replies = await Promise.all([
    developer('PUT', path, { url: INFO.url }),
    developer('PUT', path, { description: 'Both' }),
  ])
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200],
  )
  const { json } = await developer('GET', path)
  assert.deepEqual([json.url, json.description], [INFO.url, 'Both'])
})
