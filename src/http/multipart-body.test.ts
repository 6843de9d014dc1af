// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { png } from '../../test/pictures.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('multipart_body')
})
after(() => app.close())

interface Sent {
  readonly name: string
  readonly content: string | Buffer
  readonly isFile?: true
}

function send(parts: readonly Sent[]) {
  const bytes = parts.flatMap(({ name, content, isFile }) => [
    Buffer.from(`--B\r\nContent-Disposition: form-data; name="${name}"${isFile ? '; filename="a.png"' : ''}`),
    Buffer.from('\r\n\r\n'),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return app.call('POST', `/products/${app.seller.product.id}/reviews.json`, {
    body: Buffer.concat([...bytes, Buffer.from('--B--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
  })
}

const given = [
  { name: 'rate', content: '80' },
  { name: 'text', content: 'It works.' },
  { name: 'name', content: 'Zoë' },
]
const data = { name: 'data', content: JSON.stringify({ rate: 80, text: 'It works.', name: 'Zoë' }) }
const picture: Sent = { name: 'picture', content: png(9, 9), isFile: true }
const count = async () => (await app.ctx.db.selectFrom('reviews').select('id').execute()).length

async function assertRefused(parts: readonly Sent[], field: string): Promise<void> {
  const before = await count()
  const { status, json, text } = await send(parts)
  assert.equal(status, 400, text)
  assert.deepEqual(
    json.error.details?.map((detail: { field: string }) => detail.field),
    [field],
  )
  assert.equal(await count(), before)
}

test('parts that are each given once are read', async () => {
  for (const parts of [
    [...given, picture],
    [data, picture],
  ]) {
    const { status, json, text } = await send(parts)
    assert.equal(status, 200, text)
    assert.equal(json.name, 'Zoë')
  }
})

test('a part that is given twice is refused by its name, whatever it is and whichever would be right', async () => {
  await assertRefused([...given, { name: 'rate', content: '90' }], 'rate')
  await assertRefused(
    [...given, { name: 'unknown', content: 'a' }, { name: 'unknown', content: 'a' }],
    'unknown',
  )
  await assertRefused([data, data], 'data')
  await assertRefused([data, picture, picture], 'picture')
  await assertRefused([data, picture, { name: 'picture', content: 'x' }], 'picture')
})

test('text that is not UTF-8 is refused by the name of its part', async () => {
  const broken = Buffer.from([0x5a, 0x6f, 0xeb])
  await assertRefused([...given.slice(0, 2), { name: 'name', content: broken }], 'name')
  const { status, json } = await send([
    { name: 'data', content: Buffer.concat([Buffer.from('{"name":"'), broken, Buffer.from('"}')]) },
  ])
  assert.deepEqual([status, json.error.code], [400, 'invalid_json'])
})

test('a body that is refused in its middle leaves no request after it waiting', async () => {
  const more: Sent = { name: 'picture', content: Buffer.alloc(600_000), isFile: true }
  const long: Sent = { name: 'text', content: 'x'.repeat(1_100_000) }
  for (const parts of [[more], [...given, given[0] as Sent, more], [long, more]]) {
    const began = Date.now()
    const { status, text } = await send(parts)
    assert.ok(status === 400 || status === 413, text)
    assert.equal((await send([...given, picture])).status, 200)
    assert.ok(Date.now() - began < 10_000)
  }
})
