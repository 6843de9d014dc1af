// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDemoPlace } from '../../test/demo-place.ts'
import type { Reader } from '../db/database.ts'

test('the archive of a user is written into a file, and who is erased by the right address is one no more', async (t) => {
  const place = await openDemoPlace(t, 'user_command')
  const boot = await place.run(['demo', '--json'])
  assert.equal(boot.code, 0, boot.stderr)
  const { id, email } = await place.database.reader
    .selectFrom('users')
    .innerJoin('payments', 'payments.user_id', 'users.id')
    .innerJoin('invoices', 'invoices.payment_id', 'payments.id')
    .select(['users.id', 'users.email'])
    .orderBy('payments.id')
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
  const kept = await countsOf(place.database.reader, id)
  assert.ok(kept.payments > 0 && kept.invoices > 0)
  const tried = await place.run(['user', 'erase', String(id), '--email', email, '--dry-run', '--json'])
  assert.deepEqual(JSON.parse(tried.stdout), { user_id: String(id), state: 'untouched', kept })
  const said = await place.run(['user', 'erase', String(id), '--email', email, '--dry-run'])
  assert.match(
    said.stdout,
    new RegExp(`By law stay ${kept.payments} payments? .* ${kept.invoices} documents?`),
  )
  const erased = await place.run(['user', 'erase', String(id), '--email', email, '--json'])
  assert.equal(erased.code, 0, erased.stderr)
  assert.deepEqual([JSON.parse(erased.stdout).state, JSON.parse(erased.stdout).kept], ['erasing', kept])
  assert.deepEqual(await countsOf(place.database.reader, id), kept)
  const after = await place.database.reader
    .selectFrom('users')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirst()
  assert.equal(after?.email, '')
  assert.equal((await place.run(['user', 'erase', '999999', '--email', email])).code, 1)
})

/** What is kept of a user, counted row by row. */
async function countsOf(db: Reader, id: number) {
  const payments = await db.selectFrom('payments').select('id').where('user_id', '=', id).execute()
  const invoices = await db
    .selectFrom('invoices')
    .select('id')
    .where(
      'payment_id',
      'in',
      payments.map((one) => one.id),
    )
    .execute()
  return { payments: payments.length, invoices: invoices.length }
}
