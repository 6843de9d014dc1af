// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pluginZip, upload } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createOffer } from '../../../test/catalogue.ts'
import { exactZip, u64 } from '../../../test/exact-archives.ts'
import { createSeller } from '../../../test/factories.ts'
import { longPhp, nestedPhp } from '../../../test/hostile-archives.ts'
import { readBeside } from '../archive/read-upload.ts'
import type { Upload } from '../archive/reading.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('hostile_upload')
  const { developer, product } = app.seller
  await app.write((tx) => createOffer(tx, { developerId: developer.id, productId: product.id }, 'pro'))
})
after(() => app.close())

/** How many requests were answered one after the other while something was done. */
async function answeredDuring(work: Promise<unknown>): Promise<number> {
  let answered = 0
  let isOver = false
  const ended = work.finally(() => {
    isOver = true
  })
  for (; !isOver; answered++) {
    const { status } = await app.call('GET', `/products/${app.seller.product.id}/plans.json`)
    assert.equal(status, 200)
  }
  await ended
  return answered
}

/** An archive that is refused after all but its last file was read; so that it is no bomb, some of it packs badly. */
async function hostileZip(): Promise<Buffer> {
  const long = Array.from({ length: 6 }, (_, n) => [`example/${n}.php`, longPhp()])
  const files = {
    'example/0.bin': randomBytes(300_000),
    ...Object.fromEntries(long),
    'example/z.php': nestedPhp(),
  }
  const zip = await pluginZip({ files })
  assert.ok(zip.length < 600_000, `${zip.length} bytes`)
  return zip
}

test('beside an archive that takes long to read others are answered, and nothing of it is stored', async () => {
  const uploading = upload(app, await hostileZip())
  const answered = await answeredDuring(uploading)
  const { status, json } = await uploading
  assert.deepEqual([status, json.error?.code], [400, 'invalid_archive'])
  assert.ok(answered > 20, `${answered} requests were answered meanwhile`)
  const { dataDir } = app.ctx.config
  assert.deepEqual(await readdir(join(dataDir, 'incoming')), [])
  assert.deepEqual(await readdir(join(dataDir, 'files')).catch(() => []), [])
})

test('an archive is not read in the thread that answers requests', async () => {
  const zip = await hostileZip()
  const before = { thread: process.threadCpuUsage(), all: process.cpuUsage() }
  await upload(app, zip)
  const thread = sumOf(process.threadCpuUsage(before.thread))
  const all = sumOf(process.cpuUsage(before.all))
  assert.ok(thread < all / 3, `${thread} of ${all} µs`)
})

const sumOf = ({ user, system }: NodeJS.CpuUsage) => user + system

test('an archive whose end names a place that no file has is refused as any other, and the next one is read', async () => {
  const zip = exactZip([{ name: 'a/1.txt' }], { isWide: true, wideEnd: { 64: u64(2n ** 64n - 1n) } })
  const { status, json } = await upload(app, zip)
  assert.deepEqual([status, json.error?.code], [400, 'invalid_archive'])
  assert.equal((await upload(app, await pluginZip())).status, 200)
})

test('a seller of whom many archives wait is told to come back, and another seller is served meanwhile', async () => {
  const other = await app.write((tx) => createSeller(tx, 'other@example.com'))
  const path = join(app.ctx.config.dataDir, 'slow.zip')
  await writeFile(path, await hostileZip())
  const slow: Upload = {
    path,
    type: 'plugin',
    said: {},
    isSdkRequired: false,
    isSold: true,
    hasFreePlan: true,
    places: [`${path}.premium`, `${path}.free`],
  }
  const read = (upload: Upload) => readBeside(upload, app.seller.developer.id)
  const gone = Array.from({ length: 13 }, () => ({ ...slow, path: `${path}.gone` }))
  const reading = [slow, ...gone, slow, slow, slow].map(read)
  const ended = Promise.allSettled(reading).then(() => 'ended')
  const zip = await pluginZip({ version: '7.0' })
  const refused = await upload(app, zip)
  assert.deepEqual([refused.status, refused.json.error?.code], [429, 'too_many_requests'])
  assert.equal(refused.headers.get('retry-after'), '10')
  const served = upload(app, zip, { product: other.product }).then(({ status }) => status)
  assert.equal(await Promise.race([served, ended]), 200)
  await ended
  assert.equal((await upload(app, zip)).status, 200)
  assert.deepEqual(await readdir(join(app.ctx.config.dataDir, 'incoming')), [])
})
