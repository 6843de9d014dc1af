import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { once, openPlace, storedTexts } from '../../test/command-line.ts'
import { testEngine } from '../../test/database.ts'
import type { Database, Writer } from '../db/database.ts'
import { takeTurns } from '../db/take-turns.ts'
import { DEFAULT_COST, verifyPassword } from '../lib/password.ts'
import { toUtcTime } from '../lib/time.ts'
import { insertDeveloper } from '../resources/developers/queries.ts'

const PASSWORD = 'nine Welsh owls, asleep'
const bootstrap = ['bootstrap', '--email', 'sam@example.com', '--product', 'My product']

test('bootstrap makes developer, store, product and token, and prints the fields of a call', async (t) => {
  const place = await openPlace(t, 'bootstrap')
  const hosts = ['--redirect-host', 'shop.example.com', '--redirect-host', 'localhost:3000']
  const names = ['--name', 'Sam Van Seller', '--store', 'My store', ...hosts]
  const access = await place.ask([...bootstrap, ...names], { input: `${PASSWORD}\n` })
  assert.deepEqual(Object.keys(access), [
    'developer_id',
    'developer_public_key',
    'developer_secret_key',
    'store_id',
    'product_id',
    'product_public_key',
    'product_secret_key',
    'api_token',
  ])
  const { reader } = place.database
  const developer = await reader.selectFrom('developers').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual(
    [developer.email, developer.first, developer.last],
    ['sam@example.com', 'Sam', 'Van Seller'],
  )
  const { ok } = await verifyPassword(PASSWORD, developer.password_hash ?? '', DEFAULT_COST)
  assert.equal(ok, true)
  const product = await reader.selectFrom('products').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual(JSON.parse(product.redirect_hosts), ['shop.example.com', 'localhost:3000'])
  const audit = await reader.selectFrom('audit_log').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([audit.action, audit.actor_kind, audit.credential], ['cli/bootstrap', 'system', 'cli'])
  const secrets = [PASSWORD, access.developer_secret_key, access.product_secret_key, access.api_token]
  const found = (await storedTexts(place.database)).filter(({ value }) =>
    secrets.some((one) => value.includes(one)),
  )
  assert.deepEqual(found, [])
})

test('a second bootstrap is refused unless it is asked for', async (t) => {
  const place = await openPlace(t, 'bootstrap-second')
  await place.ask(bootstrap, { input: PASSWORD })
  const second = ['bootstrap', '--email', 'kim@example.com', '--product', 'Hers']
  const refused = await place.run([...second, '--json'], { input: PASSWORD })
  assert.equal(refused.code, 1)
  assert.equal(refused.stdout, '')
  assert.equal(JSON.parse(refused.stderr).error.code, 'already_bootstrapped')
  assert.equal((await place.ask([...second, '--another'], { input: PASSWORD })).developer_id, '2')
})

test(
  'of two bootstraps at once the later one waits for the other, and is refused',
  { skip: testEngine() === 'sqlite' },
  async (t) => {
    const place = await openPlace(t, 'bootstrap-race')
    await place.ask(['migrate'])
    const { database } = place
    const end = await database.transaction(async (db) => {
      await takeTurns(db, database.engine)
      await insertDeveloper(db, OTHER)
      const { ended } = place.launch([...bootstrap, '--json'], { input: PASSWORD })
      await Promise.race([ended, untilSomebodyWaits(database)])
      return { ended }
    })
    const { code, stderr } = await end.ended
    assert.equal(code, 1)
    assert.equal(JSON.parse(stderr).error.code, 'already_bootstrapped')
  },
)

async function untilSomebodyWaits({ reader }: Database): Promise<void> {
  const waiting = sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted`
  while ((await waiting.execute(reader as Writer)).rows[0]?.waiting === 0) await sleep(20)
}

const OTHER = {
  email: 'first@example.com',
  email_folded: 'first@example.com',
  first: '',
  last: '',
  password_hash: null,
  is_verified: 1,
  public_key: 'pk_first',
  secret_key: '',
  created: toUtcTime(0),
  updated: null,
} as const

test(
  'the first password has no default, keeps the rules, and among the arguments it brings a warning',
  once,
  async (t) => {
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
  },
)

test('a wrong address, title or host is wrong usage', once, async (t) => {
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
    ['bootstrap', '--email', 'a@example.com'],
  ]
  const ends = await Promise.all(lines.map((line) => place.run(line, { input: PASSWORD })))
  assert.deepEqual(
    ends.map(({ code, stdout }) => [code, stdout]),
    lines.map(() => [2, '']),
  )
})

test(
  'with DATABASE_URL a missing secret stops every start',
  { skip: testEngine() === 'sqlite' },
  async (t) => {
    const place = await openPlace(t, 'no-secret')
    const { code, stderr } = await place.run(['serve'], { env: { KEYWRIGHT_SECRET: '' } })
    assert.equal(code, 1)
    assert.match(stderr, /^Error: KEYWRIGHT_SECRET must be set with DATABASE_URL.*\n$/)
  },
)
