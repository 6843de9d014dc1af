// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace } from '../../test/command-line.ts'

const PASSWORD = 'nine Welsh owls, asleep'

const bootstrap = ['bootstrap', '--email', 'sam@example.com', '--product', 'My product']

test('the first password has no default, keeps the rules, and among the arguments it brings a warning', async (t) => {
  const place = await openPlace(t, 'bootstrap-password')
  const none = await place.run(bootstrap)
  assert.equal(none.code, 1)
  assert.match(none.stderr, /^Error: No password was given.*\n$/)
  const short = await place.run(bootstrap, { input: 'short\n' })
  assert.equal(short.stderr, 'Error: The password must have at least 8 characters.\n')
  const common = await place.run(bootstrap, { input: 'password123\n' })
  assert.equal(common.stderr, 'Error: The password is one of the most common passwords.\n')
  assert.deepEqual(await place.database.reader.selectFrom('developers').select('id').execute(), [])
  const warned = await place.run([...bootstrap, '--password', PASSWORD])
  assert.equal(warned.code, 0)
  assert.match(warned.stderr, /^Warning: a password among the arguments.*\n$/)
})

test('a wrong address, title or host is wrong usage', async (t) => {
  const place = await openPlace(t, 'bootstrap-usage')
  const lines = [
    ['bootstrap', '--email', 'no address', '--product', 'P'],
    ['bootstrap', '--email', 'a@example.com', '--product', ' '],
    [
      'bootstrap',
      '--email',
      'a@example.com',
      '--product',
      'P',
      '--redirect-host',
      'https://shop.example.com/',
    ],
    ['bootstrap', '--product', 'P'],
  ]
  const ends = await Promise.all(lines.map((line) => place.run(line, { input: PASSWORD })))
  assert.deepEqual(
    ends.map(({ code, stdout }) => [code, stdout]),
    lines.map(() => [2, '']),
  )
})
