// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext as T } from 'node:test'
import type { Page } from 'playwright-core'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

describe('finding something in the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_search')
  })
  after(async () => {
    await app.close()
  })

  const events = (t: T) => app.at(t, 'events', 'Events')
  const box = (page: Page) => page.getByRole('combobox', { name: /^ID, email address/ })
  const found = (page: Page) => page.getByRole('listbox').getByRole('option')
  const find = async (page: Page, text: string) => {
    await page.keyboard.press('Control+k')
    await box(page).fill(text)
    await found(page).first().waitFor()
  }

  test('Ctrl-K opens it from anywhere, and Escape gives the focus back', async (t) => {
    const { page } = await events(t)
    const link = page.getByRole('link', { name: 'Payments' })
    await link.focus()
    await page.keyboard.press('Control+k')
    await box(page).waitFor()
    await page.keyboard.press('Escape')
    await box(page).waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Payments')
  })

  test('the beginning of an address and Enter open the customer', async (t) => {
    const { page, faults } = await events(t)
    await find(page, 'amara.oka')
    await requireAccessibleEverywhere(page, 'search')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Amara Okafor' }).waitFor()
    assert.doesNotMatch(page.url(), /amara/, 'no address of a customer stands in an address')
    assert.deepEqual(faults, [])
  })

  test('a whole license key opens its license, and stands in no address', async (t) => {
    const { page } = await events(t)
    const own = await fetch(
      `${app.address}/v1/developers/${app.demo.developerId}/products/${app.demo.productId}/licenses/1.json`,
      {
        headers: { cookie: `keywright_session=${app.session}` },
      },
    )
    const { secret_key: key } = (await own.json()) as { readonly secret_key: string }
    await find(page, key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'License #1' }).waitFor()
    assert.ok(!page.url().includes(key))
  })

  test('arrows choose among several, and a click opens', async (t) => {
    const { page } = await events(t)
    await find(page, '1')
    const options = found(page)
    assert.equal(await options.first().getAttribute('aria-selected'), 'true')
    await page.keyboard.press('ArrowDown')
    await page.locator('#found-1[aria-selected=true]').waitFor()
    await options.filter({ hasText: 'License' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'License #1' }).waitFor()
  })

  test('what nothing has is told', async (t) => {
    const { page } = await events(t)
    await page.keyboard.press('Control+k')
    await box(page).fill('nobody-has-this')
    await page.getByRole('dialog').getByText('Nothing matches.').waitFor()
  })
})
