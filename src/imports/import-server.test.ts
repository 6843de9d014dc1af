import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { asInstall } from '../../test/callers.ts'
import { requireSameLists } from '../../test/moved-lists.ts'
import { createTestFolder } from '../../test/folder.ts'
import { PRODUCT } from '../../test/moved-base.ts'
import {
  installKeysOf,
  licenseKeyOf,
  METHOD,
  movedRows,
  RENEWS_AT,
  sourceOf,
  uidOf,
} from '../../test/moved-rows.ts'
import { timesOf } from '../../test/renewing.ts'
import { fromUtcTime, HOUR } from '../lib/time.ts'
import { renewDue } from '../sales/renewals/renew.ts'
import { checkLedger } from '../sales/ledger/check-ledger.ts'
import { importRows } from './import-rows.ts'
import { importServer } from './import-server.ts'
import { ServerRefuses, type Ask } from './server/client.ts'

const CUSTOMERS = 130

let source: TestApp
let target: TestApp
before(async () => {
  // A command signs by the clock of the machine.
  const at = Date.now()
  source = await startTestApp('server_from', { at })
  target = await startTestApp('server_to', { at })
  const { id } = source.seller.developer
  const files = movedRows(CUSTOMERS)
  // One of them has asked for its money back, in two parts.
  const [paid] = files['payments'] ?? []
  Object.assign(paid ?? {}, { refunded_gross: 3_000, refunded_tax: 0 })
  for (const [n, gross] of [-1_000, -2_000].entries()) {
    const refund = {
      type: 'refund',
      gross,
      refunded_gross: 0,
      gateway_fee: 0,
      bound_payment_id: paid?.['id'],
    }
    files['payments']?.push({ ...paid, ...refund, id: 5_000 + n, external_id: `re_${n}` })
  }
  const { bad } = await importRows(source.ctx, sourceOf(files), { developerId: id, isDryRun: false })
  assert.deepEqual(bad, [])
})
after(async () => {
  await source.close()
  await target.close()
})

const login = () => {
  const { id, publicKey, secretKey } = source.seller.developer
  return { url: source.address, developerId: id, publicKey, secretKey }
}
const bring = (more: object = {}) =>
  importServer(target.ctx, login(), { developerId: target.seller.developer.id, isDryRun: false, ...more })

const verify = (app: TestApp, n: number) =>
  app.call(
    'GET',
    `/products/${PRODUCT}/installs/${n}/license.json?uid=${uidOf(n)}&license_key=${licenseKeyOf(n)}`,
    { token: null },
  )

test('keys that another server does not know are refused, and nothing is written', async () => {
  const wrong = { ...login(), secretKey: `sk_${'x'.repeat(29)}` }
  const given = { developerId: target.seller.developer.id, isDryRun: false }
  await assert.rejects(importServer(target.ctx, wrong, given), (error: unknown) => {
    assert.ok(error instanceof ServerRefuses)
    assert.equal(error.status, 401)
    return true
  })
  assert.deepEqual(await target.ctx.db.selectFrom('imports').selectAll().execute(), [])
})

test('a server that has the lists alone, and neither settings nor anything else about one row, is brought as products begin', async () => {
  const known = ['products', 'plans', 'pricing', 'coupons', 'users', 'licenses', 'installs']
  known.push('subscriptions', 'payments', 'trials')
  const asked = new Set<string>()
  const ask: Ask = async (url, init) => {
    const name = new URL(url).pathname.split('/').at(-1)?.split('.')[0] ?? ''
    asked.add(name)
    if (known.includes(name)) return fetch(url, init)
    const status = ['settings', 'note', 'billing'].includes(name) ? 403 : 404
    return Response.json({ error: { message: 'Not here.' } }, { status })
  }
  const dry = await bring({ isDryRun: true, manner: { ask } })
  assert.deepEqual([dry.bad, dry.added + dry.same], [[], dry.rows])
  const rows = new Map(dry.kinds.map(({ kind, add, same }) => [kind, add + same]))
  // Each product has its eight.
  assert.equal(rows.get('settings'), 8 * Number(rows.get('products')))
  for (const name of ['settings', 'info', 'addresses', 'members', 'note', 'billing', 'special', 'reviews'])
    assert.ok(asked.has(name), name)
  assert.equal(rows.get('billing'), undefined)
})

test('a seller comes along from another server with ids and keys: sites verify and sign with their old keys', async () => {
  const dry = await bring({ isDryRun: true })
  assert.deepEqual([dry.bad, dry.import_id], [[], null])
  const report = await bring()
  assert.deepEqual([report.bad, report.added + report.same], [[], dry.rows])
  for (const n of [1_000, 1_000 + CUSTOMERS - 1]) {
    const [here, there] = [await verify(target, n), await verify(source, n)]
    assert.deepEqual([here.status, here.json], [200, there.json])
    const keys = installKeysOf(n)
    const install = { id: n, publicKey: keys.public_key, secretKey: keys.secret_key }
    const own = await asInstall(target, install)('GET', '.json')
    assert.deepEqual([own.status, own.json.id], [200, String(n)], own.text)
  }
})

