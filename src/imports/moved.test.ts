import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { PRODUCT, type Files } from '../../test/moved-base.ts'
import { installKeysOf, licenseKeyOf, movedRows, sourceOf, uidOf } from '../../test/moved-rows.ts'
import { asInstall } from '../../test/callers.ts'
import { timesOf } from '../../test/renewing.ts'
import { checkLedger } from '../sales/ledger/check-ledger.ts'
import { renewDue } from '../sales/renewals/renew.ts'
import { importRows, type ImportReport } from './import-rows.ts'
import { undoImport } from './undo-import.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('moved')
})
after(() => app.close())

const bring = (files: Files, more: object = {}): Promise<ImportReport> =>
  importRows(app.ctx, sourceOf(files), { developerId: app.seller.developer.id, isDryRun: false, ...more })

const counts = async () => {
  const { db } = app.ctx
  const of = async (table: 'events' | 'mails' | 'deliveries' | 'licenses' | 'payments' | 'imported_rows') =>
    Number(
      (
        await db
          .selectFrom(table)
          .select((is) => is.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    )
  return {
    events: await of('events'),
    mails: await of('mails'),
    deliveries: await of('deliveries'),
    licenses: await of('licenses'),
    payments: await of('payments'),
    noted: await of('imported_rows'),
  }
}

const verify = (n: number) =>
  app.call(
    'GET',
    `/products/${PRODUCT}/installs/${n}/license.json?uid=${uidOf(n)}&license_key=${licenseKeyOf(n)}`,
    {
      token: null,
    },
  )

test('a dry run says what would be done, and writes nothing', async () => {
  const was = await counts()
  const report = await bring(movedRows(), { isDryRun: true })
  assert.deepEqual([report.import_id, report.bad_count, report.added], [null, 0, report.rows])
  assert.deepEqual(await counts(), was)
})

test('what is brought along keeps its ids and keys: a site verifies with its old ones, and nobody is told of a row', async () => {
  const was = await counts()
  const report = await bring(movedRows())
  assert.deepEqual([report.bad, report.added], [[], report.rows])
  const now = await counts()
  assert.deepEqual(
    [
      now.events - was.events,
      now.mails - was.mails,
      now.deliveries - was.deliveries,
      now.licenses - was.licenses,
    ],
    [1, 0, 0, 2],
  )
  const event = await app.ctx.db.selectFrom('events').selectAll().orderBy('id', 'desc').executeTakeFirst()
  assert.deepEqual([event?.type, event?.product_id], ['import.finished', null])
  assert.deepEqual(JSON.parse(event?.data ?? ''), {
    import_id: report.import_id,
    source: 'files',
    added: report.added,
    changed: 0,
    kept: 0,
  })
  const verified = await verify(1_000)
  assert.equal(verified.status, 200, verified.text)
  assert.equal(verified.json.id, '1000')
  const keys = installKeysOf(1_001)
  const install = { id: 1_001, publicKey: keys.public_key, secretKey: keys.secret_key }
  const own = await asInstall(app, install)('GET', '.json')
  assert.deepEqual([own.status, own.json.id], [200, '1001'], own.text)
})

test('the ledger adds up with the postings of what was brought along', async () => {
  const { ok, faults, payments } = await checkLedger(app.ctx)
  assert.deepEqual([ok, faults, payments], [true, [], 4])
  const postings = await app.ctx.db.selectFrom('postings').selectAll().execute()
  assert.equal(postings.length, 12)
})

test('a second import of the same rows changes nothing, and makes no import', async () => {
  const was = await counts()
  const report = await bring(movedRows())
  assert.deepEqual([report.import_id, report.same, report.added, report.changed], [null, report.rows, 0, 0])
  assert.deepEqual(await counts(), was)
})

test('what has changed there since is changed here, but for what was changed here too', async () => {
  await app.write(({ db }) => db.updateTable('licenses').set({ quota: 9 }).where('id', '=', 1_001).execute())
  const files = movedRows(3)
  for (const license of files['licenses'] ?? []) license['quota'] = 5
  const payment = files['payments']?.[0] ?? {}
  payment['gateway_fee'] = 200
  const stays = {
    kind: 'licenses',
    line: 2,
    key: '1001',
    reason: 'changed_here',
    message: 'was changed here since it was brought: it stays so',
  }
  assert.deepEqual((await bring(files, { isDryRun: true })).kept_rows, [stays])
  const report = await bring(files)
  assert.deepEqual([report.bad, report.changed, report.kept], [[], 2, 1])
  assert.deepEqual(report.kept_rows, [stays])
  const rows = await app.ctx.db
    .selectFrom('licenses')
    .select(['id', 'quota'])
    .where('id', '>=', 1_000)
    .orderBy('id')
    .execute()
  assert.deepEqual(rows, [
    { id: 1_000, quota: 5 },
    { id: 1_001, quota: 9 },
    { id: 1_002, quota: 5 },
  ])
  assert.equal((await checkLedger(app.ctx)).ok, true)
  assert.equal((await verify(1_002)).status, 200)
})

test('rows that were changed or removed here since are named up to a limit, and counted beyond it', async () => {
  const files = movedRows(2)
  for (const license of files['licenses'] ?? []) license['quota'] = 6
  for (const review of files['reviews'] ?? []) review['rate'] = 10
  await app.write(({ db }) => db.deleteFrom('reviews').where('id', '=', 1_000).execute())
  const report = await bring(files, { isDryRun: true })
  assert.deepEqual(
    [report.kept, report.kept_rows.map(({ kind, key, reason }) => `${kind} ${key} ${reason}`)],
    [2, ['licenses 1001 changed_here', 'reviews 1000 removed_here']],
  )
  const short = await bring(files, { isDryRun: true, named: 1 })
  assert.deepEqual([short.kept, short.kept_rows.length], [2, 1])
})

test('ids that are given out here after an import lie far past those that it has brought, so that later ones are free', async () => {
  const user = await app.call('POST', `/products/${app.seller.product.id}/users.json`, {
    body: { email: 'new@example.com', name: 'Nina New', password: 'long enough 1' },
  })
  assert.ok(Number(user.json.id) > 101_002, user.text)
})

test('a renewal is charged once, here, and one that is paid elsewhere is not touched', async () => {
  const files = movedRows(5)
  for (const id of [3, 4]) {
    const subscription = files['subscriptions']?.[id] ?? {}
    const due = { next_payment: '2026-02-28 10:00:00', due_at: '2026-02-28 10:00:00' }
    Object.assign(subscription, { period_start: '2025-02-28 10:00:00', ...due })
    if (id === 4) Object.assign(subscription, { is_elsewhere: true, due_at: null })
  }
  const report = await bring(files)
  assert.deepEqual(report.bad, [])
  await timesOf(app).goTo(Date.UTC(2026, 1, 28, 11))
  for (let times = 0; times < 3; times++) {
    await renewDue(app.ctx, { environment: 1, productId: PRODUCT, now: app.ctx.clock.now(), limit: 100 })
    await timesOf(app).follow()
  }
  const charges = await app.ctx.db.selectFrom('charges').select(['subscription_id', 'state']).execute()
  assert.deepEqual(charges, [{ subscription_id: 1_003, state: 'settled' }])
  const elsewhere = await app.ctx.db
    .selectFrom('subscriptions')
    .select(['next_payment', 'failed_payments', 'canceled_at'])
    .where('id', '=', 1_004)
    .executeTakeFirst()
  assert.deepEqual(elsewhere, { next_payment: '2026-02-28 10:00:00', failed_payments: 0, canceled_at: null })
})

test('undoing an import leaves what was used since, and what was there before', async () => {
  const imports = await app.ctx.db.selectFrom('imports').select('id').orderBy('id').execute()
  const { developer } = app.seller
  // The third one brought two customers: one has renewed since, the other is untouched.
  const undone = await undoImport(app.ctx, developer.id, imports[2]?.id ?? 0)
  const stayed = undone.stayed.map(({ kind, key, reason }) => `${kind} ${key} ${reason}`)
  assert.ok(stayed.includes('subscriptions 1003 changed here'), stayed.join(', '))
  assert.ok(stayed.includes('users 1003 in use'), stayed.join(', '))
  const left = await app.ctx.db.selectFrom('users').select('id').where('id', 'in', [1_003, 1_004]).execute()
  assert.deepEqual(left, [{ id: 1_003 }])
  assert.equal((await verify(1_003)).status, 200)
  assert.equal((await checkLedger(app.ctx)).ok, true)
  const other = await undoImport(app.ctx, developer.id, imports[1]?.id ?? 0)
  assert.deepEqual([other.stayed_count, other.removed > 0], [0, true])
  assert.equal((await verify(1_002)).status, 404)
})
