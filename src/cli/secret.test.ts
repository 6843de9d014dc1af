// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { kidsIn, openPlace } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'
import { Keyring } from '../lib/keyring.ts'

test('with KEYWRIGHT_SECRET the operator gives both secrets, and everything is sealed with the new one', async (t) => {
  const place = await openPlace(t, 'rotate-environment')
  const [old, fresh] = [
    'an old secret that is long enough to be one',
    'a new secret that is long enough to be one',
  ]
  await place.ask(['demo'], { env: { KEYWRIGHT_SECRET: old } })
  const alone = await place.run(['secret', 'rotate', '--json'], { env: { KEYWRIGHT_SECRET: fresh } })
  assert.deepEqual([alone.code, JSON.parse(alone.stderr).error.code], [1, 'bad_configuration'])
  const same = await place.run(['secret', 'rotate', '--json'], { env: { KEYWRIGHT_SECRET: old } })
  assert.deepEqual([same.code, JSON.parse(same.stderr).error.code], [1, 'no_previous_secret'])
  const env = { KEYWRIGHT_SECRET: fresh, KEYWRIGHT_SECRET_PREVIOUS: old }
  const { resealed, remaining } = await place.ask(['secret', 'rotate'], { env })
  assert.ok(resealed > 60 && remaining === 0)
  assert.deepEqual(await kidsIn(place), [Keyring.of(fresh).currentKid])
  assert.equal((await place.ask(['secret', 'rotate'], { env })).resealed, 0)
})

test('with KEYWRIGHT_SECRET --finish says what to remove and what ends then, or why it cannot be', async (t) => {
  const place = await openPlace(t, 'rotate-finish')
  const [old = '', fresh = ''] = ['an old secret '.repeat(3), 'a new secret '.repeat(3)].map((text) =>
    text.trim(),
  )
  await place.ask(['demo'], { env: { KEYWRIGHT_SECRET: old } })
  const finish = ['secret', 'rotate', '--finish']
  const none = await place.run([...finish, '--json'], { env: { KEYWRIGHT_SECRET: old } })
  assert.deepEqual([none.code, JSON.parse(none.stderr).error.code], [1, 'no_rotation'])
  const env = { KEYWRIGHT_SECRET: fresh, KEYWRIGHT_SECRET_PREVIOUS: old }
  const { stdout } = await place.run(finish, { env })
  assert.match(stdout, /remove KEYWRIGHT_SECRET_PREVIOUS everywhere/)
  assert.match(stdout, /It ends what was signed with it: .*sandbox tokens/s)
  await place.database.transaction((db) =>
    sql`update stores set secret_key = ${`v1.${Keyring.of(old).currentKid}.${'A'.repeat(80)}`} where id = 1`.execute(
      db,
    ),
  )
  const left = await place.run([...finish, '--json'], { env })
  assert.deepEqual([left.code, JSON.parse(left.stderr).error.code], [1, 'still_needed'])
})

test('a secret that is another one than that of the database stops every start, and seals nothing', async (t) => {
  const place = await openDemoPlace(t, 'wrong-secret')
  const [kid] = await kidsIn(place)
  const env = { KEYWRIGHT_SECRET: 'another secret that is long enough to be one' }
  for (const command of [['serve'], ['worker'], ['token', 'create', '--product', '1', '--name', 'other']]) {
    const { code, stderr } = await place.run(command, { env })
    assert.equal(code, 1, stderr)
    assert.match(stderr, /KEYWRIGHT_SECRET is another secret than the one that sealed the keys/)
  }
  assert.deepEqual(await kidsIn(place), [kid])
})
