// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'

test('keys renew replaces a secret key, says how long the former one goes on, and is in the audit log', async (t) => {
  const place = await openDemoPlace(t, 'keys')
  const { product_id: product, product_public_key, product_secret_key } = await place.ask(['demo'])
  const made = await place.ask(['keys', 'renew', '--product', product, '--overlap-hours', '2'])
  assert.deepEqual([made.id, made.public_key], [product, product_public_key])
  assert.match(made.secret_key, /^sk_[\w-]{29}$/)
  assert.notEqual(made.secret_key, product_secret_key)
  assert.match(made.former_until, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.equal(
    (await place.ask(['keys', 'renew', '--developer', '1', '--overlap-hours', '0'])).former_until,
    null,
  )
  assert.equal((await place.ask(['keys', 'renew', '--store', '1'])).id, '1')
  const rows = await place.database.reader
    .selectFrom('audit_log')
    .select(['action', 'product_id', 'details'])
    .where('action', '=', 'cli/keys-renew')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    rows.map(({ product_id: id, details }) => [id, JSON.parse(details)]),
    [
      [Number(product), { product: Number(product), overlap_hours: 2 }],
      [null, { developer: 1, overlap_hours: 0 }],
      [null, { store: 1, overlap_hours: 24 }],
    ],
  )
})

test('keys renew names what is wrong: nobody named, two named, one that is not there', async (t) => {
  const place = await openPlace(t, 'keys_wrong')
  await place.ask(['migrate'])
  const code = async (options: string[]) => (await place.run(['keys', 'renew', ...options, '--json'])).code
  assert.deepEqual(
    [
      await code([]),
      await code(['--product', '1']),
      await code(['--product', '1', '--overlap-hours', '169']),
    ],
    [2, 1, 2],
  )
  assert.notEqual(await code(['--product', '1', '--store', '1']), 0)
})
