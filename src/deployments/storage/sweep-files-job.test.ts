import assert from 'node:assert/strict'
import { truncate, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pluginZip, upload } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { checkArchives } from '../../health/check-archives.ts'
import { HOUR } from '../../lib/time.ts'
import { prepareVersion } from '../versions/deploy-version.ts'
import { systemScope } from '../../access/scope.ts'
import { sweepFiles } from './sweep-files-job.ts'
import { runDue } from '../../jobs/worker.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('sweep_files')
  app.ctx.clock.advance(Date.now() - app.ctx.clock.real())
})
after(() => app.close())

const at = (rest: string) => `/products/${app.seller.product.id}${rest}`

async function files(): Promise<string[]> {
  const found: string[] = []
  for await (const { sha256 } of app.ctx.storage.list()) found.push(sha256)
  return found.toSorted()
}

/** Makes every file as old as this. */
async function age(ms: number): Promise<void> {
  const then = new Date(Date.now() - ms)
  for (const sha256 of await files())
    await utimes(join(app.ctx.config.dataDir, 'files', sha256.slice(0, 2), sha256), then, then)
}

const sweep = async () => {
  app.ctx.clock.advance(HOUR)
  await runDue(app.ctx, [sweepFiles])
}

const finding = async () => {
  const { status, message } = await checkArchives(app.ctx.storage, app.ctx.db)
  return [status, message]
}

/** What an upload does until its version would be added, which a process does not do that is killed there. */
async function keptOnly(zip: Buffer): Promise<void> {
  const { developer, product } = app.seller
  async function* chunks() {
    yield zip
  }
  const received = await app.ctx.storage.receive(chunks(), zip.length)
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  await prepareVersion(app.ctx, scope, { body: {}, file: { ...received, filename: 'a.zip' } })
}

test('a process that ends before the version is added leaves none, and its files are removed an hour later', async () => {
  assert.deepEqual(await finding(), ['ok', 'there are none yet'])
  await upload(app, await pluginZip({ version: '1.0' }))
  const before = await files()
  await keptOnly(await pluginZip({ version: '1.1' }))
  assert.ok((await files()).length > before.length)
  assert.deepEqual(
    (await app.call('GET', at('/tags.json'))).json.tags.map(({ version }: { version: string }) => version),
    ['1.0'],
  )
  assert.deepEqual(await finding(), ['ok', '1 versions have theirs'])
  await age(4 * HOUR)
  assert.equal((await finding())[0], 'warn')
  await sweep()
  assert.deepEqual(await files(), before)
  assert.equal((await finding())[0], 'ok')
})

test('the archives of a deleted version go, but for those that another version has', async () => {
  const zip = await pluginZip({ version: '2.0' })
  const { id } = (await upload(app, zip)).json
  const { id: other } = (await upload(app, zip, { product: app.seller.other })).json
  await age(4 * HOUR)
  const before = await files()
  await app.call('DELETE', at(`/tags/${id}.json`))
  await sweep()
  assert.deepEqual(await files(), before)
  const path = `/products/${app.seller.other.id}/tags/${other}.json`
  await app.call('DELETE', path, { token: app.seller.other.token })
  await runDue(app.ctx, [sweepFiles])
  assert.ok((await files()).length < before.length)
})

test('the doctor finds a version whose archive is shorter than it was', async () => {
  assert.equal((await finding())[0], 'ok')
  const [sha256 = ''] = await files()
  await truncate(join(app.ctx.config.dataDir, 'files', sha256.slice(0, 2), sha256), 10)
  const [status, message = ''] = await finding()
  assert.equal(status, 'fail')
  assert.match(message, /^1 of \d versions have no whole archive: /)
})

test('the doctor finds a version whose archive is gone', async () => {
  for await (const file of app.ctx.storage.list()) await app.ctx.storage.remove(file)
  assert.equal((await finding())[0], 'fail')
})
