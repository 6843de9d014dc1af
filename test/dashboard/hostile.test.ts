// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { transaction } from '../../src/context.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireFits } from '../web/watched.ts'
import { createImport } from '../wholes.ts'
import { tokenOfAccount } from './called.ts'
import { PAGES } from './every-page.ts'
import { FREE, freeInEntities, WITHIN } from './free-texts.ts'
import { joinTeam, startSellerApp, type SellerApp } from './seller.ts'
import { begin } from './walks.ts'

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

/** A text by its name, for each of these names. */
const textsOf = (table: string, columns: readonly string[]) =>
  Object.fromEntries(columns.map((column) => [column, textOf(table, column)]))

test('53: each free text that an entity lets callers give is among those that are looked for', async () => {
  const found = await freeInEntities()
  assert.ok(found.length > 15, `${found.length} found`)
  const known = Object.entries(FREE).flatMap(([table, columns]) => columns.map((one) => `${table}.${one}`))
  assert.deepEqual(
    found.filter((one) => !known.includes(one)),
    [],
  )
})

describe('hostile text in the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_hostile')
    await joinTeam(app, 'support')
    await tokenOfAccount(app)
    await transaction(app.ctx, async (tx) => {
      await createImport(tx, app.demo, 'finished')
      await tx.db.updateTable('members').set({ accepted_at: null }).execute()
      await tx.db
        .insertInto('refusals')
        .values({
          product_id: app.demo.productId,
          day: '2026-01-31',
          slot: 0,
          same: '',
          occasion: 'activation',
          environment: 0,
          code: 'license_expired',
          message: 'The license has expired.',
          count: 1,
          created: app.ctx.clock.now(),
          last_at: app.ctx.clock.now(),
        })
        .execute()
      for (const [table, columns] of Object.entries(FREE))
        await tx.db
          .updateTable(table as 'users')
          .set(textsOf(table, columns))
          .execute()
      const data = JSON.stringify(textsOf('events', WITHIN.events))
      await tx.db
        .updateTable('events')
        .set({ data: data as never })
        .execute()
      const en = { button: '', ...textsOf('own_mail_texts', WITHIN.own_mail_texts) }
      const texts = JSON.stringify({ receipt: { en } })
      await tx.db.insertInto('own_mail_texts').values({ product_id: app.demo.productId, texts }).execute()
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
    const { page, faults, allows, go, close } = await begin(app)
    // Text that turns what stands beside it around is not taken for a mail.
    allows('400 /preview.json')
    page.on('dialog', (said) => {
      faults.push(said.message())
      void said.dismiss()
    })
    const wanted = new Set(
      Object.entries({ ...FREE, ...WITHIN }).flatMap(([table, columns]) =>
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
    await page.goto(`${app.product}/webhooks/1`)
    await page
      .getByRole('button', { name: /^Details: / })
      .first()
      .click()
    await page.getByRole('dialog').getByText('delivery_attempts.answer').waitFor()
    await look('what a listener answered')
    assert.deepEqual([...wanted], [], 'is shown on some page')
    assert.deepEqual(faults, [])
    await close()
  })
})
