// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { UtcTime } from '../../src/lib/time.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere, requireAccessibleInBothLooks, shown } from '../web/watched.ts'
import { dialog, press, wide } from './hands.ts'
import { joinTeam, startSellerApp, type SellerApp } from './seller.ts'

describe('what a seller does by hand', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_by_hand')
  })
  after(async () => {
    await app.close()
  })

  const at: SellerApp['at'] = (...asked) => app.at(...asked)

  test('a license is issued to somebody who is no customer yet, by a name', async (t) => {
    const { page, faults, allows } = await at(t, 'licenses', 'Licenses')
    allows('400 /licenses.json')
    await press(page, 'Issue a license')
    await dialog(page).getByLabel('Email address').fill('nell@newcomer.example')
    await dialog(page).getByRole('button', { name: 'Issue license' }).click()
    await dialog(page).locator('[aria-invalid=true]').waitFor()
    await dialog(page).getByLabel('Name of a new customer').fill('Nell Newcomer')
    await dialog(page).getByRole('button', { name: 'Issue license' }).click()
    await page.getByRole('heading', { level: 1, name: /^License #\d+$/ }).waitFor()
    await page.getByRole('link', { name: 'Nell Newcomer' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('a customer is added by hand, and gets a license on its page', async (t) => {
    const { page, faults, allows } = await at(t, 'customers', 'Customers')
    allows('402 /users.json')
    await press(page, 'Add a customer')
    await dialog(page).getByLabel('Email address').fill('hanna@byhand.example')
    await dialog(page).getByRole('button', { name: 'Add a customer' }).click()
    await dialog(page).getByText('Type a name too.').waitFor()
    assert.equal(await dialog(page).getByRole('alert').getByText('is required').count(), 0)
    await dialog(page).getByLabel('Name').fill('Hanna Byhand')
    await requireAccessibleEverywhere(page, 'add a customer')
    await wide(page)
    await dialog(page).getByRole('button', { name: 'Add a customer' }).dblclick()
    await page.getByRole('heading', { level: 1, name: 'Hanna Byhand' }).waitFor()
    await page.getByText('Nothing renews for this customer yet.').waitFor()
    await page.getByText('This customer has paid nothing yet.').waitFor()
    await page.getByText('No license was issued to this customer yet.').waitFor()
    await requireAccessibleEverywhere(page, 'a customer with nothing')
    await wide(page)
    await press(page, 'Issue the first license')
    await dialog(page).getByText('hanna@byhand.example').waitFor()
    await dialog(page).getByRole('button', { name: 'Issue license' }).click()
    await page.getByRole('heading', { level: 1, name: /^License #\d+$/ }).waitFor()
    await page.getByRole('link', { name: 'Hanna Byhand' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('on a telephone what is done less often with a license is in a menu, by keys too, which says why it is barred', async (t) => {
    const { page } = await at(t, 'licenses/1', 'License #1')
    assert.equal(await page.getByRole('button', { name: 'More', exact: true }).count(), 0)
    await page.setViewportSize({ width: 375, height: 800 })
    assert.equal(await page.getByRole('button', { name: 'Replace the key' }).count(), 0)
    await page.getByRole('button', { name: 'More', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Change plan' }).waitFor()
    await shown(page, '[role=menu]')
    await requireAccessibleInBothLooks(page, 'the menu of a license')
    await page.keyboard.press('End')
    await page.locator('[role=menuitem]:focus', { hasText: 'Cancel license' }).waitFor()
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('button', { name: 'Keep license' }).click()
    await page.locator('button:focus', { hasText: 'More' }).waitFor()
    const session = await app.sessionOf(await joinTeam(app, 'developer'))
    const { page: barred } = await at(t, 'licenses/1', 'License #1', session)
    await barred.setViewportSize({ width: 375, height: 800 })
    await press(barred, 'More')
    await barred.getByRole('menu').getByText('Your role (developer) may not do this.').waitFor()
    assert.ok(await barred.getByRole('menuitem', { name: 'Cancel license' }).isDisabled())
  })

  test('who gives back what was paid elsewhere is told that no money moves', async (t) => {
    const found = app.ctx.db.selectFrom('payments').select('id').where('type', '=', 'payment')
    const paid = found
      .where('product_id', '=', 1)
      .where('environment', '=', 0)
      .where('refunded_gross', '=', 0)
    const { id } = await paid.where('gateway', 'is', null).executeTakeFirstOrThrow()
    const { page } = await at(t, `payments/${id}`, /^\$|^€|^£/)
    await press(page, 'Refund')
    await dialog(page).getByText('It was paid elsewhere: no money moves from here.').waitFor()
    await page.goto(`${app.product}/payments/1`)
    await press(page, 'Refund')
    await dialog(page).getByText('Nothing is left of the payment then').waitFor()
    assert.equal(await dialog(page).getByText('It was paid elsewhere').count(), 0)
  })

  test('11: a refund whose answer was lost and whose button is pressed again is made once', async (t) => {
    const { page } = await at(t, 'payments/1', '$94.01')
    const keys: (string | undefined)[] = []
    await page.route('**/refunds.json', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      // As a proxy answers whose server was too slow for it.
      await route.fetch()
      await route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' })
    })
    await press(page, 'Refund')
    await dialog(page).getByLabel('Amount (USD)').fill('9.50')
    await press(page, 'Refund $9.50')
    await dialog(page).getByRole('alert').waitFor()
    await press(page, 'Refund $9.50')
    await page.getByText('$9.50 was refunded.').waitFor()
    const refunds = app.ctx.db.selectFrom('payments').select('id').where('bound_payment_id', '=', 1)
    assert.equal((await refunds.execute()).length, 1)
    await press(page, 'Refund')
    await dialog(page).getByLabel('Amount (USD)').fill('9.50')
    await press(page, 'Refund $9.50')
    await page.getByText('−$9.50').nth(1).waitFor()
    assert.deepEqual([keys[0] === keys[1], keys[1] === keys[2]], [true, false])
    assert.equal((await refunds.execute()).length, 2)
  })

  test('what needs somebody leads to where it is done, and products are counted as all of them are', async (t) => {
    const { page, faults } = await app.signedIn(t)
    await page.goto(app.pathOf(''))
    const now = page.getByRole('region', { name: 'Right now' })
    const all = await now
      .locator('div', { hasText: /^Subscriptions/ })
      .locator('dd')
      .innerText()
    const cards = page.locator('.cards .card')
    const counts = cards.locator('div', { hasText: /^Subscriptions/ }).locator('dd')
    await counts.filter({ hasText: '–' }).first().waitFor({ state: 'detached' })
    const of = (await counts.allInnerTexts()).map(Number)
    assert.equal(
      of.reduce((sum, one) => sum + one, 0),
      Number(all),
    )
    await page
      .getByRole('region', { name: 'Needs you' })
      .getByTitle(/^Aurora Forms: \d+ · /)
      .click()
    await page.getByRole('heading', { level: 1, name: 'Figures' }).waitFor()
    assert.match(page.url(), /\/1\/figures$/)
    assert.deepEqual(faults, [])
  })

  test('the product that was opened last stays chosen, at first the one that is sold most', async (t) => {
    const { page, faults } = await app.signedIn(t)
    await page.goto(app.pathOf(''))
    const chosen = page.getByRole('navigation', { name: 'Menu' }).getByRole('combobox')
    const shown = () => chosen.locator('option:checked').innerText()
    await chosen.waitFor()
    assert.equal(await shown(), 'Aurora Forms')
    await chosen.selectOption('Aurora Bookings')
    await page.getByRole('heading', { level: 1, name: 'Licenses' }).waitFor()
    await page.getByRole('link', { name: 'Stores' }).click()
    await page.getByRole('heading', { level: 1, name: 'Stores' }).waitFor()
    assert.equal(await shown(), 'Aurora Bookings')
    assert.deepEqual(faults, [])
  })

  test('18: a license is deactivated on one site, stays on the others, and is put back by Undo', async (t) => {
    const { page, faults } = await at(t, 'licenses/1', 'License #1')
    const sites = page.getByRole('button', { name: /^Deactivate: / })
    await sites.first().waitFor()
    const count = await sites.count()
    const activated = () =>
      app.ctx.db
        .selectFrom('licenses')
        .select(['activated', 'activated_local'])
        .where('id', '=', 1)
        .executeTakeFirstOrThrow()
    const before = await activated()
    await page.getByText('Not counted: local ones (1) and subdomains of one that is').waitFor()
    const site = page.getByRole('cell', { name: 'http://localhost:8080', exact: true })
    const end = async () => {
      await page.getByRole('button', { name: 'Deactivate: http://localhost:8080' }).click()
      await page.getByText('Deactivated on http://localhost:8080.').waitFor()
      await site.waitFor({ state: 'detached' })
    }
    await end()
    assert.equal(await sites.count(), count - 1)
    await press(page, 'Undo')
    await site.waitFor()
    assert.deepEqual(await activated(), before)
    await end()
    assert.equal(await sites.count(), count - 1)
    assert.deepEqual(faults, [])
  })

  test('a key that was passed on is replaced, and stops at once', async (t) => {
    const keyOf = async () =>
      (
        await app.ctx.db
          .selectFrom('licenses')
          .select('secret_key')
          .where('id', '=', 1)
          .executeTakeFirstOrThrow()
      ).secret_key
    const before = await keyOf()
    const { page, faults } = await at(t, 'licenses/1', 'License #1')
    const masked = page.getByText(/^•••• /)
    const end = await masked.innerText()
    await press(page, 'Replace the key')
    await requireAccessibleEverywhere(page, 'replace the key')
    await wide(page)
    await dialog(page).getByRole('button', { name: 'Replace the key' }).dblclick()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText(end, { exact: true }).waitFor({ state: 'detached' })
    await page.getByText('License got another key').waitFor()
    assert.notEqual(await keyOf(), before)
    assert.deepEqual(faults, [])
  })

  test('14: a list is narrowed to days and sorted in its address, which an export takes along, and Back undoes one step', async (t) => {
    const { page, faults } = await at(t, 'payments', 'Payments')
    const day = '2026-01-10'
    await page.getByLabel('To', { exact: true }).fill(day)
    await page.waitForURL(/[?]to=2026-01-10$/)
    assert.equal(await page.evaluate('document.activeElement.type'), 'date')
    const { count } = await app.ctx.db
      .selectFrom('payments')
      .select((is) => is.fn.countAll<number>().as('count'))
      .where('product_id', '=', 1)
      .where('environment', '=', 0)
      .where('processed_at', '<=', `${day} 23:59:59` as UtcTime)
      .executeTakeFirstOrThrow()
    const shown = Math.min(Number(count), 25)
    await page.getByText(`1–${shown} of ${count}`, { exact: true }).waitFor()
    await requireAccessibleEverywhere(page, 'days of a list')
    await wide(page)
    await press(page, 'Export')
    await dialog(page).getByText(`To: ${day}`).waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('From', { exact: true }).fill('2030-01-01')
    await page.getByText('Nothing matches.').waitFor()
    await page.goBack()
    await page.getByText(`1–${shown} of ${count}`, { exact: true }).waitFor()
    const order = page.getByLabel('Order')
    await order.selectOption('Oldest first')
    await page.waitForURL(/sort=id$/)
    const { id: oldest } = await app.ctx.db
      .selectFrom('payments')
      .select('id')
      .where('product_id', '=', 1)
      .where('environment', '=', 0)
      .orderBy('processed_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    await page.locator(`tbody tr:first-child a[href$="/payments/${oldest}"]`).first().waitFor()
    await page.goto(`${app.product}/subscriptions`)
    await order.selectOption('Next payment first')
    await page.waitForURL(/[?]sort=next_payment$/)
    assert.deepEqual(faults, [])
  })
})
