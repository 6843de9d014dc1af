// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Bucket, serveBucket } from '../../test/bucket.ts'
import { bearer, openPlace, usersOf, type Place, type Started } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'
import { testEngine } from '../../test/database.ts'
import { doctor } from '../../test/doctor.ts'
import { emptyPlace } from '../../test/empty-place.ts'
import { ageArchives, deleteFrom, keepUploading, keepWriting, tagsOf, uploadTo } from '../../test/load.ts'

async function startWithVersion(place: Place, env: Record<string, string> = {}): Promise<Started> {
  const server = await place.start(['serve', '--demo'], { env })
  await uploadTo(server, '5.0')
  return server
}

const codeOf = ({ stderr }: { stderr: string }) => JSON.parse(stderr).error.code as string

interface Listed {
  readonly id: string
  readonly version: string
  readonly has_free: boolean
  readonly has_premium: boolean
}

async function versionsAt(server: Started): Promise<Listed[]> {
  const headers = bearer(server.value['api_token'])
  const all: Listed[] = []
  for (let page: readonly Listed[] = []; all.length === 0 || page.length > 0; all.push(...page)) {
    const response = await fetch(`${tagsOf(server)}.json?count=50&offset=${all.length}`, { headers })
    assert.equal(response.status, 200)
    page = ((await response.json()) as { tags: Listed[] }).tags
  }
  return all
}

/** Downloads every build of every version, each whole; the hashes of the archives. */
async function downloadAll(server: Started, versions: readonly Listed[]): Promise<ReadonlySet<string>> {
  const headers = bearer(server.value['api_token'])
  const hashes = new Set<string>()
  for (const { id, version, has_free: free, has_premium: premium } of versions) {
    for (const isPremium of [...(free ? [false] : []), ...(premium ? [true] : [])]) {
      const response = await fetch(`${tagsOf(server)}/${id}.zip?is_premium=${isPremium}`, { headers })
      const bytes = await response.bytes()
      const hash = createHash('sha256').update(bytes).digest('hex')
      const told = ['content-length', 'etag'].map((name) => response.headers.get(name))
      assert.deepEqual([response.status, ...told], [200, String(bytes.length), `"${hash}"`], version)
      hashes.add(hash)
    }
  }
  return hashes
}

/** How many archives are of another product. */
async function archivesBeside({ database }: Place, productId: number): Promise<number> {
  const others = await database.reader
    .selectFrom('deployments')
    .select(['free_file', 'premium_file'])
    .where('product_id', '<>', productId)
    .execute()
  const files = others.flatMap((one) => [one.free_file, one.premium_file])
  return new Set(files.filter((file) => file !== null)).size
}

const MIB = 1024 * 1024

test('R13: a backup made while users and versions come and go is restored with an equal hash and every archive, and works', async (t) => {
  const place = await openDemoPlace(t, 'backup')
  const server = await startWithVersion(place)
  // Old enough to be swept as soon as they are deleted.
  const old = await Array.fromAsync({ length: 12 }, (_, n) => uploadTo(server, `5.${n + 1}`, MIB))
  await ageArchives(place)
  const writing = keepWriting(server)
  const uploading = [0, 4, 8].map((n) => keepUploading(server, `6.${n}`, old.slice(n, n + 4)))
  const counts = () => [writing.done(), uploading.reduce((sum, load) => sum + load.done(), 0)] as const
  await Promise.all([writing, ...uploading].map((load) => load.begun))
  const before = counts()
  const folder = join(place.folder, 'copy')
  // In a process of its own, so that the load does not wait for it.
  const { code, stdout, stderr } = await place.runApart(['backup', folder, '--json'])
  assert.equal(code, 0, stderr)
  const made = JSON.parse(stdout)
  const after = counts()
  assert.ok(after[0] > before[0] && after[1] > before[1], `${before} ${after}`)
  const over = await place.run(['backup', folder, '--json'])
  assert.deepEqual([over.code, codeOf(over)], [1, 'no_folder'])
  for (const load of [writing, ...uploading]) await load.stop()
  await server.stop()
  const env = await emptyPlace(t, place)
  const restored = await place.ask(['restore', folder], { env })
  assert.deepEqual([restored.hash, restored.rows, restored.archives], [made.hash, made.rows, made.archives])
  const { bad } = await doctor(place, env)
  assert.deepEqual(bad, {})
  const again = await place.start(['serve'], { env })
  const back = { ...again, value: { ...server.value, ...again.value } }
  const versions = await versionsAt(back)
  const elsewhere = await archivesBeside(place, Number(server.value['product_id']))
  assert.ok(elsewhere > 0)
  assert.equal((await downloadAll(back, versions)).size + elsewhere, made.archives)
  const more = await fetch(usersOf(back), {
    method: 'POST',
    body: JSON.stringify({ email: 'after@example.com', name: 'After', send_verification_email: false }),
    headers: { 'content-type': 'application/json', ...bearer(server.value['api_token']) },
  })
  assert.equal(more.status, 200, 'new rows get new ids')
  await again.stop()
  const second = await place.run(['restore', folder, '--json'], { env })
  assert.deepEqual([second.code, codeOf(second)], [1, 'not_empty'])
})

