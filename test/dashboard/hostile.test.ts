// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { transaction } from '../../src/context.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireFits } from '../web/watched.ts'
import { createImport } from '../wholes.ts'
import { PAGES } from './every-page.ts'
import { startSellerApp, type SellerApp } from './seller.ts'
import { begin } from './walks.ts'

/** Text that people and sites give, by the table that keeps it, and what each must be read as on some page. */
const FREE = {
  users: ['first', 'last'],
  developers: ['first', 'last'],
  stores: ['title'],
  products: ['title', 'selling_unit_singular', 'selling_unit_plural'],
  product_info: ['description', 'short_description', 'selling_point_0', 'selling_point_1', 'selling_point_2'],
  plans: ['title', 'description'],
  features: ['title', 'description'],
  feature_values: ['value'],
  notes: ['note'],
  reviews: ['title', 'text', 'name', 'job_title', 'company'],
  bank_accounts: ['name', 'bank_name', 'address_street', 'address_city'],
  installs: ['title', 'version', 'platform_version'],
  license_sites: ['pattern'],
  payments: ['refund_reason'],
  carts: ['first', 'last'],
  tax_settings: ['legal_name', 'address'],
  email_addresses: ['general_name', 'support_name'],
  deployments: ['slug'],
  imports: ['file_name'],
} as const

/** A picture that runs a script, what turns text around, and a letter of four bytes; then whose text it is. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202e 𝕳 '
const textOf = (table: string, column: string) => `${HOSTILE}${table}.${column}`

/** What is read on the page, and stands in its fields. */
const READ = `[document.querySelector('#app').innerText,
  ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value),
  ...[...document.querySelectorAll('code, option, [title], [aria-label]')].flatMap((one) =>
    [one.textContent, one.title, one.getAttribute('aria-label') ?? ''])].join('\\n')`

/** What the text would have made, had it been taken for more than text. */
const MADE = `[...document.querySelectorAll('[onerror], img[src="x"], body script:not([src]):not([type])')]
  .map((one) => one.outerHTML.slice(0, 100))`

describe('hostile text in the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_hostile')
    await transaction(app.ctx, async (tx) => {
      await createImport(tx, app.demo, 'finished')
      for (const [table, columns] of Object.entries(FREE)) {
        const texts = Object.fromEntries(columns.map((column) => [column, textOf(table, column)]))
        await tx.db
          .updateTable(table as 'users')
          .set(texts)
          .execute()
      }
      const data = JSON.stringify({ text: textOf('events', 'data') })
      await tx.db
        .updateTable('events')
        .set({ data: data as never })
        .execute()
    })
  })
  after(() => app.close())

  /** A coupon that has a note. */
  const notedCoupon = async () =>
    (
      await app.ctx.db
        .selectFrom('notes')
        .select('entity_id')
        .where('entity_type', '=', 'coupon')
        .executeTakeFirstOrThrow()
    ).entity_id

  test('53: in every field of free text it is shown as text, on every page', async () => {
    const { page, faults, go, close } = await begin(app)
    page.on('dialog', (said) => {
      faults.push(said.message())
      void said.dismiss()
    })
    const wanted = new Set(
      Object.entries({ ...FREE, events: ['data'] }).flatMap(([table, columns]) =>
        columns.map((column) => textOf(table, column)),
      ),
    )
    const look = async (name: string) => {
      assert.deepEqual(await page.evaluate(MADE), [], name)
      const read = String(await page.evaluate(READ))
      for (const text of wanted) if (read.includes(text)) wanted.delete(text)
      await page.setViewportSize({ width: 375, height: 800 })
      await requireFits(page, name)
    }
    for (const [name, { path, asks }] of Object.entries(PAGES)) {
      const answered = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(asks))
      await go(app.pathOf(path.replace('{product}', String(app.demo.productId))))
      await answered
      await page.locator('main h1').waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      await look(name)
    }
    await page.goto(`${app.product}/coupons/${await notedCoupon()}`)
    await page.locator('.note-text').waitFor()
    await look('a note')
    await page.goto(`${app.product}/plans`)
    await page
      .getByRole('button', { name: /^Change plan: / })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    await look('a form')
    assert.deepEqual([...wanted], [], 'is shown on some page')
    assert.deepEqual(faults, [])
    await close()
  })
})
