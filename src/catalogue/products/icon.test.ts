// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { multipart, png } from '../../../test/pictures.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('product_icons')
})
after(() => app.close())

const path = () => `/products/${app.seller.product.id}.json`
const upload = (data: object | null, icon: Buffer, lineEnd?: string) =>
  app.call('PUT', path(), multipart(data, { icon }, lineEnd))

test('an icon comes beside the arguments, in both styles of line ends, and is served at its address', async () => {
  for (const [width, lineEnd] of [
    [300, '\n'],
    [200, '\r\n'],
  ] as const) {
    const icon = png(width, 300)
    const { status, json, text } = await upload({ title: `With ${width}` }, icon, lineEnd)
    assert.equal(status, 200, text)
    assert.equal(json.title, `With ${width}`)
    assert.deepEqual((await app.call('GET', path())).json, json)
    assert.ok(json.icon.startsWith(`${app.ctx.baseUrl}/pictures/`), json.icon)
    const served = await fetch(app.address + json.icon.slice(app.ctx.baseUrl.length))
    assert.equal(served.headers.get('content-type'), 'image/png')
    assert.deepEqual(Buffer.from(await served.arrayBuffer()), icon)
  }
})

test('an icon alone changes nothing else, and a change without one keeps it', async () => {
  const before = (await app.call('GET', path())).json
  const { icon } = (await upload(null, png(64, 64))).json
  assert.notEqual(icon, before.icon)
  const after = (await app.call('PUT', path(), { body: { title: 'Kept' } })).json
  assert.deepEqual(after, { ...before, icon, title: 'Kept' })
})

test('what is no picture, or too large a one, is named with all else that is wrong, and nothing is stored', async () => {
  const before = (await app.call('GET', path())).json
  const pictures = () => app.ctx.db.selectFrom('pictures').select('id').execute()
  const kept = await pictures()
  for (const icon of [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    png(301, 300),
    png(300, 301),
    Buffer.concat([png(300, 300), Buffer.alloc(200 * 1024)]),
  ]) {
    const { status, json } = await upload({ title: ' ' }, icon)
    assert.equal(status, 400)
    const fields = json.error.details.map(({ field }: { field: string }) => field)
    assert.ok(fields.includes('icon'), json.error.message)
  }
  assert.equal((await upload({ plans: '987654321' }, png(16, 16))).status, 400)
  assert.deepEqual(await pictures(), kept)
  assert.deepEqual((await app.call('GET', path())).json, before)
})
