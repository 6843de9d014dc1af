// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openDemoPlace } from '../../test/demo-place.ts'
import { testEngine } from '../../test/database.ts'
import { emptyPlace } from '../../test/empty-place.ts'

const OTHER = 'another secret that is long enough to be one'

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** A server with two sellers, its backup, and an empty place for it. */
async function backedUp(t: TestContext, name: string) {
  const place = await openDemoPlace(t, name)
  const second = ['bootstrap', '--email', 'b@example.com', '--product', 'Second', '--another', '--json']
  assert.equal((await place.run(second, { input: 'a long enough password\n' })).code, 0)
  const folder = join(place.folder, 'copy')
  await place.ask(['backup', folder])
  const env = await emptyPlace(t, place)
  const restore = async (more: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await place.run(['restore', folder, '--json'], {
      env: { ...env, ...more },
    })
    const { error } = code === 0 ? { error: { code: '', message: '' } } : JSON.parse(stderr)
    return { code, stdout, is: error.code as string, message: error.message as string }
  }
  return { place, folder, env, restore }
}

test('no backup is made with a secret that opens nothing of the data, and none is left', async (t) => {
  const { place } = await backedUp(t, 'backup-other-secret')
  const folder = join(place.folder, 'wrong')
  const { code, stdout, stderr } = await place.run(['backup', folder, '--json'], {
    env: { KEYWRIGHT_SECRET: OTHER },
  })
  assert.deepEqual([code, stdout, JSON.parse(stderr).error.code], [1, '', 'bad_configuration'])
  assert.match(stderr, /KEYWRIGHT_SECRET is another secret than the one that sealed the keys/)
  assert.equal(await isThere(folder), false)
  if (testEngine() === 'postgres') return
  const file = join(place.folder, 'data', 'secret')
  const kept = await readFile(file, 'utf8')
  for (const text of [`${OTHER}\n`, '', kept.slice(0, 20), null]) {
    await (text === null ? rm(file) : writeFile(file, text))
    const refused = await place.run(['backup', folder, '--json'])
    assert.deepEqual([refused.code, JSON.parse(refused.stderr).error.code], [1, 'bad_configuration'])
    assert.ok(refused.stderr.includes(file), refused.stderr)
    assert.equal(await isThere(folder), false)
  }
})

test('with a former secret that still opens everything a backup is made, and says to keep both', async (t) => {
  const { place } = await backedUp(t, 'backup-former-secret')
  const former = testEngine() === 'sqlite' ? join(place.folder, 'data', 'secret') : null
  const previous = former ? (await readFile(former, 'utf8')).trim() : (place.env['KEYWRIGHT_SECRET'] ?? '')
  const env = { KEYWRIGHT_SECRET: OTHER, KEYWRIGHT_SECRET_PREVIOUS: previous }
  const { code, stdout, stderr } = await place.run(['backup', join(place.folder, 'both')], { env })
  assert.equal(code, 0, stderr)
  assert.match(stdout, /Keep KEYWRIGHT_SECRET and KEYWRIGHT_SECRET_PREVIOUS with it/)
})

test('nothing is restored under a secret that opens nothing of the backup', async (t) => {
  const { env, restore } = await backedUp(t, 'restore-other-secret')
  const refused = await restore({ KEYWRIGHT_SECRET: OTHER })
  assert.deepEqual([refused.code, refused.stdout, refused.is], [1, '', 'other_secret'])
  assert.equal(await isThere(env['KEYWRIGHT_DATA'] ?? ''), false)
  assert.equal((await restore()).code, 0, 'the database is empty still')
})

test('of a backup whose secret is another one, empty or cut off nothing is restored', async (t) => {
  const { folder, env, restore } = await backedUp(t, 'restore-damaged-secret')
  if (testEngine() === 'postgres') return
  const file = join(folder, 'secret')
  const kept = await readFile(file, 'utf8')
  for (const text of [`${OTHER}\n`, '', kept.slice(0, 20)]) {
    await writeFile(file, text)
    const refused = await restore()
    assert.deepEqual([refused.code, refused.stdout, refused.is], [1, '', 'damaged'])
    assert.ok(refused.message.includes(file), refused.message)
    assert.equal(await isThere(env['KEYWRIGHT_DATA'] ?? ''), false)
  }
  await rm(file)
  assert.equal((await restore()).is, 'no_secret')
  await writeFile(file, kept)
  assert.equal((await restore()).code, 0)
})
