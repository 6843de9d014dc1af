// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { SEALED, kidsIn, storedTexts, type Place, type Started } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'
import type { Writer } from '../db/database.ts'
import { SEALED_COLUMNS } from '../db/sealed-columns.ts'
import { Keyring } from '../lib/keyring.ts'

const fileOf = (place: Place) => join(place.folder, 'data', 'secret')

const secretsOf = async (place: Place) => (await readFile(fileOf(place), 'utf8')).trim().split('\n')

const makeOld = (place: Place) => utimes(fileOf(place), new Date(), new Date(Date.now() - 120_000))

async function create({ value }: Started, name: string): Promise<number> {
  const response = await fetch(`${value['address']}/v1/products/${value['product_id']}/users.json`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${value['api_token']}`,
      'content-type': 'application/json',
      'idempotency-key': `key of ${name}`,
    },
    body: JSON.stringify({
      email: `${name}@example.com`,
      name: 'Some One',
      after_email_confirm_url: 'https://shop.example.com/welcome',
    }),
  })
  return response.status
}

async function list({ value }: Started): Promise<number> {
  const headers = { authorization: `Bearer ${value['api_token']}` }
  const url = `${value['address']}/v1/products/${value['product_id']}/users.json?count=50`
  return (await fetch(url, { headers })).status
}

/** Waits until a server opens nothing any more that is sealed with a former secret, as one row is for so long. */
async function untilForgotten(
  { database }: Place,
  server: Started,
  { old, current }: Readonly<Record<'old' | 'current', string>>,
): Promise<void> {
  const user = await database.reader
    .selectFrom('product_users')
    .select(['public_key', 'secret_key'])
    .orderBy('user_id', 'desc')
    .executeTakeFirstOrThrow()
  const write = (sealed: typeof user.secret_key) =>
    database.transaction((db) =>
      db
        .updateTable('product_users')
        .set({ secret_key: sealed })
        .where('public_key', '=', user.public_key)
        .execute(),
    )
  const where = 'product_users.secret_key'
  await write(Keyring.of(old).seal(Keyring.of(current).open(user.secret_key, where), where))
  while ((await list(server)) === 200) await sleep(20)
  await write(user.secret_key)
}

test('a rotation seals everything anew while a running server answers on, and then forgets the old secret', async (t) => {
  const place = await openDemoPlace(t, 'rotate')
  const server = await place.start(['serve', '--demo', '--no-jobs'])
  assert.equal(await create(server, 'before'), 200)
  const [old = ''] = await secretsOf(place)
  const statuses: number[] = []
  let isOver = false
  const load = (async () => {
    while (!isOver) statuses.push(await list(server))
  })()
  const rotated = await place.ask(['secret', 'rotate'])
  isOver = true
  await load
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.ok(rotated.resealed > 60)
  assert.deepEqual([rotated.remaining, rotated.unreadable], [0, []])
  const [current = '', ...previous] = await secretsOf(place)
  assert.deepEqual(previous, [old])
  assert.deepEqual(await kidsIn(place), [Keyring.of(current).currentKid])

  const early = await place.run(['secret', 'rotate', '--finish', '--json'])
  assert.deepEqual([early.code, JSON.parse(early.stderr).error.code], [1, 'too_early'])
  await makeOld(place)
  assert.equal((await place.ask(['secret', 'rotate', '--finish'])).old_secret, 'dropped')
  assert.deepEqual(await secretsOf(place), [current])
  await untilForgotten(place, server, { old, current })
  assert.equal(await create(server, 'after'), 200)
  assert.equal(await list(server), 200)
  assert.deepEqual(await kidsIn(place), [Keyring.of(current).currentKid])
  const { stderr } = await server.stop()
  for (const secret of [old, current]) assert.ok(!stderr.includes(secret), 'a secret is in the log')
})

test('a rotation that is killed once the new secret is in the file goes on when it is run again', async (t) => {
  const place = await openDemoPlace(t, 'rotate-killed')
  const before = await kidsIn(place)
  await writeFile(`${fileOf(place)}.4711.0a1b2c3d`, 'what a killed process leaves', { mode: 0o600 })
  const killed = place.launch(['secret', 'rotate'])
  while ((await secretsOf(place)).length < 2) await sleep(5)
  killed.child.kill('SIGKILL')
  await killed.ended
  const secrets = await secretsOf(place)
  assert.deepEqual(await kidsIn(place), before)
  const { resealed, remaining } = await place.ask(['secret', 'rotate'])
  assert.ok(resealed > 60 && remaining === 0)
  assert.deepEqual(await secretsOf(place), secrets, 'no third secret')
  assert.deepEqual(await kidsIn(place), [Keyring.of(secrets[0] ?? '').currentKid])
  const files = await readdir(join(place.folder, 'data'))
  assert.deepEqual(
    files.filter((name) => name.startsWith('secret')),
    ['secret'],
  )
})

test('the old secret stays while anything is sealed with it that does not open', async (t) => {
  const place = await openDemoPlace(t, 'rotate-damaged')
  const [kid = ''] = await kidsIn(place)
  await place.database.transaction((db) => damage(db, kid))
  const { unreadable, remaining, signed_until: until } = await place.ask(['secret', 'rotate'])
  assert.ok(Math.abs(Date.parse(`${until}Z`) - Date.now() - 365 * 86_400_000) < 60_000, until)
  const { stdout } = await place.run(['secret', 'rotate'])
  assert.match(
    stdout,
    new RegExp(`That ends what was signed with it: .*sandbox tokens.*After ${until} UTC`, 's'),
  )
  assert.deepEqual([unreadable, remaining], [['stores.secret_key 1'], 1])
  await makeOld(place)
  const { code, stderr } = await place.run(['secret', 'rotate', '--finish', '--json'])
  assert.deepEqual([code, JSON.parse(stderr).error.code], [1, 'still_needed'])
  assert.equal((await secretsOf(place)).length, 2)
})

const damage = (db: Writer, kid: string) =>
  sql`update stores set secret_key = ${`v1.${kid}.${'A'.repeat(80)}`} where id = 1`.execute(db)

test('every column with sealed text is in the list that a rotation works off', async (t) => {
  const place = await openDemoPlace(t, 'sealed-columns')
  const server = await place.start(['serve', '--demo', '--no-jobs'])
  assert.equal(await create(server, 'sealed'), 200)
  await server.stop()
  const sealed = (await storedTexts(place.database)).filter(({ value }) => SEALED.test(value))
  const found = new Set(sealed.map(({ table, column }) => `${table}.${column}`))
  const listed = new Set(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`))
  assert.deepEqual([...found.difference(listed)], [])
  for (const place of ['mails.content', 'idempotency_keys.reply', 'email_confirmations.redirect_url']) {
    assert.ok(found.has(place), place)
  }
})
