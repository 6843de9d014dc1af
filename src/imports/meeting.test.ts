import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { endedOrWaiting } from '../../test/lock-waits.ts'
import { PRODUCT, type Files } from '../../test/moved-base.ts'
import { movedRows, sourceOf } from '../../test/moved-rows.ts'
import { checkLedger } from '../sales/ledger/check-ledger.ts'
import { importRows, type ImportReport, type Source } from './import-rows.ts'
import { takeImport } from './import-queries.ts'
import { undoImport } from './undo-import.ts'
import { TakenMeanwhile } from './write-rows.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('meeting')
})
after(() => app.close())

const importOf = (source: Source): Promise<ImportReport> =>
  importRows(app.ctx, source, { developerId: app.seller.developer.id, isDryRun: false })
const bring = (files: Files) => importOf(sourceOf(files))

/** A source that does something before the rows of a kind are read for the second time, which is to write them. */
const meeting = (files: Files, name: string, before: () => Promise<unknown>): Source => {
  const source = sourceOf(files)
  let reads = 0
  async function* lines(rows: Source['kinds'][number]['lines']) {
    if (++reads === 2) await before()
    yield* rows()
  }
  return {
    ...source,
    kinds: source.kinds.map((one) =>
      one.kind.name === name ? { ...one, lines: () => lines(one.lines) } : one,
    ),
  }
}

const stored = async (id: number) =>
  app.ctx.db.selectFrom('licenses').select(['id', 'quota']).where('id', '=', id).executeTakeFirst()

test('ten imports of the same files at once bring each row once', async () => {
  const files = movedRows(20)
  const ended = await Promise.allSettled(Array.from({ length: 10 }, () => bring(files)))
  const failed = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  for (const error of failed) assert.ok(error instanceof TakenMeanwhile, String(error))
  await bring(files)
  const imports = await app.ctx.db.selectFrom('imports').select(['state', 'added']).execute()
  const states = new Set(imports.map(({ state }) => state))
  assert.deepEqual([...states], ['finished'])
  const added = imports.reduce((sum, one) => sum + one.added, 0)
  assert.equal(
    added,
    Object.values(files).reduce((sum, rows) => sum + rows.length, 0),
  )
  assert.equal((await checkLedger(app.ctx)).ok, true)
})

const running = () =>
  app.ctx.db.selectFrom('imports').select('id').where('state', '=', 'running').executeTakeFirstOrThrow()

const isGivenUp = (error: unknown) => error instanceof TakenMeanwhile && /Another process/.test(error.message)

test('an import that another process takes up writes nothing more, and is gone on with', async () => {
  const files = movedRows(3, 2_000)
  const takeUp = async () => {
    const { id } = await running()
    await app.write(({ db }) => takeImport(db, id, ['running']))
  }
  await assert.rejects(importOf(meeting(files, 'licenses', takeUp)), isGivenUp)
  assert.equal(await stored(2_000), undefined)
  const report = await bring(files)
  assert.deepEqual([report.added > 0, report.added + report.same], [true, report.rows])
  assert.equal((await stored(2_000))?.id, 2_000)
})

test('an import that is undone meanwhile writes nothing more', async () => {
  const undo = async () => undoImport(app.ctx, app.seller.developer.id, (await running()).id)
  await assert.rejects(importOf(meeting(movedRows(3, 2_100), 'product_users', undo)), isGivenUp)
  const left = await app.ctx.db.selectFrom('users').select('id').where('id', '>=', 2_100).execute()
  assert.deepEqual(left, [])
})

test('a row that is being changed here is waited for, and stays as it is then', async () => {
  const files = movedRows(2, 2_150)
  await bring(files)
  for (const license of files['licenses'] ?? []) license['quota'] = 5
  let changing: Promise<unknown> | undefined
  const change = () =>
    new Promise<void>((begun) => {
      changing = app.write(async ({ db }) => {
        await db.updateTable('licenses').set({ quota: 9 }).where('id', '=', 2_151).execute()
        begun()
        await endedOrWaiting(app.ctx.database, importing)
      })
    })
  const importing = importOf(meeting(files, 'licenses', change))
  await importing
  await changing
  assert.deepEqual([(await stored(2_150))?.quota, (await stored(2_151))?.quota], [5, 9])
})

