// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { transaction } from '../../src/context.ts'
import { runBulks } from '../../src/lists/bulk/run-bulks-job.ts'
import { writeExports } from '../../src/lists/exports/write-exports-job.ts'
import { runDue } from '../../src/jobs/worker.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

describe('what a seller does with whole lists', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_lists')
  })
  after(async () => {
    await app.close()
  })

  test('21: an export gives exactly the rows of the filter, not of the page, and no formulas', async (t) => {
    const { ctx, demo } = app
    const formula = '=HYPERLINK("https://evil.example")'
    const { id: paid } = await ctx.db
      .selectFrom('payments')
      .select((is) => is.fn.max('id').as('id'))
      .where('product_id', '=', demo.productId)
      .where('environment', '=', 0)
      .where('type', '=', 'payment')
      .where('refunded_gross', '=', 0)
      .executeTakeFirstOrThrow()
    await transaction(ctx, ({ db }) =>
      db.updateTable('payments').set({ external_id: formula }).where('id', '=', paid).execute(),
    )
    const { page, faults } = await app.at(t, 'payments?filter=not_refunded', 'Payments')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('State: not_refunded').waitFor()
    await dialog.getByText(/Columns: \d+ of \d+/).click()
    await dialog.getByRole('checkbox', { name: 'All', exact: true }).uncheck()
    for (const name of ['id', 'external_id', 'gross', 'currency'])
      await dialog.getByRole('checkbox', { name, exact: true }).check()
    await dialog.getByText('Columns: 4 of').waitFor()
    await requireAccessibleEverywhere(page, 'what is exported')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog.getByRole('button', { name: 'Export', exact: true }).click()
    await dialog.getByText('Waits for its turn').waitFor()
    await requireAccessibleEverywhere(page, 'an export that waits')
    await page.setViewportSize({ width: 1280, height: 800 })
    await runDue(ctx, [writeExports])
    await dialog.getByText(/rows are written/).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Download' }).click(),
    ])
    const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    assert.equal(head, '\uFEFFid,external_id,currency,gross')
    const rows = await ctx.db
      .selectFrom('payments')
      .select('id')
      .where('product_id', '=', demo.productId)
      .where('environment', '=', 0)
      .where('type', '=', 'payment')
      .where('refunded_gross', '=', 0)
      .where('refunded_tax', '=', 0)
      .orderBy('id', 'desc')
      .execute()
    assert.ok(rows.length > 25, 'more than a page')
    assert.deepEqual(
      lines.map((line) => line.split(',')[0]),
      rows.map(({ id }) => String(id)),
    )
    const guarded = `${paid},"'${formula.replaceAll('"', '""')}",`
    assert.equal(lines.filter((line) => line.startsWith(guarded)).length, 1)
    assert.ok(!lines.some((line) => /(^|,)"?[=+@]/.test(line)), 'no cell begins a formula')
    await dialog.getByRole('link', { name: 'All exports' }).click()
    await page.getByRole('row', { name: /Payments \(csv\) Written/ }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('20: all that match are changed: what would happen is shown first, refusals one by one, and those tried again', async (t) => {
    const { ctx, demo } = app
    const active = ctx.db
      .selectFrom('licenses')
      .select(['id', 'expiration'])
      .where('product_id', '=', demo.productId)
      .where('environment', '=', 0)
      .where('is_cancelled', '=', false)
      .orderBy('id')
    const before = (await active.execute()).filter(
      ({ expiration }) => expiration === null || expiration > ctx.clock.now(),
    )
    const never = before.filter(({ expiration }) => expiration === null)
    assert.ok(before.length > 25 && never.length > 0)
    const { page, faults } = await app.at(t, 'licenses?filter=active', 'Licenses')
    const box = page.getByRole('checkbox').first()
    await box.check()
    await page.getByText('1 chosen').waitFor()
    await requireAccessibleEverywhere(page, 'a license that is chosen')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Change all that match' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Days').fill('30')
    await dialog.getByRole('button', { name: 'Show what would happen' }).click()
    await dialog.getByText(/found so far/).waitFor()
    await runDue(ctx, [runBulks])
    const counts = `${before.length - never.length} would be done, ${never.length} refused`
    await dialog.getByText(`${before.length} match: ${counts}`).waitFor()
    await dialog.getByText('The license never ends.').first().waitFor()
    const ends = async () => (await active.execute()).map(({ expiration }) => expiration)
    const untouched = new Set((await ends()).filter((end) => end !== null))
    for (const { expiration } of before) assert.ok(expiration === null || untouched.has(expiration))
    await requireAccessibleEverywhere(page, 'what would happen')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog.getByRole('button', { name: `Do it to ${before.length - never.length}` }).click()
    await dialog.getByRole('heading', { name: 'Bulk action' }).waitFor()
    await runDue(ctx, [runBulks])
    const done = before.length - never.length
    await dialog.getByText(`${done} of ${before.length} are done, ${never.length} refused.`).waitFor()
    await dialog.getByRole('button', { name: 'Try those again' }).click()
    await dialog.getByText(`${done} of ${before.length}`, { exact: true }).waitFor()
    await runDue(ctx, [runBulks])
    await dialog.getByText(`${done} of ${before.length} are done, ${never.length} refused.`).waitFor()
    const after = new Map((await active.execute()).map(({ id, expiration }) => [id, expiration]))
    for (const { id, expiration } of before) {
      if (expiration === null) continue
      const moved = Date.parse(`${after.get(id) ?? ''}Z`) - Date.parse(`${expiration}Z`)
      assert.equal(moved, 30 * 86_400_000, `license ${id}`)
    }
    assert.deepEqual(faults, [])
  })

  test('18: coupons are changed many at once, and deleted after the name of the product was typed', async (t) => {
    const { ctx, demo } = app
    const { page, faults } = await app.at(t, 'coupons', 'Coupons')
    const dialog = page.getByRole('dialog')
    const own = ctx.db.selectFrom('coupons').select('id').where('product_id', '=', demo.productId).limit(2)
    const ids = (await own.execute()).map(({ id }) => id)
    const choose = async () => {
      for (const id of ids) await page.getByRole('checkbox', { name: new RegExp(`#${id}$`) }).check()
      await page.getByRole('button', { name: 'Change those' }).click()
      await dialog.getByRole('heading', { name: 'Change 2 coupons' }).waitFor()
    }
    const show = async (deed: string) => {
      await dialog.getByLabel('What').selectOption({ label: deed })
      await dialog.getByRole('button', { name: 'Show what would happen' }).click()
      await dialog.getByText(/found so far|of 2/).waitFor()
      await runDue(ctx, [runBulks])
      await dialog.getByText('2 match: 2 would be done, 0 refused.').waitFor()
    }
    const rows = () =>
      ctx.db
        .selectFrom('coupons')
        .select('is_active')
        .where('id', 'in', ids)
        .where('deleted_at', 'is', null)
        .execute()
    await choose()
    await requireAccessibleEverywhere(page, 'many coupons')
    await page.setViewportSize({ width: 1280, height: 800 })
    await show('Switch off')
    await dialog.getByRole('button', { name: 'Do it to 2' }).click()
    await dialog.getByRole('heading', { name: 'Bulk action' }).waitFor()
    await runDue(ctx, [runBulks])
    await dialog.getByText('2 of 2 are done, 0 refused.').waitFor()
    assert.deepEqual(await rows(), [{ is_active: false }, { is_active: false }])
    await page.keyboard.press('Escape')
    await page.reload()
    await choose()
    await show('Delete')
    const act = dialog.getByRole('button', { name: 'Do it to 2' })
    assert.equal(await act.isDisabled(), true)
    const { title } = await ctx.db
      .selectFrom('products')
      .select('title')
      .where('id', '=', demo.productId)
      .executeTakeFirstOrThrow()
    await dialog.getByLabel(`Type “${title}” to go on`).fill(title)
    await act.click()
    await dialog.getByRole('heading', { name: 'Bulk action' }).waitFor()
    await runDue(ctx, [runBulks])
    await dialog.getByText('2 of 2 are done, 0 refused.').waitFor()
    assert.deepEqual(await rows(), [])
    assert.deepEqual(faults, [])
  })

  test('20: customers are sent no more news, many at once, after the name of the product was typed', async (t) => {
    const { ctx, demo } = app
    const { page, faults } = await app.at(t, 'customers', 'Customers')
    const dialog = page.getByRole('dialog')
    const told = () =>
      ctx.db
        .selectFrom('product_users')
        .select('user_id')
        .where('product_id', '=', demo.productId)
        .where('is_marketing_allowed', '=', true)
        .execute()
    await transaction(ctx, ({ db }) =>
      db.updateTable('product_users').set({ is_marketing_allowed: true }).execute(),
    )
    const before = (await told()).length
    const boxes = page.getByRole('checkbox')
    for (const n of [0, 1, 2]) await boxes.nth(n).check()
    await requireAccessibleEverywhere(page, 'customers that are chosen')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Change those' }).click()
    await dialog.getByRole('heading', { name: 'Change 3 customers' }).waitFor()
    await dialog.getByLabel('What').selectOption({ label: 'Make beta testers' })
    await dialog.getByLabel('What').selectOption({ label: 'Send no more news' })
    await dialog.getByRole('button', { name: 'Show what would happen' }).click()
    await dialog.getByText('0 of 3').waitFor()
    await runDue(ctx, [runBulks])
    await dialog.getByText('3 match: 3 would be done, 0 refused.').waitFor()
    assert.equal((await told()).length, before)
    const act = dialog.getByRole('button', { name: 'Do it to 3' })
    assert.equal(await act.isDisabled(), true)
    await dialog.getByRole('textbox').fill('Some other product')
    assert.equal(await act.isDisabled(), true)
    await requireAccessibleEverywhere(page, 'what would happen to customers')
    await page.setViewportSize({ width: 1280, height: 800 })
    const { title } = await ctx.db
      .selectFrom('products')
      .select('title')
      .where('id', '=', demo.productId)
      .executeTakeFirstOrThrow()
    await dialog.getByRole('textbox').fill(title)
    await act.click()
    await dialog.getByRole('heading', { name: 'Bulk action' }).waitFor()
    await runDue(ctx, [runBulks])
    await dialog.getByText('3 of 3 are done, 0 refused.').waitFor()
    assert.equal((await told()).length, before - 3)
    assert.deepEqual(faults, [])
  })
})
