import assert from 'node:assert/strict'
import { test, type TestContext as Test } from 'node:test'
import { sql } from 'kysely'
import { START, testContext, type TestContext } from '../../test/app.ts'
import { anotherProcess, dyingProcess, type Opened } from '../../test/dying.ts'
import { transaction } from '../context.ts'
import type { Writer } from '../db/database.ts'
import { audit } from './audit.ts'
import { MINUTE } from '../lib/time.ts'
import { chainAudit } from './chain-audit-job.ts'
import { linkHash, verifyAuditChain } from './verify-audit.ts'
import { runDue } from '../jobs/worker.ts'

async function open(t: Test): Promise<Opened> {
  const opened = await testContext('audit-chain')
  t.after(() => opened.drop())
  return opened
}

const record = (ctx: TestContext, action: string) =>
  transaction(ctx, (tx) =>
    audit(tx, {
      action,
      actor: { kind: 'token', id: 7, credential: 'token:7' },
      productId: 3,
      ip: '192.0.2.1',
      requestId: `request of ${action}`,
      details: { user_id: 12 },
    }),
  )

async function recordMany(ctx: TestContext, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) await record(ctx, `action ${n}`)
}

async function chainAll(ctx: TestContext): Promise<number> {
  ctx.clock.advance(MINUTE)
  return runDue(ctx, [chainAudit])
}

const rowsOf = (ctx: TestContext) => ctx.db.selectFrom('audit_log').selectAll().orderBy('seq').execute()

test('rows written by eight processes while they are chained get numbers without a gap, and verify', async (t) => {
  const opened = await open(t)
  const { ctx } = opened
  const writers = Array.from({ length: 8 }, () => anotherProcess(opened))
  let isWriting = true
  const chaining = (async () => {
    while (isWriting) await chainAll(ctx)
  })()
  await Promise.all(writers.map((writer) => recordMany(writer.ctx, 40)))
  isWriting = false
  await chaining
  await chainAll(ctx)
  await Promise.all(writers.map((writer) => writer.close()))
  const rows = await rowsOf(ctx)
  assert.deepEqual(
    rows.map(({ seq }) => seq),
    Array.from({ length: 320 }, (_, index) => index + 1),
  )
  assert.deepEqual(await verifyAuditChain(ctx.database.background, { pageSize: 7 }), {
    checked: 320,
    firstBadSeq: null,
    unchained: 0,
  })
})

test('two processes that chain at once make one chain', async (t) => {
  const opened = await open(t)
  await recordMany(opened.ctx, 30)
  const other = anotherProcess(opened)
  await Promise.all([chainAll(opened.ctx), chainAll(other.ctx)])
  await other.close()
  assert.deepEqual(await verifyAuditChain(opened.ctx.db), { checked: 30, firstBadSeq: null, unchained: 0 })
})

test('a process whose lease has passed on chains nothing', async (t) => {
  const opened = await open(t)
  const { ctx } = opened
  await chainAll(ctx)
  await record(ctx, 'before')
  ctx.clock.advance(MINUTE)
  let begun = 0
  const late = anotherProcess(opened, {
    async onStatement(statement) {
      if (!statement.startsWith('begin') || ++begun !== 2) return
      await chainAll(ctx)
      await record(ctx, 'after')
    },
  })
  await runDue(late.ctx, [chainAudit])
  await late.close()
  assert.deepEqual(await verifyAuditChain(ctx.db), { checked: 1, firstBadSeq: null, unchained: 1 })
})

test('a row that is committed later comes later in the chain, whatever its id', async (t) => {
  const { ctx } = await open(t)
  const insert = (id: number) =>
    ctx.database.transaction((db) =>
      db
        .insertInto('audit_log')
        .values({
          id,
          at: START,
          action: 'a',
          actor_kind: 'token',
          actor_id: 1,
          credential: 'token:1',
          details: '{}',
        })
        .execute(),
    )
  await insert(20)
  await chainAll(ctx)
  await insert(10)
  await chainAll(ctx)
  assert.deepEqual(
    (await rowsOf(ctx)).map(({ id, seq }) => [id, seq]),
    [
      [20, 1],
      [10, 2],
    ],
  )
  assert.deepEqual(await verifyAuditChain(ctx.db), { checked: 2, firstBadSeq: null, unchained: 0 })
})

test('a backlog is chained in batches of 500, each in one transaction', async (t) => {
  const { ctx } = await open(t)
  await ctx.database.transaction(async (db) => {
    for (let n = 0; n < 1100; n++) {
      await sql`insert into audit_log (at, action, actor_kind, actor_id, credential, details)
        values (${n}, 'a', 'token', 1, 'token:1', '{}')`.execute(db)
    }
  })
  assert.equal((await verifyAuditChain(ctx.db)).unchained, 1100)
  assert.equal(await chainAll(ctx), 3)
  assert.deepEqual(await verifyAuditChain(ctx.db), { checked: 1100, firstBadSeq: null, unchained: 0 })
})

/** Does what only somebody with the database in hands can do, says what is found then, and undoes it. */
async function tampered(
  ctx: TestContext,
  change: (db: Writer) => Promise<unknown>,
  options = {},
): Promise<number | null> {
  let found: number | null = null
  const undo = new Error('undo')
  const work = ctx.database.transaction(async (db) => {
    const on = ctx.database.engine === 'postgres' ? sql` on audit_log` : sql``
    await sql`drop trigger audit_log_no_update${on}`.execute(db)
    await sql`drop trigger audit_log_no_delete${on}`.execute(db)
    await change(db)
    found = (await verifyAuditChain(db, { pageSize: 3, ...options })).firstBadSeq
    throw undo
  })
  await assert.rejects(work, undo)
  return found
}

