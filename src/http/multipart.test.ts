import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { ApiError } from '../lib/errors.ts'
import { boundaryOf, readParts } from './multipart.ts'

interface Read {
  readonly name: string
  readonly filename: string | null
  readonly content: string
}

async function* inChunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(body: string | Buffer, size = 1 << 20, boundary = 'B'): Promise<Read[]> {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body
  const parts: Read[] = []
  for await (const { name, filename, chunks: content } of readParts(inChunks(bytes, size), boundary)) {
    const pieces: Buffer[] = []
    for await (const piece of content) pieces.push(piece)
    parts.push({ name, filename, content: Buffer.concat(pieces).toString('latin1') })
  }
  return parts
}

const refused = (body: string) =>
  assert.rejects(read(body), (error) => error instanceof ApiError && error.code === 'invalid_multipart')

const standard =
  '--B\r\nContent-Disposition: form-data; name="data"\r\n\r\n{"a":1}\r\n' +
  '--B\r\nContent-Disposition: form-data; name="file"; filename="../a\\b.zip"\r\nContent-Type: application/zip\r\n\r\nPK\r\n\n--C\r\n' +
  '--B--\r\n'
const expected = [
  { name: 'data', filename: null, content: '{"a":1}' },
  { name: 'file', filename: 'b.zip', content: 'PK\r\n\n--C' },
]

test('a standard body is read, however it is cut into chunks', async () => {
  for (const size of [1, 2, 3, 7, 1000]) assert.deepEqual(await read(standard, size), expected, String(size))
})

test('line ends of a bare LF and a last boundary without line end are accepted', async () => {
  const body =
    '--B\nContent-Disposition: form-data; name="data"\n\n{"a":1}\n' +
    '--B\nContent-Disposition: form-data; name="file"; filename="a.zip"\n\nPK\r\n--B--'
  assert.deepEqual(await read(body), [
    { name: 'data', filename: null, content: '{"a":1}' },
    { name: 'file', filename: 'a.zip', content: 'PK' },
  ])
})

test('content that ends in CR and LF below header lines of a bare LF ends before them', async () => {
  const parts = [
    '--B\nContent-Disposition: form-data; name="data"\n\n{"a":1}\r\n',
    '--B\nContent-Disposition: form-data; name="file"; filename="a.zip"\nContent-Type: application/zip\nPK\r\r\n',
  ].join('')
  for (const end of ['--B--', '--B--\n', '--B--\r\n']) {
    for (const size of [1, 3, 1000]) {
      assert.deepEqual(await read(parts + end, size), [
        { name: 'data', filename: null, content: '{"a":1}' },
        { name: 'file', filename: 'a.zip', content: 'PK\r' },
      ])
    }
  }
})

test('content that follows the headers without an empty line is content', async () => {
  const body =
    '--B\nContent-Disposition: form-data; name="file"; filename="a.zip"\nContent-Type: application/zip\nPK\x03\x04\n--B--\r\n'
  assert.deepEqual(await read(body), [{ name: 'file', filename: 'a.zip', content: 'PK\x03\x04' }])
})

test('empty content and content that looks like the boundary', async () => {
  const body =
    '--B\r\nContent-Disposition: form-data; name="empty"\r\n\r\n\r\n' +
    '--B\r\nContent-Disposition: form-data; name="like"\r\n\r\n--BX\r\n--Bad\r\n--B--\r\n'
  for (const size of [1, 5, 1000]) {
    assert.deepEqual(await read(body, size), [
      { name: 'empty', filename: null, content: '' },
      { name: 'like', filename: null, content: '--BX\r\n--Bad' },
    ])
  }
})

test('content comes in pieces of no few bytes, whatever chunks it came in and however often it looks like the boundary', async () => {
  const head = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
  const content = '\n--Bx'.repeat(100_000)
  for (const size of [1, 3_000, 65_536]) {
    const source = inChunks(Buffer.from(`${head}${content}\r\n--B--`, 'latin1'), size)
    for await (const { chunks } of readParts(source, 'B')) {
      const pieces = await Array.fromAsync(chunks)
      assert.equal(Buffer.concat(pieces).toString('latin1'), content)
      assert.ok(pieces.length <= 2 + content.length / 8_192, `${pieces.length} pieces of chunks of ${size}`)
    }
  }
})

test('content of which every chunk ends like a boundary that goes on is not held until it ends', async () => {
  const head = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
  const most = 20
  let sent = 0
  async function* endless() {
    yield Buffer.from(head, 'latin1')
    for (; sent < most; sent++) yield Buffer.from(`\n${'a'.repeat(4_090)}\n--Bx`, 'latin1')
  }
  const { value: part } = await readParts(endless(), 'B').next()
  const { value: first } = await (part ?? assert.fail()).chunks.next()
  assert.ok((first ?? assert.fail()).length > 4_000)
  assert.ok(sent < most / 2, `${sent} chunks were held`)
})

test('random bytes come through unchanged, and no more than a chunk is held', async () => {
  const content = randomBytes(300_000)
  const head = Buffer.from('--B\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n')
  const body = Buffer.concat([head, content, Buffer.from('\r\n--B--\r\n')])
  for (const size of [997, 65_536]) {
    const [part] = await read(body, size)
    assert.ok(Buffer.from(part?.content ?? '', 'latin1').equals(content))
  }
})

test('names carry no path and nothing that could end a header', async () => {
  const body =
    '--B\r\nContent-Disposition: form-data; name="f"; filename="C:\\\\x\\\\evil\\".png"\r\n\r\nx\r\n--B--'
  const [part] = await read(body)
  assert.match(part?.filename ?? '', /^[^"\\/]+$/u)
})

test('names with control characters are refused', async () => {
  for (const names of ['name="f"; filename="e\x01vil.png"', 'name="f"; filename="e\x7f.png"', 'name="f\x02"'])
    await assert.rejects(
      read(`--B\r\nContent-Disposition: form-data; ${names}\r\n\r\nx\r\n--B--`),
      /control characters/,
    )
})

test('what is no body of parts is refused', async () => {
  await refused('')
  await refused('hello')
  await refused('--B\r\nContent-Disposition: form-data; name="a"\r\n\r\ncut off')
  await refused('--B\r\nContent-Type: text/plain\r\n\r\nx\r\n--B--')
  await refused(`--B\r\nContent-Disposition: form-data; name="${'n'.repeat(101)}"\r\n\r\nx\r\n--B--`)
  await refused(`--B\r\n${'X-Header: y\r\n'.repeat(5000)}\r\n\r\nx\r\n--B--`)
  await refused('--B\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(51) + '--B--')
})

test('the boundary is taken from the content type, quoted or not', () => {
  assert.equal(boundaryOf('multipart/form-data; boundary=----abc'), '----abc')
  assert.equal(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b"'), 'a b')
  assert.equal(boundaryOf('multipart/form-data'), null)
  assert.equal(boundaryOf('application/json; boundary=x'), null)
})
