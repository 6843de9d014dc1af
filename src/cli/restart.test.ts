// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { addressOf, openPlace, type Place } from '../../test/command-line.ts'
import { testEngine } from '../../test/database.ts'
import type { Writer } from '../db/database.ts'

const TIMED = { timeout: 120_000 }
/** So many that a busy machine looks at them before the last is gone. */
const HALVES = 20_000
const AT_ONCE = 100
/** Fewer than a start has modules. */
const ALL = 500

const readiness = async (server: Parameters<typeof addressOf>[0]) =>
  (await fetch(`${addressOf(server)}/readyz`)).status

/** Half mails and half uploads, as kills leave them; what is left of them. */
async function leaveHalves({ env }: Place): Promise<() => Promise<number>> {
  const folders = { mail: `.7.eml.`, incoming: '' }
  const data = env['KEYWRIGHT_DATA'] ?? ''
  for (const [folder, start] of Object.entries(folders)) {
    await mkdir(join(data, folder), { recursive: true })
    const writeHalf = async () => {
      const path = join(data, folder, start + randomUUID())
      await writeFile(path, 'half')
      await utimes(path, new Date(0), new Date(0))
    }
    for (let n = 0; n < HALVES / 2; n += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, writeHalf))
  }
  return async () => {
    const names = await Promise.all(Object.keys(folders).map((folder) => readdir(join(data, folder))))
    return names.flat().length
  }
}

test(
  'a start answers before what was left half is swept, and the next one goes on with it',
  TIMED,
  async (t) => {
    const place = await openPlace(t, 'restart_sweep')
    await place.ask(['migrate'])
    const left = await leaveHalves(place)
    const first = await place.start(['serve'])
    assert.equal(await readiness(first), 200)
    const then = await left()
    assert.ok(then > 0, 'it is swept beside the requests')
    await first.stop('SIGKILL')
    const second = await place.start(['serve'])
    assert.equal(await readiness(second), 200)
    while ((await left()) > 0) await sleep(20)
    assert.equal((await second.stop()).code, 0)
  },
)

test('a start waits for nobody who writes, however long', TIMED, async (t) => {
  const place = await openPlace(t, 'restart_lock')
  await place.ask(['migrate'])
  const status = await place.database.transaction(async (db: Writer) => {
    if (testEngine() === 'postgres') await sql`lock table product_users in exclusive mode`.execute(db)
    return readiness(await place.start(['serve', '--no-jobs']))
  })
  assert.equal(status, 200)
})

test('what a start compiled is there for the next one, though it is killed', TIMED, async (t) => {
  const place = await openPlace(t, 'restart_compiled')
  const folder = join(place.folder, 'compiled')
  const env = { NODE_COMPILE_CACHE: folder }
  const compiled = async () =>
    (await readdir(folder, { recursive: true })).filter((name) => !name.endsWith('-0'))
  const server = await place.start(['serve'], { env })
  for (let tries = 0; tries < 200 && (await compiled()).length < ALL; tries++) await sleep(50)
  await server.stop('SIGKILL')
  assert.ok((await compiled()).length >= ALL)
})
