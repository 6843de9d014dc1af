// Runs slowly.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pluginZip } from '../../../test/archives.ts'
import { exactZip } from '../../../test/exact-archives.ts'
import { longPhp, nestedPhp } from '../../../test/hostile-archives.ts'
import { readBeside, type ReadLimits } from './read-upload.ts'
import type { Upload } from './reading.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keywright-read-'))
})
after(() => rm(folder, { recursive: true }))

const ORDINARY: ReadLimits = { stepMs: 60_000, wholeMs: 120_000 }
const SELLER = 1
let count = 0

type Files = Record<string, string | Buffer>

const read = async (files: Files, limits: ReadLimits = ORDINARY) =>
  readBeside(await uploaded(files), SELLER, limits)

const uploaded = async (files: Files): Promise<Upload> => stored(await pluginZip({ files }))

async function stored(zip: Buffer): Promise<Upload> {
  const path = join(folder, `${count++}.zip`)
  await writeFile(path, zip)
  return {
    path,
    type: 'plugin',
    said: {},
    isSdkRequired: true,
    isSold: true,
    hasFreePlan: true,
    places: placesOf(),
  }
}

function placesOf(): Upload['places'] {
  const path = join(folder, `${count++}`)
  return [`${path}.premium`, `${path}.free`]
}

const isRead = async () => {
  const reading = await read({})
  assert.ok('facts' in reading && reading.free !== null && reading.free !== 'upload')
}

test('an archive for which the thread has too little memory is refused, and the next one is read', async () => {
  const files = { 'example/long.php': longPhp() }
  await assert.rejects(read(files, { ...ORDINARY, heapMb: 6 }), /takes too much memory to read/)
  await isRead()
})

test('an archive that takes too long is refused, in a step of it or as a whole, and the next one is read', async () => {
  const files = { 'example/nested.php': nestedPhp() }
  await assert.rejects(read(files, { ...ORDINARY, stepMs: 1 }), /takes too long to read/)
  await isRead()
  await assert.rejects(read(files, { ...ORDINARY, wholeMs: 1 }), /takes too long to read/)
  await isRead()
})

test('an archive is refused with what is wrong in it, and more at once than there are threads are all read', async () => {
  const all = await Promise.all(
    Array.from({ length: 6 }, () => read({ 'example/a.php': nestedPhp() }).catch(String)),
  )
  for (const one of all) assert.match(String(one), /condition that is too long/)
  await isRead()
})

/** Takes long; it packs so badly that it is no bomb. */
const slowFiles = (): Files => ({
  'example/0.bin': randomBytes(300_000),
  ...Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`example/${n}.php`, longPhp()])),
})

test('an archive waits for the one before it, but not for one that takes long', async () => {
  const ended: string[] = []
  const end = (name: string) => () => void ended.push(name)
  const [slow, small, another] = [await uploaded(slowFiles()), await uploaded({}), await uploaded({})]
  const first = readBeside(slow, SELLER, ORDINARY).then(end('long'))
  const patient = readBeside(small, SELLER, ORDINARY).then(end('patient'))
  const other = readBeside(another, SELLER, { ...ORDINARY, patienceMs: 1 }).then(end('other'))
  await Promise.all([first, patient, other])
  assert.deepEqual(ended, ['patient', 'other', 'long'])
})

test('the archives of a seller, however many and long they are, hold up no other seller', async () => {
  const ended: string[] = []
  const impatient = { ...ORDINARY, patienceMs: 1 }
  const read = async (name: string, upload: Upload, seller: number) => {
    await readBeside(upload, seller, impatient)
    ended.push(name)
  }
  const [slow, small] = [await uploaded(slowFiles()), await uploaded({})]
  const ofOne = Array.from({ length: 4 }, () => read('long', { ...slow, places: placesOf() }, SELLER))
  await Promise.all([...ofOne, read('other', small, SELLER + 1)])
  assert.deepEqual(ended, ['other', 'long', 'long', 'long', 'long'])
})

test('of the most extra fields that an archive may have none is held', async () => {
  const extra = Buffer.alloc(4_000, Buffer.from('fefe0000', 'hex'))
  const files = Array.from({ length: 1_000 }, (_, n) => ({ name: `a/${n}`, central: { extra } }))
  const upload = { ...(await stored(exactZip(files))), isSold: false, said: { version: '1.0' } }
  // Ends the thread that is kept, which has more memory.
  await assert.rejects(read({ 'example/nested.php': nestedPhp() }, { ...ORDINARY, stepMs: 1 }))
  const reading = await readBeside(upload, SELLER, { ...ORDINARY, heapMb: 40 })
  assert.ok('premium' in reading && reading.premium === 'upload')
})
