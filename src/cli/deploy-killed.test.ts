// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { readdir, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pluginZip, uploadOf } from '../../test/archives.ts'
import { addressOf, bearer, type Place, type Started } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'
import { testEngine } from '../../test/database.ts'
import { doctor } from '../../test/doctor.ts'
import { KILL_POINTS, type KillPoint } from '../../test/kill-at.ts'
import { folderStorage } from '../deployments/storage/folder.ts'
import { HOUR } from '../lib/time.ts'
import { checkArchives } from '../health/check-archives.ts'

const hook = resolve(import.meta.dirname, '../../test/kill-at.ts')

interface Seller {
  readonly product: string
  readonly token: string
}

const tagsOf = (server: Started, { product }: Seller) => `${addressOf(server)}/v1/products/${product}/tags`

/** Sends a version to a server that is killed by it. */
async function uploadTo(server: Started, seller: Seller, version: string): Promise<void> {
  const { body, headers } = uploadOf(await pluginZip({ version }))
  const init = { method: 'POST', body, headers: { ...headers, ...bearer(seller.token) } }
  await assert.rejects(fetch(`${tagsOf(server, seller)}.json`, init), version)
  assert.equal((await server.ended).code, null)
}

async function versionsOn(server: Started, seller: Seller): Promise<string[]> {
  const response = await fetch(`${tagsOf(server, seller)}.json`, { headers: bearer(seller.token) })
  return ((await response.json()) as { tags: { version: string }[] }).tags.map(({ version }) => version)
}

const within = async (place: Place, folder: string) =>
  (await readdir(join(place.folder, 'data', folder), { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile(),
  )

/** By name: what is kept, and what is not whole. */
async function filesOf(place: Place) {
  const [files, incoming] = await Promise.all(['files', 'incoming'].map((name) => within(place, name)))
  const names = (entries: typeof files = []) => entries.map(({ name }) => name).toSorted()
  return { files: names(files), incoming: names(incoming) }
}

/** Lets four hours pass for every file, and makes the job that removes what no version has due. */
async function makeOld(place: Place): Promise<void> {
  const then = new Date(Date.now() - 4 * HOUR)
  for (const folder of ['files', 'incoming'])
    for (const { parentPath, name } of await within(place, folder))
      await utimes(join(parentPath, name), then, then)
  await place.database.transaction((db) =>
    db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).where('name', '=', 'sweep-files').execute(),
  )
}

/** What comes before the row is the same whatever the database is. */
const isOfFiles = (point: KillPoint) => point === 'while receiving' || point.includes('rename')
const POINTS = testEngine() === 'sqlite' ? KILL_POINTS : KILL_POINTS.filter((point) => !isOfFiles(point))

test('a server that is killed at any point of an upload leaves no half version, and nothing a few hours later', async (t) => {
  const place = await openDemoPlace(t, 'deploy-killed-at')
  const start = (point: KillPoint | undefined, ...options: string[]) =>
    place.start(['serve', ...options], {
      env: point === undefined ? {} : { NODE_OPTIONS: `--import=${hook}`, KILL_AT: point },
    })
  const { product_id: product, api_token: token } = await place.ask(['demo'])
  const seller: Seller = { product, token }
  await place.database.transaction(async (db) => {
    await db.deleteFrom('deployment_users').execute()
    await db.deleteFrom('deployments').execute()
  })
  let server = await start(POINTS[0])
  const storage = folderStorage(join(place.folder, 'data'))
  for (const [index, point] of POINTS.entries()) {
    const version = `${index + 1}.0`
    await uploadTo(server, seller, version)
    server = await start(POINTS[index + 1])
    const whole = point === 'after commit' ? [version] : []
    assert.deepEqual(await versionsOn(server, seller), whole, point)
    const found = await checkArchives(storage, place.database.reader)
    assert.deepEqual([found.status, found.fix], ['ok', null], `${point}: ${found.message}`)
  }
  const zip = await fetch(`${tagsOf(server, seller)}/latest.zip?type=all`, { headers: bearer(token) })
  assert.equal(zip.headers.get('content-type'), 'application/zip')
  assert.equal((await zip.bytes()).length, Number(zip.headers.get('content-length')))
  await server.stop()
  await makeOld(place)
  const left = await filesOf(place)
  server = await start(undefined)
  const { free_file: free, premium_file: premium } = await place.database.reader
    .selectFrom('deployments')
    .select(['free_file', 'premium_file'])
    .executeTakeFirstOrThrow()
  const own = [free, premium].toSorted()
  assert.ok(left.files.length > own.length, 'they left something')
  assert.equal(left.incoming.length > 0, POINTS.some(isOfFiles))
  let now = await filesOf(place)
  for (const until = Date.now() + 10_000; now.files.length > own.length && Date.now() < until;) {
    await delay(50)
    now = await filesOf(place)
  }
  assert.deepEqual(now, { files: own, incoming: [] })
  await server.stop()
  const { checks } = await doctor(place)
  assert.equal(checks.find(({ check }) => check === 'archives')?.status, 'ok')
})
