// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { hasBrowser } from '../web/browser.ts'
import { dialog, press } from './hands.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

/** The ways out of a dialog, by key, by its buttons, and by the page beside it. */
const WAYS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  Escape: (page) => page.keyboard.press('Escape'),
  'the button below': (page) => dialog(page).getByRole('button', { name: 'Close' }).last().click(),
  'the button above': (page) => dialog(page).getByRole('button', { name: 'Close' }).first().click(),
  'beside it': (page) => page.mouse.click(5, 400),
}

describe('a dialog of the dashboard that is left', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_leaving')
  })
  after(() => app.close())

  test('13: a dialog asks before it is left with what was typed, whichever way, and does not where nothing was or all is sent', async (t) => {
    const { page, faults } = await app.at(t, 'customers', 'Customers')
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' })
    const email = dialog(page).getByLabel('Email address')
    const open = async () => {
      await press(page, 'Add a customer')
      await email.waitFor()
    }
    for (const leave of Object.values(WAYS)) {
      await open()
      await leave(page)
      await dialog(page).waitFor({ state: 'detached' })
    }
    await open()
    await email.fill('typed@example.com')
    for (const [way, leave] of Object.entries(WAYS)) {
      await leave(page)
      await leaving.getByRole('button', { name: 'Stay' }).click()
      await leaving.waitFor({ state: 'detached' })
      assert.equal(await email.inputValue(), 'typed@example.com', way)
    }
    await page.keyboard.press('Escape')
    await leaving.getByRole('button', { name: 'Leave without saving' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await open()
    await email.fill('typed@example.com')
    await email.fill('')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await open()
    await email.fill('typed@example.com')
    await dialog(page).getByLabel('Name').fill('Tina Typed')
    await dialog(page).getByRole('button', { name: 'Add a customer' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tina Typed' }).waitFor()
    assert.equal(await dialog(page).count(), 0)
    assert.deepEqual(faults, [])
  })
})
