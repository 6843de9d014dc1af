import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { countedAndPlain } from '../../../test/counts.ts'
import { createEmptyDatabase, testEngine } from '../../../test/database.ts'
import { anotherProcess, dyingProcess } from '../../../test/dying.ts'
import { createInstallOf } from '../../../test/installs.ts'
import { fill, shapeOf } from '../../../test/schemas.ts'
import { sell } from '../../../test/sales.ts'
import { systemScope } from '../../access/scope.ts'
import { transaction } from '../../context.ts'
import type { Writer } from '../../db/database.ts'
import { foldChanges } from '../../db/fold-counts.ts'
import { migrate } from '../../db/migrate.ts'
import { fromUtcTime, SECOND, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { runDue } from '../../jobs/worker.ts'
import { touchCart } from '../carts/touch-cart.ts'
import { foldCounts } from './fold-counts-job.ts'

let app: TestApp

before(async () => {
  app = await startTestApp('counts')
  const { product, other, developer } = app.seller
  for (const sold of [product, other]) {
    const first = await sell(app, { product: sold })
    await sell(app, { product: sold, owner: first.owner })
    await createInstallOf(app, first.owner, {}, sold)
    const scope = systemScope({ developerId: developer.id, productId: sold.id })
    await app.write((tx) =>
      touchCart(tx, scope, { environment: 0, visitor: null, email: `open-${sold.id}@example.com` }),
    )
  }
  await app.write(async ({ db }) => {
    for (const table of ['licenses', 'subscriptions'] as const) {
      for (let n = 0; n < 4; n++) await copyRows(db, table, n)
    }
  })
})
after(() => app.close())

const UNIQUE: Readonly<Record<string, string>> = { licenses: 'key_hash', subscriptions: 'external_id' }

/** Every row of a table once more, with another value where it must be unique. */
async function copyRows(db: Writer, table: 'licenses' | 'subscriptions', n: number): Promise<void> {
  const rows = await db.selectFrom(table).selectAll().limit(8).execute()
  for (const [at, row] of rows.entries()) {
    const { id: _id, ...rest } = row
    const copy = {
      ...rest,
      [UNIQUE[table] ?? '']: `${table} ${n} ${at}`,
      license_id: null,
      product_id: row.product_id,
    }
    if (table === 'licenses') delete (copy as Partial<typeof copy>).license_id
    await db
      .insertInto(table)
      .values(copy as never)
      .execute()
  }
}

const NOW = "'2026-01-31 10:00:00'"

/** What happens to rows, each to those with some remainder of their id. */
const CHANGES = [
  'update licenses set is_cancelled = 1 - is_cancelled where id % 5 = $n',
  "update licenses set expiration = '2026-0$m-1$n 10:00:00' where id % 5 = $n",
  'update licenses set expiration = null, is_cancelled = 0 where id % 5 = $n',
  'update licenses set environment = 1 - environment where id % 5 = $n',
  "delete from licenses where key_hash = 'licenses 0 $n'",
  'update installs set is_active = 1 - is_active where id % 2 = $n % 2',
  'update installs set is_uninstalled = 1 - is_uninstalled, environment = 1 - environment where id % 2 = $n % 2',
  `update subscriptions set canceled_at = case when canceled_at is null then ${NOW} end where id % 5 = $n`,
  "delete from subscriptions where external_id = 'subscriptions 1 $n'",
  "update carts set status = case status when 'visit' then 'completed' else 'visit' end where id % 2 = $n % 2",
  'update product_users set gross = case when gross > 0 then 0 else 100 end where product_id % 2 = $n % 2',
  'update product_users set gross = gross + 1 where gross > 0',
  "update users set first = 'Ann' where id % 5 = $n",
  'delete from product_users where user_id in (select id from users where id % 7 = $n) and product_id = $p',
] as const

const act = (db: Writer, at: number) => {
  const other = app.seller.other.id
  const text = (CHANGES[at % CHANGES.length] ?? '')
    .replaceAll('$n', String(at % 5))
    .replaceAll('$m', String(1 + (at % 9)))
    .replaceAll('$p', String(other))
  return sql.raw(text).execute(db)
}

async function assertExact(of: TestApp = app): Promise<void> {
  const { counted, plain } = await countedAndPlain(of.ctx.db)
  assert.deepEqual(counted, plain)
}

test('what is counted equals a plain count after writes that race, of which some are undone', async () => {
  await assertExact()
  const processes = [anotherProcess(app), anotherProcess(app)]
  try {
    const writes = Array.from({ length: 120 }, (_, n) => {
      const ctx = processes[n % 2]?.ctx ?? app.ctx
      return transaction(ctx, async ({ db }) => {
        await act(db, n * 7)
        await act(db, n * 11 + 3)
        if (n % 4 === 0) throw new Error('undone')
      }).catch((error: unknown) => assert.equal((error as Error).message, 'undone'))
    })
    // Who reads meanwhile finds both equal too, and what is added up meanwhile is there once.
    const looks = Array.from({ length: 20 }, async () => {
      await assertExact()
      if (testEngine() === 'postgres') await app.write(({ db }) => foldChanges(db, 10))
    })
    await Promise.all([...writes, ...looks])
    await assertExact()
  } finally {
    for (const { close } of processes) await close()
  }
})

test('each change of a row counts, in whatever order they come', async () => {
  for (let at = 0; at < CHANGES.length * 5; at++) {
    await app.write(({ db }) => act(db, at))
    await assertExact()
  }
})

test('a process that dies between two statements leaves what is counted equal to what is there', async () => {
  const changes = [0, 1, 5, 7, 9, 10]
  for (let n = 1, isDone = false; !isDone; n++) {
    const dying = dyingProcess(app, n)
    await transaction(dying.ctx, async ({ db }) => {
      for (const at of changes) await act(db, at)
    }).catch(() => {})
    isDone = !dying.isDead()
    await dying.close()
    await assertExact()
    assert.ok(n < 40)
  }
})

test('who adds up changes and dies on the way leaves them, and another one adds them once', async () => {
  if (testEngine() === 'sqlite') {
    const none = await app.ctx.db.selectFrom('count_changes').selectAll().execute()
    assert.deepEqual(none, [])
    assert.equal(await foldCounts.isDue(app.ctx), false)
    return
  }
  const waiting = async () => (await app.ctx.db.selectFrom('count_changes').select('id').execute()).length
  const before = await waiting()
  await app.write(async ({ db }) => {
    for (let n = 0; n < 60; n++) {
      await sql`update licenses set is_cancelled = 1 - is_cancelled`.execute(db)
    }
  })
  const left = await waiting()
  assert.ok(left > before + 500)
  for (let n = 1; n <= 2; n++) {
    const dying = dyingProcess(app, n)
    await runDue(dying.ctx, [foldCounts]).catch(() => {})
    assert.ok(dying.isDead())
    await dying.close()
    assert.equal(await waiting(), left)
  }
  await runDue(app.ctx, [foldCounts])
  assert.equal(await waiting(), 0)
  await assertExact()
})

test('what ends is counted to the second as time goes by, with nothing written meanwhile', async () => {
  const { product, other } = app.seller
  const ends = [
    '2026-01-31 10:00:00',
    '2026-01-31 23:59:59',
    '2026-02-01 00:00:00',
    '2026-02-01 00:00:01',
    '2026-03-02 09:59:59',
    '2026-03-02 10:00:00',
    '2026-03-02 10:00:01',
    '2026-03-02 23:59:59',
    '2026-03-03 00:00:00',
  ] as UtcTime[]
  await app.write(async ({ db }) => {
    await sql`update licenses set environment = 0, is_cancelled = 0, expiration = null`.execute(db)
    const { id: _id, ...row } = await db.selectFrom('licenses').selectAll().limit(1).executeTakeFirstOrThrow()
    for (const [n, expiration] of ends.entries()) {
      const place = { product_id: n % 2 === 0 ? product.id : other.id, key_hash: `ends ${n}` }
      await db
        .insertInto('licenses')
        .values({ ...row, ...place, expiration })
        .execute()
    }
  })
  const started = app.ctx.clock.real()
  const moments = ends.flatMap((time) => [0, 30 * 24 * 3600 * SECOND].map((ago) => fromUtcTime(time) - ago))
  for (const at of moments.flatMap((ms) => [ms - SECOND, ms, ms + SECOND]).toSorted((a, b) => a - b)) {
    app.ctx.clock.set(at)
    const [now, soon] = [toUtcTime(at), toUtcTime(at + 30 * 24 * 3600 * SECOND)]
    const { rows } = await sql<{ active: number; soon: number }>`
      select count(*) as active, sum(case when expiration <= ${soon} then 1 else 0 end) as soon
      from licenses where expiration is null or expiration > ${now}`.execute(app.ctx.db as Writer)
    const expected = [Number(rows[0]?.active), Number(rows[0]?.soon)]
    const call = await asDeveloper(app)
    const { json } = await call('GET', '/overview.json')
    assert.deepEqual([json.licenses_active, json.licenses_expiring], expected, now)
  }
  app.ctx.clock.set(started)
})

test('a database of before is counted as it is upgraded', async (t) => {
  const { database, drop } = await createEmptyDatabase('counts_before')
  t.after(drop)
  await migrate(database, 72)
  await fill(database, await shapeOf(database))
  await migrate(database)
  const { counted, plain } = await countedAndPlain(database.reader)
  assert.ok(plain.length > 4)
  assert.deepEqual(counted, plain)
})