/** Does this before the bucket answers its next listing, or its next download. */
function beforeNext(bucket: Bucket, call: 'listing' | 'download', work: () => Promise<void>): void {
  bucket.misbehave = (request, response) => {
    const isListing = request.url?.includes('list-type=') === true
    if (request.method !== 'GET' || isListing !== (call === 'listing')) return false
    bucket.misbehave = null
    work()
      .then(() => bucket.answer(request, response))
      .catch((error: Error) => void response.destroy(error))
    return true
  }
}

test('versions that come and go while archives are copied are in the backup with theirs, or not at all', async (t) => {
  const bucket = new Bucket()
  // The backup has an address of its own: the server lists archives too, whenever it likes.
  const seen = Object.assign(new Bucket(), { objects: bucket.objects, pageSize: 1_000 })
  const [service, other] = [await serveBucket(() => bucket), await serveBucket(() => seen)]
  t.after(service.close)
  t.after(other.close)
  const place = await openPlace(t, 'backup-between')
  const server = await place.start(['serve', '--demo'], { env: service.env })
  const demo = bucket.objects.size
  const add = async (version: string) => {
    const before = new Set(bucket.objects.keys())
    const id = await uploadTo(server, version)
    return { id, keys: [...bucket.objects.keys()].filter((key) => !before.has(key)) }
  }
  // As the sweep does with archives that are old.
  const drop = async ({ id, keys }: Awaited<ReturnType<typeof add>>) => {
    await deleteFrom(server, id)
    for (const key of keys) bucket.objects.delete(key)
  }
  const [later, earlier] = [await add('5.0'), await add('4.0')]
  beforeNext(seen, 'download', async () => {
    await drop(earlier)
    await add('6.0')
    beforeNext(seen, 'listing', () => drop(later))
  })
  const made = await place.ask(['backup', join(place.folder, 'copy')], { env: other.env })
  assert.deepEqual([later.keys.length, made.archives, bucket.objects.size], [2, demo + 4, demo + 2])
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
  const { stderr } = await place.run(['restore', folder], { env })
  assert.match(stderr, other === 'sqlite' ? /: unset DATABASE_URL, / : /: set DATABASE_URL to /)
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

test('of a backup that is cut off, changed or not whole nothing is restored, and nothing of it is left', async (t) => {
  const place = await openDemoPlace(t, 'backup-damaged')
  const server = await startWithVersion(place)
  await server.stop()
  const folder = join(place.folder, 'copy')
  const made = await place.ask(['backup', folder])
  const env = await emptyPlace(t, place)
  const tables = join(folder, 'tables')
  const main = testEngine() === 'sqlite' ? join(folder, 'keywright.db') : join(tables, 'users.jsonl')
  const [archive = ''] = (await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const broken = async (file: string, change: (bytes: Buffer) => Buffer | null) => {
    const bytes = await readFile(file)
    const changed = change(bytes)
    await (changed === null ? rm(file) : writeFile(file, changed))
    const { code, stdout, stderr } = await place.run(['restore', folder, '--json'], { env })
    await writeFile(file, bytes)
    await assert.rejects(stat(env['KEYWRIGHT_DATA'] ?? ''), `${file}: the data folder is not there`)
    assert.ok(!stderr.includes('    at '), stderr)
    return [code, stdout, codeOf({ stderr })]
  }
  const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2))
  const noisy = (bytes: Buffer) => Buffer.concat([half(bytes), Buffer.from('}\n{"id": noise\n')])
  const none = () => null
  for (const change of [half, noisy, () => Buffer.alloc(0), none]) {
    for (const file of [main, archive]) assert.deepEqual(await broken(file, change), [1, '', 'damaged'], file)
  }
  const manifest = join(folder, 'backup.json')
  for (const change of [half, () => Buffer.from('{}'), () => Buffer.from('null')])
    assert.deepEqual(await broken(manifest, change), [1, '', 'damaged'])
  assert.deepEqual(await broken(manifest, none), [1, '', 'no_backup'])
  assert.equal((await place.ask(['restore', folder], { env })).hash, made.hash)
})
