import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kidsIn, openPlace } from '../../test/command-line.ts'
import { Keyring } from '../lib/keyring.ts'

test('with KEYWRIGHT_SECRET the operator gives both secrets, and everything is sealed with the new one', async (t) => {
  const place = await openPlace(t, 'rotate-environment')
  const [old, fresh] = [
    'an old secret that is long enough to be one',
    'a new secret that is long enough to be one',
  ]
  await place.ask(['demo'], { env: { KEYWRIGHT_SECRET: old } })
  const alone = await place.run(['secret', 'rotate', '--json'], { env: { KEYWRIGHT_SECRET: fresh } })
  assert.deepEqual([alone.code, JSON.parse(alone.stderr).error.code], [1, 'no_previous_secret'])
  const env = { KEYWRIGHT_SECRET: fresh, KEYWRIGHT_SECRET_PREVIOUS: old }
  const { resealed, remaining } = await place.ask(['secret', 'rotate'], { env })
  assert.ok(resealed > 60 && remaining === 0)
  assert.deepEqual(await kidsIn(place), [Keyring.of(fresh).currentKid])
  assert.equal((await place.ask(['secret', 'rotate'], { env })).resealed, 0)
})