test('a change of any column of a chained row is found', async (t) => {
  const { ctx } = await open(t)
  await recordMany(ctx, 10)
  await chainAll(ctx)
  const changes = {
    id: 99,
    at: 1,
    action: 'x',
    actor_kind: 'x',
    actor_id: 8,
    credential: 'token:8',
    product_id: null,
    developer_id: 4,
    ip: null,
    request_id: null,
    details: '{"user_id":13}',
    user_id: 14,
    license_id: 7,
    hash: 'x',
    seq: null,
  }
  assert.deepEqual(Object.keys(changes).toSorted(), Object.keys((await rowsOf(ctx))[0] ?? {}).toSorted())
  for (const [column, value] of Object.entries(changes)) {
    const found = await tampered(ctx, (db) =>
      sql`update audit_log set ${sql.ref(column)} = ${value} where seq = 5`.execute(db),
    )
    assert.equal(found, 5, column)
  }
})

test('a changed row whose hash was computed anew is found at the next one', async (t) => {
  const { ctx } = await open(t)
  await recordMany(ctx, 10)
  await chainAll(ctx)
  const rows = await rowsOf(ctx)
  const [before, row] = [rows[3], rows[4]]
  assert.ok(before?.hash && row)
  const changed = { details: '{}', hash: linkHash(before.hash, { ...row, details: '{}' }) }
  const found = await tampered(ctx, (db) =>
    db.updateTable('audit_log').set(changed).where('id', '=', row.id).execute(),
  )
  assert.equal(found, 6)
})

test('rows that were removed, exchanged, moved or put in are found', async (t) => {
  const { ctx } = await open(t)
  await recordMany(ctx, 10)
  await chainAll(ctx)
  const run = (db: Writer, ...statements: string[]) =>
    statements.reduce((before, text) => before.then(() => sql.raw(text).execute(db)), Promise.resolve({}))
  const remove = (seq: number) => (db: Writer) => run(db, `delete from audit_log where seq = ${seq}`)
  assert.equal(await tampered(ctx, remove(1)), 1)
  assert.equal(await tampered(ctx, remove(4)), 4)
  const closeGap = (db: Writer) =>
    run(db, 'delete from audit_log where seq = 9', 'update audit_log set seq = 9 where seq = 10')
  assert.equal(await tampered(ctx, closeGap), 9)
  const exchange = (columns: string[]) => (db: Writer) =>
    run(
      db,
      'create table old as select * from audit_log',
      'update audit_log set seq = -seq where seq in (3, 7)',
      ...[3, 7].map(
        (seq) =>
          `update audit_log set ${columns.map((column) => `${column} = (select ${column} from old where seq = ${10 - seq})`).join(', ')} where seq = -${seq}`,
      ),
    )
  assert.equal(await tampered(ctx, exchange(['seq'])), 3)
  assert.equal(await tampered(ctx, exchange(['seq', 'hash'])), 3)
  const putIn = (db: Writer) =>
    run(
      db,
      `insert into audit_log (at, action, actor_kind, actor_id, credential, details, seq, hash)
       values (1, 'x', 'token', 1, 'token:1', '{}', 11, 'x')`,
    )
  assert.equal(await tampered(ctx, putIn), 11)
})

test('rows taken off the end are found with a link that was noted earlier', async (t) => {
  const { ctx } = await open(t)
  await recordMany(ctx, 10)
  await chainAll(ctx)
  const last = (await rowsOf(ctx)).at(-1)
  const noted = { seq: last?.seq ?? 0, hash: last?.hash ?? '' }
  const cut = (db: Writer) => sql`delete from audit_log where seq > 8`.execute(db)
  assert.equal(await tampered(ctx, cut), null)
  assert.equal(await tampered(ctx, cut, { noted }), 9)
  assert.equal((await verifyAuditChain(ctx.db, { noted })).firstBadSeq, null)
  const other = { seq: 6, hash: noted.hash }
  assert.equal((await verifyAuditChain(ctx.db, { noted: other })).firstBadSeq, 6)
})

test('a process that dies at any statement has chained a whole batch or none of it', async (t) => {
  const opened = await open(t)
  const { ctx } = opened
  await chainAll(ctx)
  let total = 0
  let deaths = 0
  for (let isDead = true; isDead; deaths++) {
    await recordMany(ctx, 5)
    ctx.clock.advance(MINUTE)
    const process = dyingProcess(opened, deaths + 1)
    await runDue(process.ctx, [chainAudit]).catch(() => {})
    isDead = process.isDead()
    await process.close()
    const { unchained, firstBadSeq, checked } = await verifyAuditChain(ctx.db)
    assert.deepEqual([checked + unchained, firstBadSeq], [total + 5, null])
    assert.ok(
      unchained === 0 || unchained === 5,
      `died before statement ${deaths + 1}: ${unchained} unchained`,
    )
    ctx.clock.advance(MINUTE)
    await chainAll(ctx)
    total += 5
    assert.deepEqual(await verifyAuditChain(ctx.db), { checked: total, firstBadSeq: null, unchained: 0 })
  }
  assert.ok(deaths > 10, `a run has more than ten statements, saw ${deaths}`)
})
