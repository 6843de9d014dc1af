// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { hasBrowser } from '../web/browser.ts'
import { dialog, press } from './hands.ts'
import { UNLINKED } from './read-pages.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

describe('what the address of a page says', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_address')
  })
  after(() => app.close())

  const rows = (page: Page) => page.locator('main tbody tr')
  const head = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

  /** Opens the address of a page in another window, which then shows the same rows. */
  async function sameBeside(page: Page): Promise<Page> {
    await page.locator('.loading').first().waitFor({ state: 'detached' })
    await rows(page).first().waitFor()
    const shown = await rows(page).allInnerTexts()
    const beside = await page.context().newPage()
    await beside.clock.setFixedTime(app.ctx.clock.real())
    await beside.goto(page.url())
    await rows(beside)
      .nth(shown.length - 1)
      .waitFor()
    assert.deepEqual(await rows(beside).allInnerTexts(), shown)
    return beside
  }

  test('14: filter, search, page, what is open, environment and product are in the address: a window with it shows the same', async (t) => {
    const { page, faults } = await app.at(t, 'customers', 'Customers')
    await page.getByRole('searchbox').fill('okafor')
    await page.keyboard.press('Enter')
    await page.getByText('Amara Okafor').waitFor()
    await rows(page).nth(1).waitFor({ state: 'detached' })
    await sameBeside(page)

    await page.goto(`${app.product}/licenses`)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText(/^26–\d+ of \d+$/).waitFor()
    await press(page, 'Test')
    await page.getByText('Test mode').waitFor()
    await page.getByText(/^1–\d+ of \d+$/).waitFor()
    const beside = await sameBeside(page)
    await beside.getByText('Test mode').waitFor()

    await page.goto(app.pathOf('audit'))
    await page
      .getByRole('button', { name: /^Details: / })
      .nth(1)
      .click()
    const told = await dialog(page).getByRole('heading').innerText()
    // The log goes on meanwhile: what is opened is the same, not all that is around it.
    const opened = await page.context().newPage()
    await opened.goto(page.url())
    await dialog(opened).getByRole('heading', { name: told }).waitFor()
    await page.goBack()
    await dialog(page).waitFor({ state: 'detached' })
    await head(page, 'Audit log')

    await page.goto(app.pathOf(''))
    await page.getByLabel('Filter').selectOption('Licenses')
    await page.waitForURL(/kind=license/)
    await sameBeside(page)
    await page.getByRole('link', { name: 'Payments', exact: true }).click()
    await head(page, 'Payments')
    assert.doesNotMatch(page.url(), /kind=/)
    assert.deepEqual(faults, [])
  })

  test('15: no address of a customer and no key is in an address; Back and a reload know the search nevertheless', async (t) => {
    const { page, faults } = await app.at(t, 'customers', 'Customers')
    await rows(page).nth(20).waitFor()
    await page.getByRole('searchbox').fill('amara.okafor@example.com')
    await page.keyboard.press('Enter')
    await rows(page).nth(1).waitFor({ state: 'detached' })
    await page.getByText('Amara Okafor').waitFor()
    assert.doesNotMatch(page.url(), /amara|@|%40/)
    await page.reload()
    await page.getByText('Amara Okafor').waitFor()
    await rows(page).nth(1).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('searchbox').inputValue(), 'amara.okafor@example.com')
    await page.getByRole('button', { name: 'Never paid', exact: true }).click()
    await page.getByText('Nothing matches.').waitFor()
    await page.goBack()
    await page.getByText('Amara Okafor').waitFor()
    await page.goBack()
    await rows(page).nth(20).waitFor()
    await head(page, 'Customers')

    const path = `${app.address}/v1/developers/${app.demo.developerId}/products/${app.demo.productId}`
    const reply = await page.request.get(`${path}/licenses/1.json`)
    const { secret_key: key } = (await reply.json()) as { readonly secret_key: string }
    await page.getByRole('link', { name: 'Licenses', exact: true }).click()
    await head(page, 'Licenses')
    await page.getByRole('searchbox').fill(key)
    await page.keyboard.press('Enter')
    await rows(page).nth(1).waitFor({ state: 'detached' })
    await page.getByText('Amara Okafor').waitFor()
    assert.ok(!page.url().includes(key))
    assert.deepEqual(faults, [])
  })

  test('16: every number of a thing is a link, which a middle click opens in a tab, and copying says so', async (t) => {
    const { page, faults } = await app.signedIn(t)
    for (const path of [
      'licenses/1',
      'payments/5',
      'subscriptions/9',
      'installs/1',
      'customers/2',
      'events/4',
    ]) {
      await page.goto(`${app.product}/${path}`)
      await page
        .getByRole('button', { name: /^Copy \d/ })
        .first()
        .waitFor()
      await page.locator('.loading').first().waitFor({ state: 'detached' })
      assert.deepEqual(await page.evaluate(UNLINKED), [], path)
    }
    await page.goto(`${app.product}/payments/5`)
    const link = page.getByRole('link', { name: /^#\d+$/ }).first()
    await link.waitFor()
    // A button that goes down on what is drawn anew before it is up opens nothing.
    await page.locator('.loading').first().waitFor({ state: 'detached' })
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click({ button: 'middle' })])
    await head(tab, /^License #\d+$/)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy 5', exact: true }).click()
    await page.getByRole('status').getByText('Copied').waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), '5')
    assert.deepEqual(faults, [])
  })

  test('26: an event, a payment and a license show raw JSON, folded, with copy', async (t) => {
    const { page, faults } = await app.signedIn(t)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    for (const [path, id] of [
      ['events/4', '4'],
      ['payments/5', '5'],
      ['licenses/1', '1'],
    ] as const) {
      await page.goto(`${app.product}/${path}`)
      const raw = page.locator('details', { has: page.getByText('Raw data', { exact: true }) })
      await raw.waitFor()
      assert.equal(await raw.getAttribute('open'), null)
      await raw.locator('summary').click()
      await raw.getByRole('button', { name: 'Copy Raw data' }).click()
      await raw.getByRole('status').getByText('Copied').waitFor()
      const copied = String(await page.evaluate('navigator.clipboard.readText()'))
      assert.equal(copied, await raw.locator('code').innerText())
      assert.equal((JSON.parse(copied) as { readonly id: string }).id, id)
      assert.doesNotMatch(copied, /secret_key/)
    }
    assert.deepEqual(faults, [])
  })
})
