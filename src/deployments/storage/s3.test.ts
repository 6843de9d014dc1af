import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, test } from 'node:test'
import { Bucket, serveBucket } from '../../../test/bucket.ts'
import { readS3Settings } from '../../lib/s3-settings.ts'
import { storageOf } from './open.ts'
import type { Storage, StoredFile } from './storage.ts'

let bucket: Bucket
let server: Awaited<ReturnType<typeof serveBucket>>
let storage: Storage
let folder: string

before(async () => {
  server = await serveBucket(() => bucket)
  folder = await mkdtemp(join(tmpdir(), 'keywright-s3-'))
  const { env: values } = server
  const read = (name: string) => values[name] ?? null
  storage = storageOf({ dataDir: folder, s3: readS3Settings({ text: read, address: read }) })
})
beforeEach(() => {
  bucket = new Bucket()
})
after(async () => {
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

test('an upload that the service or the network fails is sent again with all its bytes, three times at most', async () => {
  let puts = 0
  const fail = (times: number) => {
    puts = 0
    bucket.misbehave = (request, response) => {
      if (request.method !== 'PUT' || puts++ >= times) return false
      if (puts === 1) response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
      else request.socket.destroy()
      return true
    }
  }
  fail(2)
  const name = await kept('sent three times')
  assert.deepEqual([puts, await textOf(name)], [3, 'sent three times'])
  fail(9)
  await assert.rejects(kept('never sent'))
  assert.equal(puts, 3)
})

test('a hundred that read slowly leave others room', { timeout: 10_000 }, async () => {
  const name = await kept('hello')
  bucket.misbehave = (request, response) => {
    if (request.method !== 'GET') return false
    response.writeHead(200, { 'content-length': 10 }).write('hel')
    return true
  }
  const slow = await Promise.all(Array.from({ length: 100 }, () => storage.read(name)))
  bucket.misbehave = null
  assert.equal(await textOf(name), 'hello')
  await Promise.all(slow.map((one) => one?.close()))
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
