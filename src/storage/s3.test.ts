import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { after, before, beforeEach, test } from 'node:test'
import { readS3Settings } from '../lib/s3-settings.ts'
import { storageOf } from './open.ts'
import type { Storage, StoredFile } from './storage.ts'

interface Object_ {
  readonly bytes: Buffer
  readonly at: Date
}

/** The few calls of the protocol that we make, on a bucket in memory; `misbehave` answers instead. */
class Bucket {
  readonly objects = new Map<string, Object_>()
  readonly calls: string[] = []
  misbehave: ((request: IncomingMessage, response: ServerResponse) => boolean) | null = null
  pageSize = 2

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://s3')
    const key = decodeURIComponent(url.pathname.replace(/^\/bucket\/?/, ''))
    this.calls.push(`${request.method} ${key}`)
    assert.match(request.headers.authorization ?? '', /^AWS4-HMAC-SHA256 Credential=key-id\//)
    if (this.misbehave?.(request, response)) return
    const body = await buffer(request)
    if (key === '') return void this.#list(url, response)
    if (request.method === 'PUT') return void this.#put(key, body, { request, response })
    const found = this.objects.get(key)
    if (!found) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    if (request.method === 'DELETE') {
      this.objects.delete(key)
      return void response.writeHead(204).end()
    }
    this.#send(found, request, response)
  }

  #send(found: Object_, request: IncomingMessage, response: ServerResponse): void {
    const [, first = '0', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const bytes = found.bytes.subarray(Number(first), last === '' ? undefined : Number(last) + 1)
    const headers = { 'last-modified': found.at.toUTCString(), 'content-length': bytes.length }
    response.writeHead(last === '' ? 200 : 206, headers).end(request.method === 'HEAD' ? undefined : bytes)
  }

  #put(
    key: string,
    body: Buffer,
    { request, response }: { request: IncomingMessage; response: ServerResponse },
  ) {
    const sum = createHash('sha256').update(body).digest('base64')
    if (request.headers['x-amz-checksum-sha256'] !== sum)
      return response.writeHead(400).end('<Error><Code>BadDigest</Code></Error>')
    this.objects.set(key, { bytes: body, at: new Date(Math.floor(Date.now() / 1000) * 1000) })
    return response.writeHead(200, { etag: '"x"' }).end()
  }

  #list(url: URL, response: ServerResponse) {
    const names = [...this.objects.keys()].filter((key) =>
      key.startsWith(url.searchParams.get('prefix') ?? ''),
    )
    const from = Number(url.searchParams.get('continuation-token') ?? 0)
    const page = names.slice(from, from + this.pageSize)
    const isLast = from + this.pageSize >= names.length
    const contents = page.map((key) => {
      const { bytes, at } = this.objects.get(key) ?? assert.fail()
      return `<Contents><Key>${key}</Key><Size>${bytes.length}</Size><LastModified>${at.toISOString()}</LastModified></Contents>`
    })
    const more = isLast ? '' : `<NextContinuationToken>${from + this.pageSize}</NextContinuationToken>`
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(
        `<ListBucketResult><IsTruncated>${!isLast}</IsTruncated>${more}${contents.join('')}</ListBucketResult>`,
      )
  }
}

let bucket: Bucket
let server: Server
let storage: Storage
let folder: string

before(async () => {
  server = createServer((request, response) => void bucket.answer(request, response)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  folder = await mkdtemp(join(tmpdir(), 'keywright-s3-'))
  const { port } = server.address() as { port: number }
  const values: Readonly<Record<string, string>> = {
    KEYWRIGHT_S3_BUCKET: 'bucket',
    KEYWRIGHT_S3_ACCESS_KEY_ID: 'key-id',
    KEYWRIGHT_S3_SECRET_ACCESS_KEY: 'secret',
    KEYWRIGHT_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    KEYWRIGHT_S3_PREFIX: 'kw',
  }
  const read = (name: string) => values[name] ?? null
  storage = storageOf({ dataDir: folder, s3: readS3Settings({ text: read, address: read }) })
})
beforeEach(() => {
  bucket = new Bucket()
})
after(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

async function* chunksOf(text: string) {
  yield Buffer.from(text)
}

async function kept(text: string): Promise<string> {
  const received = await storage.receive(chunksOf(text), 100)
  await storage.keep(received)
  await storage.discard(received)
  return received.sha256
}

async function listed(): Promise<StoredFile[]> {
  const files: StoredFile[] = []
  for await (const file of storage.list()) files.push(file)
  return files
}

const textOf = async (sha256: string, range?: { first: number; last: number }) => {
  const bytes = await storage.read(sha256, range)
  if (!bytes) return null
  try {
    return await text(bytes.chunks)
  } finally {
    await bytes.close()
  }
}

test('files are kept in the bucket under their hash, read whole and in part, listed page by page, and removed', async () => {
  const names = [await kept('hello'), await kept('world'), await kept('third')]
  assert.deepEqual([...bucket.objects.keys()].toSorted(), names.map((name) => `kw/${name}`).toSorted())
  assert.equal(await textOf(names[0] ?? ''), 'hello')
  assert.equal(await textOf(names[0] ?? '', { first: 1, last: 3 }), 'ell')
  const files = await listed()
  assert.deepEqual(files.map(({ sha256 }) => sha256).toSorted(), names.toSorted())
  const [file] = files
  assert.ok(file)
  assert.equal(await storage.remove({ ...file, keptAt: file.keptAt - 1_000 }), false)
  assert.equal(await storage.remove(file), true)
  assert.equal(await storage.read(file.sha256), null)
  assert.equal((await listed()).length, 2)
})

test('bytes that were changed on their way are refused, and a service that fails for a moment is asked again', async () => {
  const received = await storage.receive(chunksOf('hello'), 100)
  await assert.rejects(storage.keep({ ...received, sha256: 'f'.repeat(64) }))
  assert.equal(bucket.objects.size, 0)
  let failures = 0
  bucket.misbehave = (request, response) => {
    if (request.method !== 'GET' || failures++ > 0) return false
    response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
    return true
  }
  const name = await kept('again')
  assert.equal(await textOf(name), 'again')
  bucket.misbehave = (_, response) => {
    response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    return true
  }
  await assert.rejects(storage.read(name), /AccessDenied|Unknown|UnknownError/)
})

test('the bucket needs both keys, and its settings are checked', () => {
  const read = (values: Readonly<Record<string, string>>) => {
    const text = (name: string) => values[name] ?? null
    return () => readS3Settings({ text, address: text })
  }
  assert.equal(read({})(), null)
  assert.throws(read({ KEYWRIGHT_S3_BUCKET: 'bucket' }), /ACCESS_KEY_ID/)
  assert.throws(read({ KEYWRIGHT_S3_BUCKET: 'Bad Bucket' }), /must be the name of a bucket/)
})
