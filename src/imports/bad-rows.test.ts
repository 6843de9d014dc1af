import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { casesOf } from '../../test/bad-moved-rows.ts'
import type { Files } from '../../test/moved-base.ts'
import { movedRows, sourceOf } from '../../test/moved-rows.ts'
import { createSeller } from '../../test/factories.ts'
import { tableHashes } from '../../test/table-hashes.ts'
import { testContext } from '../../test/app.ts'
import { transaction } from '../context.ts'
import { importRows } from './import-rows.ts'

let own: Awaited<ReturnType<typeof testContext>>
let developerId: number
let usedProduct: number
let hashes: () => Promise<Readonly<Record<string, string>>>
let untouched: Readonly<Record<string, string>>
let foreign: { productId: number; storeId: number }

const CASES = casesOf(() => ({
  foreignProduct: foreign.productId,
  foreignStore: foreign.storeId,
  usedProduct,
}))
before(async () => {
  own = await testContext('bad_rows')
  const [seller, other] = await transaction(own.ctx, async (tx) => [
    await createSeller(tx),
    await createSeller(tx, 'other@example.com'),
  ])
  developerId = seller?.developer.id ?? 0
  foreign = { productId: other?.product.id ?? 0, storeId: other?.store.id ?? 0 }
  usedProduct = seller?.product.id ?? 0
  const row = { product_id: usedProduct, title: 'Used', description: '', is_featured: false, updated: null }
  await own.ctx.database.transaction((db) =>
    db
      .insertInto('features')
      .values({ ...row, created: own.ctx.clock.now() })
      .execute(),
  )
  const { import_id: id } = await importRows(own.ctx, sourceOf(here()), { developerId, isDryRun: false })
  assert.ok(id)
  hashes = await tableHashes(own.ctx.database)
  untouched = await hashes()
})
after(() => own.drop())

/** What the account has already, by no import that the rows of the tests are of. */
const here = (): Files => {
  const files = movedRows(1)
  const shifted = (row: Record<string, unknown>, change: object) => ({ ...row, ...change })
  return {
    stores:
      files['stores']
        ?.slice(0, 1)
        .map((row) => shifted(row, { id: 500, public_key: `pk_${'s'.repeat(29)}` })) ?? [],
    products:
      files['products']
        ?.slice(0, 1)
        .map((row) =>
          shifted(row, { id: 500, store_id: 500, slug: 'here', public_key: `pk_${'p'.repeat(29)}` }),
        ) ?? [],
    users: [{ ...files['users']?.[0], id: 500, email: 'here@example.com' }],
  }
}

for (const { what, kind, change, line = 1, column, reason } of CASES) {
  test(`a row is not taken, and a dry run that says so writes nothing: ${what} (${kind})`, async () => {
    const files = movedRows()
    change(files)
    for (const isDryRun of [true, false]) {
      const report = await importRows(own.ctx, sourceOf(files), { developerId, isDryRun })
      const [bad] = report.bad
      assert.deepEqual(
        [report.import_id, report.dry_run, bad?.kind, bad?.line, bad?.column, bad?.reason],
        [null, isDryRun, kind, line, column, reason],
        JSON.stringify(report.bad.slice(0, 3)),
      )
      assert.match(bad?.message ?? '', /^[a-z]/)
      assert.deepEqual(await hashes(), untouched)
    }
  })
}

/** What the cases must have of each family, as `kind column reason`. */
const FAMILIES = {
  missing: / (missing|unknown_reference)$/,
  double: / (double_id|double|taken)$/,
  foreign: / (foreign_reference|id_of_another|other_product)$/,
  'impossible dates': / (impossible_time|not_time|ends_before_start)$/,
  currencies: / currency unknown_currency$/,
  quotas: /^licenses quota (too_small|too_large|not_integer)$/,
}

test('there are forty kinds of bad rows at least, each once: missing, double, foreign, impossible dates, currencies and quotas', () => {
  assert.ok(CASES.length >= 40, String(CASES.length))
  assert.equal(new Set(CASES.map(({ what }) => what)).size, CASES.length)
  const told = CASES.map(({ kind, column, reason }) => `${kind} ${column} ${reason}`)
  for (const [family, pattern] of Object.entries(FAMILIES))
    assert.ok(
      told.some((one) => pattern.test(one)),
      family,
    )
})

test('all rows are right that the cases change, and a dry run of them writes nothing', async () => {
  const report = await importRows(own.ctx, sourceOf(movedRows()), { developerId, isDryRun: true })
  assert.deepEqual([report.bad, report.import_id, report.dry_run], [[], null, true])
  assert.deepEqual(report.added, report.rows)
  assert.deepEqual(await hashes(), untouched)
})