test('a row that is changed here between the look and the write stays as it is here', async () => {
  const files = movedRows(3, 2_200)
  await bring(files)
  for (const license of files['licenses'] ?? []) license['quota'] = 5
  const change = () =>
    app.write(({ db }) => db.updateTable('licenses').set({ quota: 9 }).where('id', '=', 2_201).execute())
  await importOf(meeting(files, 'licenses', change))
  assert.deepEqual(
    [await stored(2_200), await stored(2_201)],
    [
      { id: 2_200, quota: 5 },
      { id: 2_201, quota: 9 },
    ],
  )
})

test('an address that somebody takes here between the look and the write stops the import, and undoing it leaves nothing', async () => {
  const files = movedRows(2, 2_300)
  const signUp = () =>
    app.call('POST', `/products/${app.seller.product.id}/users.json`, {
      body: { email: 'buyer-2301@example.com', name: 'Nina New', password: 'long enough 1' },
    })
  await assert.rejects(importOf(meeting(files, 'users', signUp)), (error: unknown) => {
    assert.ok(error instanceof TakenMeanwhile)
    assert.match(error.message, /^Lines 1 to 2 of users collide/)
    return true
  })
  const report = await bring(files)
  assert.deepEqual(
    report.bad.map(({ kind, line, reason }) => [kind, line, reason]),
    [['users', 2, 'taken']],
  )
  assert.equal(await stored(2_300), undefined)
  // What was broken off is not left running.
  await undoImport(app.ctx, app.seller.developer.id, (await running()).id)
})

test('a change of a name or address reaches the places of the person, and the work on a subscription goes on', async () => {
  const files = movedRows(1, 2_400)
  await bring(files)
  const work = { lease_until: 77, fence: 5 }
  await app.write(({ db }) => db.updateTable('subscriptions').set(work).where('id', '=', 2_400).execute())
  Object.assign(files['users']?.[0] ?? {}, { email: 'Other@example.com', last: 'Öther' })
  Object.assign(files['subscriptions']?.[0] ?? {}, { renewal_amount: 5_500 })
  assert.deepEqual((await bring(files)).changed, 2)
  const place = await app.ctx.db
    .selectFrom('product_users')
    .select(['email_folded', 'name_folded'])
    .where('user_id', '=', 2_400)
    .executeTakeFirst()
  assert.deepEqual(place, { email_folded: 'other@example.com', name_folded: 'bo öther' })
  const subscription = await app.ctx.db
    .selectFrom('subscriptions')
    .select(['renewal_amount', 'lease_until', 'fence'])
    .where('id', '=', 2_400)
    .executeTakeFirst()
  assert.deepEqual(subscription, { renewal_amount: 5_500, ...work })
})

test('undoing an import leaves what is named without a foreign key, and takes out what has no key of its own', async () => {
  const taxes = { country: 'de', legal_name: 'Seller', created: '2025-01-31 10:00:00', updated: null }
  const { import_id: id } = await bring({ ...movedRows(2, 2_500), tax_settings: [taxes] })
  await app.write(({ db, clock }) =>
    db
      .insertInto('notes')
      .values({
        product_id: PRODUCT,
        entity_type: 'license',
        entity_id: 2_500,
        note: 'Kept.',
        created: clock.now(),
      })
      .execute(),
  )
  const undone = await undoImport(app.ctx, app.seller.developer.id, Number(id))
  assert.ok(
    undone.stayed.some(({ kind, key, reason }) => `${kind} ${key} ${reason}` === 'licenses 2500 in use'),
  )
  assert.deepEqual([(await stored(2_500))?.id, await stored(2_501)], [2_500, undefined])
  assert.deepEqual(await app.ctx.db.selectFrom('tax_settings').selectAll().execute(), [])
})
