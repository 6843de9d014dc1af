// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDemoPlace } from '../../test/demo-place.ts'

test('the archive of a user is written into a file, and who is erased by the right address is one no more', async (t) => {
  const place = await openDemoPlace(t, 'user_command')
  const boot = await place.run(['demo', '--json'])
  assert.equal(boot.code, 0, boot.stderr)
  const { id, email } = await place.database.reader
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', '<>', '')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const file = join(place.folder, 'archive.json')
  const exported = await place.run(['user', 'export', String(id), '--to', file, '--json'])
  assert.equal(exported.code, 0, exported.stderr)
  const archive = JSON.parse(await readFile(file, 'utf8'))
  assert.equal(archive.records.length, JSON.parse(exported.stdout).records)
  assert.equal(archive.records[0].data.email, email)
  assert.equal((await stat(file)).mode & 0o077, 0)
  assert.equal((await place.run(['user', 'export', String(id), '--to', file])).code, 1, 'it is there already')
  assert.equal((await place.run(['user', 'erase', String(id), '--email', 'other@example.com'])).code, 1)
  const erased = await place.run(['user', 'erase', String(id), '--email', email, '--json'])
  assert.equal(erased.code, 0, erased.stderr)
  assert.equal(JSON.parse(erased.stdout).state, 'erasing')
  const after = await place.database.reader
    .selectFrom('users')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirst()
  assert.equal(after?.email, '')
  assert.equal((await place.run(['user', 'erase', '999999', '--email', email])).code, 1)
})
