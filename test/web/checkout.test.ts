// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import {
  countPayments,
  fillIn,
  hostedCheckout,
  payButton,
  thanked,
  type Hosted,
  untilTyped,
} from './hosted.ts'
import { requireAccessibleEverywhere } from './watched.ts'

describe('the hosted checkout in a browser', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let hosted: Hosted
  let browser: Browser
  before(async () => {
    app = await startWebApp('web_checkout')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    await app.close()
  })

  const said = (page: Page, text: string | RegExp) => page.getByRole('alert').getByText(text).waitFor()

  /** Every state of the page, and how one comes to it. */
  const STATES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    empty: async () => {},
    'fields missing': async (page) => {
      await payButton(page).click()
      await said(page, 'Some details are missing.')
    },
    'filled in': (page) => fillIn(page),
    'coupon that is none': async (page) => {
      await page.getByRole('button', { name: 'Add a coupon' }).click()
      await page.getByLabel('Coupon code').fill('NONE')
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.getByText('There is no such coupon.').waitFor()
    },
    declined: async (page) => {
      await fillIn(page)
      await page.getByLabel('Test payment').selectOption('test_declined')
      await payButton(page).click()
      await said(page, /declined/)
    },
    waiting: async (page) => {
      await fillIn(page)
      await page.getByLabel('Test payment').selectOption('test_pending')
      await payButton(page).click()
      await page.getByRole('heading', { name: 'Waiting for your bank' }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Pay in another way' }).count(), 0)
    },
    paid: async (page) => {
      await fillIn(page, `paid${Math.random()}@example.com`)
      await payButton(page).click()
      await thanked(page)
    },
  }

  for (const [name, reach] of Object.entries(STATES)) {
    test(`${name}: accessible in light and dark, at 1280, 375 and 320 pixels, without faults`, async (t) => {
      const { page, faults, allows } = await hosted.open(t)
      if (name === 'declined') allows('400 /pay.json')
      await reach(page)
      await requireAccessibleEverywhere(page, name)
      assert.deepEqual(faults, [])
    })
  }

  test('what is typed is kept by a decline and by a reload, and the total that is shown is charged', async (t) => {
    const { page } = await hosted.open(t)
    await STATES['declined']?.(page)
    assert.equal(await page.getByLabel('Email address').inputValue(), 'buyer@example.com')
    await page.getByLabel('Email address').fill('kept@example.com')
    await page.getByLabel('First name').fill('Kept')
    await page.getByLabel('First name').blur()
    await untilTyped(app, 'kept@example.com', 'Kept')
    await page.reload()
    await page.locator('form').waitFor()
    assert.equal(await page.getByLabel('Email address').inputValue(), 'kept@example.com')
    assert.equal(await page.getByLabel('First name').inputValue(), 'Kept')
    assert.equal(await payButton(page).textContent(), 'Pay $200.00 and subscribe')
    await payButton(page).click()
    await thanked(page, 'Kept')
    const paid = await app.ctx.db
      .selectFrom('payments')
      .select('gross')
      .orderBy('id', 'desc')
      .executeTakeFirst()
    assert.equal(paid?.gross, 20_000)
  })

  test('two clicks on Pay are one payment', async (t) => {
    const { page } = await hosted.open(t)
    await fillIn(page, 'twice@example.com')
    const before = await countPayments(app)
    await payButton(page).dblclick()
    await thanked(page)
    assert.equal((await countPayments(app)) - before, 1)
  })

  test('what is hostile in an address is shown as text, and leads nowhere', async (t) => {
    const hostile = {
      title: '<img src=x onerror=alert(1)>',
      subtitle: '‮gnitteL',
      image: 'javascript:alert(1)',
      cancel_url: 'javascript:alert(1)',
      id: '"><script>alert(1)</script>',
      user_firstname: '<b>x</b>',
      modal_title: '</title><script>alert(1)</script>',
      locale: 'xx_"><script>',
    }
    const { page, faults } = await hosted.open(t, hostile)
    page.on('dialog', (dialog) => faults.push(`said ${dialog.message()}`))
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), hostile.title)
    assert.equal(await page.getByLabel('First name').inputValue(), '<b>x</b>')
    await page.getByRole('button', { name: 'Back' }).click()
    await page.waitForLoadState('networkidle')
    assert.deepEqual(faults, [])
  })

  test('by keyboard alone: from the first field to the license', async (t) => {
    const { page } = await hosted.open(t)
    await page.keyboard.type('keys@example.com')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Grace')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Germany')
    const tabTo = async (place: Locator) => {
      for (let tabs = 0; tabs < 12 && !(await isFocused(place)); tabs++) await page.keyboard.press('Tab')
    }
    const waiver = page.getByLabel(/lose my right to withdraw/)
    await waiver.waitFor()
    await tabTo(waiver)
    await page.keyboard.press('Space')
    await tabTo(payButton(page))
    await page.keyboard.press('Enter')
    await thanked(page, 'Grace')
    const focused = await page.evaluate('document.activeElement.tagName')
    assert.equal(focused, 'H1', 'a reader hears at once how it went')
  })

  test('German is whole, and the address chooses it', async (t) => {
    const { page } = await hosted.open(t, { locale: 'de_DE' })
    assert.equal(await page.locator('html').getAttribute('lang'), 'de-DE')
    await page.getByLabel('E-Mail-Adresse').waitFor()
    assert.equal(await payButton(page).textContent(), '200,00\u00a0$ zahlen und abonnieren')
  })
})

interface Focusable {
  readonly ownerDocument: { readonly activeElement: unknown }
}

const isFocused = (place: Locator) =>
  place.evaluate((one: unknown) => one === (one as Focusable).ownerDocument.activeElement)