test('what was paid there stands in the ledger as paid elsewhere, with what was given back of it', async () => {
  assert.equal((await checkLedger(target.ctx)).ok, true)
  const accounts = await target.ctx.db.selectFrom('postings').select('account').distinct().execute()
  assert.deepEqual(accounts.map(({ account }) => account).toSorted(), [
    'elsewhere',
    'gateway_fees',
    'refunds',
    'revenue',
  ])
  const paid = await target.ctx.db
    .selectFrom('payments')
    .select(['gross', 'refunded_gross'])
    .where('id', '=', 1_000)
    .executeTakeFirst()
  assert.deepEqual(paid, { gross: 4_999, refunded_gross: 3_000 })
})

test('no subscription that comes from another server is charged here before its buyer has stored a method', async () => {
  const due = await target.ctx.db
    .selectFrom('subscriptions')
    .select('id')
    .where((or) => or.or([or('due_at', 'is not', null), or('is_elsewhere', '=', false)]))
    .execute()
  assert.deepEqual(due, [])
})

test('asked again it brings what has changed there since, and nothing else', async () => {
  assert.equal((await bring()).import_id, null)
  await source.write(({ db }) =>
    db
      .updateTable('licenses')
      .set({ quota: 9, updated: source.ctx.clock.now() })
      .where('id', '=', 1_007)
      .execute(),
  )
  const report = await bring()
  assert.deepEqual([report.changed, report.added, report.kept], [1, 0, 0])
  const license = await target.ctx.db
    .selectFrom('licenses')
    .select('quota')
    .where('id', '=', 1_007)
    .executeTakeFirst()
  assert.equal(license?.quota, 9)
})

test('both servers answer the same to every list, field by field, but for the gateway and the method of payment', async () => {
  const { id, publicKey, secretKey } = target.seller.developer
  await requireSameLists(login(), { url: target.address, developerId: id, publicKey, secretKey })
})

test('with a file of methods of payment their subscriptions are charged here, once, and asking again takes none of them away; those of subscriptions that the other server has not are counted', async (t) => {
  const folder = await createTestFolder('methods')
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'methods.csv')
  const lines = [1_000, 1_001, 999_998, 999_999].map((id) => `${id},test,card,${METHOD},4242\n`)
  await writeFile(file, `subscription_id,gateway,kind,token,last4\n${lines.join('')}`)
  const report = await bring({ methodsFile: file })
  assert.deepEqual([report.bad, report.added, report.changed], [[], 2, 2])
  assert.deepEqual(report.aside, [{ kind: 'payment_methods', reason: 'unknown_subscription', count: 2 }])
  const taken = () =>
    target.ctx.db
      .selectFrom('subscriptions')
      .select(['id', 'gateway', 'payment_method_id', 'due_at'])
      .where('is_elsewhere', '=', false)
      .orderBy('id')
      .execute()
  const due = { gateway: 'test', due_at: RENEWS_AT }
  const wanted = [1_000, 1_001].map((id) => ({ id, payment_method_id: id, ...due }))
  assert.deepEqual(await taken(), wanted)
  const { import_id: none, aside } = await bring()
  assert.deepEqual([none, aside], [null, []])
  assert.equal((await bring({ methodsFile: file })).import_id, null)
  assert.deepEqual(await taken(), wanted)
  await timesOf(target).goTo(fromUtcTime(RENEWS_AT) + HOUR)
  for (let times = 0; times < 3; times++) {
    const now = target.ctx.clock.now()
    await renewDue(target.ctx, { environment: 1, productId: PRODUCT, now, limit: 100 })
    await timesOf(target).follow()
  }
  const charges = await target.ctx.db
    .selectFrom('charges')
    .select(['subscription_id', 'state'])
    .orderBy('subscription_id')
    .execute()
  assert.deepEqual(charges, [
    { subscription_id: 1_000, state: 'settled' },
    { subscription_id: 1_001, state: 'settled' },
  ])
  assert.equal((await checkLedger(target.ctx)).ok, true)
})

test('a file of methods is refused that names a line without token, or one subscription twice', async (t) => {
  const folder = await createTestFolder('bad-methods')
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'methods.jsonl')
  const line = { subscription_id: 1_000, gateway: 'test', kind: 'card', token: METHOD }
  for (const [more, says] of [
    [{ ...line, token: undefined }, /line 1: token is missing/],
    [line, /line 2: subscription_id is in a line before/],
  ] as const) {
    await writeFile(file, [more, line].map((one) => `${JSON.stringify(one)}\n`).join(''))
    await assert.rejects(bring({ methodsFile: file }), says)
  }
})
