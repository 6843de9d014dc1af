import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, open, readdir, readlink, rm, utimes, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { folderStorage } from './folder.ts'
import { TooManyBytes } from '../../lib/receive.ts'
import { type Storage, type StoredFile } from './storage.ts'

let folder: string
let storage: Storage
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keywright-storage-'))
  storage = folderStorage(folder)
})
after(() => rm(folder, { recursive: true }))

async function* chunksOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

async function listed(): Promise<StoredFile[]> {
  const files: StoredFile[] = []
  for await (const file of storage.list()) files.push(file)
  return files
}

const incoming = () => readdir(join(folder, 'incoming'))
const pathOf = (sha256: string) => join(folder, 'files', sha256.slice(0, 2), sha256)
const textOf = async (sha256: string, range?: { first: number; last: number }) => {
  const bytes = await storage.read(sha256, range)
  if (!bytes) return null
  try {
    return await text(bytes.chunks)
  } finally {
    await bytes.close()
  }
}

test('what was received is no file before it is kept, and then one under the hash of its bytes', async () => {
  const received = await storage.receive(chunksOf('hel', 'lo'), 100)
  assert.deepEqual([received.size, received.sha256], [5, createHash('sha256').update('hello').digest('hex')])
  assert.deepEqual(await listed(), [])
  assert.equal(await storage.read(received.sha256), null)
  await storage.keep(received)
  assert.deepEqual(
    (await listed()).map(({ sha256, size }) => [sha256, size]),
    [[received.sha256, 5]],
  )
  assert.equal(await textOf(received.sha256), 'hello')
  assert.equal(await textOf(received.sha256, { first: 1, last: 3 }), 'ell')
  await storage.keep(received)
  await storage.discard(received)
  assert.equal(await textOf(received.sha256), 'hello')
  assert.deepEqual(await incoming(), [])
})

test('files that a system or a person left in the folder are no archives', async () => {
  const before = await listed()
  await writeFile(join(folder, 'files', '.DS_Store'), 'x')
  await writeFile(join(folder, 'files', (before[0]?.sha256 ?? '').slice(0, 2), '.DS_Store'), 'x')
  assert.deepEqual(await listed(), before)
})

test('of what is too long, breaks off or is discarded nothing is left', async () => {
  await assert.rejects(storage.receive(chunksOf('hello', 'world'), 9), TooManyBytes)
  async function* broken() {
    yield Buffer.from('hel')
    throw new Error('cut off')
  }
  await assert.rejects(storage.receive(broken(), 9), /cut off/)
  const received = await storage.receive(chunksOf('other'), 9)
  await storage.discard(received)
  assert.deepEqual(await incoming(), [])
  await assert.rejects(storage.keep(received))
})

test('a file is removed unless it was kept again; what a process left is cleaned when it is old', async () => {
  const received = await storage.receive(chunksOf('again'), 9)
  await storage.keep(received)
  const [file] = (await listed()).filter(({ sha256 }) => sha256 === received.sha256)
  assert.ok(file)
  await utimes(pathOf(file.sha256), new Date(), new Date(file.keptAt + 5_000))
  assert.equal(await storage.remove(file), false)
  assert.equal(await textOf(file.sha256), 'again')
  const [now] = (await listed()).filter(({ sha256 }) => sha256 === received.sha256)
  assert.ok(now && (await storage.remove(now)))
  assert.equal(await storage.read(file.sha256), null)
  assert.equal(await storage.remove(now), false)
  await storage.receive(chunksOf('left'), 9)
  assert.equal(await storage.clean(Date.now() - 60_000), 0)
  assert.equal(await storage.clean(Date.now() + 60_000), 1)
  assert.deepEqual(await incoming(), [])
})

/** Folders that were made durable while something was done, as the system calls for it go. */
async function syncedBy(work: () => Promise<void>): Promise<Set<string>> {
  const handle = await open(folder)
  const { prototype } = handle.constructor as unknown as { prototype: FileHandle }
  await handle.close()
  const { sync } = prototype
  const synced = new Set<string>()
  prototype.sync = async function (this: FileHandle) {
    synced.add(await readlink(`/proc/self/fd/${this.fd}`))
    return sync.call(this)
  }
  try {
    await work()
  } finally {
    prototype.sync = sync
  }
  return synced
}

test(
  'the names of a file and of every folder that was made for it survive a loss of power',
  { skip: process.platform !== 'linux' },
  async () => {
    const root = join(folder, 'deep', 'data')
    const fresh = folderStorage(root)
    const synced = await syncedBy(async () => {
      await fresh.keep(await fresh.receive(chunksOf('durable'), 9))
    })
    const [place = ''] = await readdir(join(root, 'files'))
    const folders = [folder, join(folder, 'deep'), root, join(root, 'files'), join(root, 'files', place)]
    for (const one of folders) assert.ok(synced.has(one), one)
  },
)
