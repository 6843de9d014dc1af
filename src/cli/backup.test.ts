import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pluginZip, uploadOf } from '../../test/archives.ts'
import { Bucket, serveBucket } from '../../test/bucket.ts'
import { addressOf, bearer, openPlace, usersOf, type Place, type Started } from '../../test/command-line.ts'
import { createEmptyDatabase, testEngine } from '../../test/database.ts'
import { doctor } from '../../test/doctor.ts'

/** Where nothing is yet: a data folder, and an empty database on the engine that has its own. */
async function emptyPlace(t: TestContext, place: Place): Promise<Record<string, string>> {
  const folder = { KEYWRIGHT_DATA: join(place.folder, 'restored') }
  if (testEngine() === 'sqlite') return folder
  const { options, database, remove } = await createEmptyDatabase('restored')
  await database.close()
  t.after(remove)
  return { ...folder, DATABASE_URL: 'url' in options ? options.url : '' }
}

/** Writes users as fast as it can, until the answer is called; how many were answered. */
function keepWriting(server: Started): { written(): number; stop(): Promise<void> } {
  const headers = { 'content-type': 'application/json', ...bearer(server.value['api_token']) }
  const isDone = new AbortController()
  let written = 0
  const work = (async () => {
    for (let at = 0; !isDone.signal.aborted; at++) {
      const user = {
        email: `busy${at}@example.com`,
        name: 'Busy\u2028\\u0000',
        send_verification_email: false,
      }
      const { status } = await fetch(usersOf(server), { method: 'POST', body: JSON.stringify(user), headers })
      if (status === 200) written++
    }
  })()
  const stop = () => {
    isDone.abort()
    return work
  }
  return { written: () => written, stop }
}

const tagsOf = (server: Started, product = '') => `${addressOf(server)}/v1/products/${product}/tags`

async function startWithVersion(place: Place, env: Record<string, string> = {}): Promise<Started> {
  const server = await place.start(['serve', '--demo'], { env })
  const { product_id: product, api_token: token } = server.value
  const { body, headers } = uploadOf(await pluginZip({ version: '5.0' }))
  const init = { method: 'POST', body, headers: { ...headers, ...bearer(token) } }
  assert.equal((await fetch(`${tagsOf(server, product)}.json`, init)).status, 200)
  return server
}

const codeOf = ({ stderr }: { stderr: string }) => JSON.parse(stderr).error.code as string

test('R13: a backup that is made while the server writes is restored with an equal hash, and works', async (t) => {
  const place = await openPlace(t, 'backup')
  const server = await startWithVersion(place)
  const { product_id: product, api_token: token } = server.value
  const writing = keepWriting(server)
  while (writing.written() === 0) await new Promise(setImmediate)
  const before = writing.written()
  const folder = join(place.folder, 'copy')
  const made = await place.ask(['backup', folder])
  const over = await place.run(['backup', folder, '--json'])
  assert.deepEqual([over.code, codeOf(over)], [1, 'no_folder'])
  assert.ok(writing.written() > before && made.rows > 0 && made.archives > 0)
  await writing.stop()
  await server.stop()
  const env = await emptyPlace(t, place)
  const restored = await place.ask(['restore', folder], { env })
  assert.deepEqual([restored.hash, restored.rows, restored.archives], [made.hash, made.rows, made.archives])
  const { bad } = await doctor(place, env)
  assert.deepEqual(bad, {})
  const again = await place.start(['serve'], { env })
  const latest = await fetch(`${tagsOf(again, product)}/latest.zip?type=all`, { headers: bearer(token) })
  assert.deepEqual([latest.status, latest.headers.get('content-type')], [200, 'application/zip'])
  const more = await fetch(`${addressOf(again)}/v1/products/${product}/users.json`, {
    method: 'POST',
    body: JSON.stringify({ email: 'after@example.com', name: 'After', send_verification_email: false }),
    headers: { 'content-type': 'application/json', ...bearer(token) },
  })
  assert.equal(more.status, 200, 'new rows get new ids')
  await again.stop()
  const second = await place.run(['restore', folder, '--json'], { env })
  assert.deepEqual([second.code, codeOf(second)], [1, 'not_empty'])
})

test('archives of a bucket come back into another one; of a backup that was changed nothing is restored', async (t) => {
  let bucket = new Bucket()
  const service = await serveBucket(() => bucket)
  t.after(service.close)
  const place = await openPlace(t, 'backup-bucket')
  const server = await startWithVersion(place, service.env)
  await server.stop()
  const folder = join(place.folder, 'copy')
  const made = await place.ask(['backup', folder], { env: service.env })
  const kept = [...bucket.objects.keys()].toSorted()
  assert.ok(made.archives > 0 && kept.length >= made.archives)
  bucket = new Bucket()
  const poor = await place.run(['backup', join(place.folder, 'poor'), '--json'], { env: service.env })
  assert.deepEqual([poor.code, codeOf(poor)], [1, 'archives_missing'])
  assert.ok(kept.some((key) => poor.stderr.includes(key.replace('kw/', ''))))
  await assert.rejects(stat(join(place.folder, 'poor')), 'it is no backup')
  const env = { ...(await emptyPlace(t, place)), ...service.env }
  const refusal = async () => {
    const { code, ...refused } = await place.run(['restore', folder, '--json'], { env })
    return [code, codeOf(refused)]
  }
  const files = join(folder, 'files')
  const [archive = ''] = (await readdir(files, { recursive: true })).filter((name) => name.length > 60)
  const bytes = await readFile(join(files, archive))
  await rm(join(files, archive))
  assert.deepEqual(await refusal(), [1, 'damaged'])
  await writeFile(join(files, archive), bytes.toReversed())
  assert.deepEqual(await refusal(), [1, 'damaged'])
  await writeFile(join(files, archive), bytes)
  const manifest = join(folder, 'backup.json')
  const text = await readFile(manifest, 'utf8')
  await writeFile(manifest, text.replace(/"hash": ".{8}/, '"hash": "00000000'))
  assert.deepEqual(await refusal(), [1, 'damaged'])
  const other = testEngine() === 'sqlite' ? 'postgres' : 'sqlite'
  await writeFile(manifest, text.replace(`"engine": "${testEngine()}"`, `"engine": "${other}"`))
  assert.deepEqual(await refusal(), [1, 'other_engine'])
  await writeFile(manifest, text)
  if (testEngine() === 'sqlite')
    for (const end of ['-wal', '-shm', '-journal']) {
      const left = join(env['KEYWRIGHT_DATA'] ?? '', `keywright.db${end}`)
      await mkdir(env['KEYWRIGHT_DATA'] ?? '', { recursive: true })
      await writeFile(left, 'of the database before')
      assert.deepEqual(await refusal(), [1, 'not_empty'], end)
      await rm(left)
    }
  const restored = await place.ask(['restore', folder], { env })
  assert.deepEqual([restored.hash, restored.archives], [made.hash, made.archives])
  assert.deepEqual([...bucket.objects.keys()].toSorted(), kept)
})
