import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pluginZip, upload } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createOffer } from '../../../test/catalogue.ts'
import { nestedPhp } from '../../../test/hostile-archives.ts'

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

test('beside an archive that takes long to read requests are answered as beside none, and nothing of it is stored', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 5 }, (_, n) => [
      `example/${n}.php`,
      `<?php ${'if('.repeat(500_000)}${'a'.repeat(n)} x__premium_only();`,
    ]),
  )
  const zip = await pluginZip({ files: { ...files, 'example/z.php': nestedPhp() } })
  assert.ok(zip.length < 100_000, `${zip.length} bytes`)
  const uploading = upload(app, zip)
  const answered = await answeredDuring(uploading)
  const { status, json } = await uploading
  assert.deepEqual([status, json.error?.code], [400, 'invalid_archive'])
  assert.ok(answered > 40, `${answered} requests were answered meanwhile`)
  const { dataDir } = app.ctx.config
  assert.deepEqual(await readdir(join(dataDir, 'incoming')), [])
  assert.deepEqual(await readdir(join(dataDir, 'files')).catch(() => []), [])
})
