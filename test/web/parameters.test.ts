// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { asDeveloper } from '../callers.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { hostedCheckout, payButton, thanked, type Hosted } from './hosted.ts'
import { overlayShop, pressClose } from './overlay-shop.ts'
import { requireAccessibleEverywhere } from './watched.ts'

const SELLER = 'https://seller.example'
const ICON = `${SELLER}/back.png`

/** A page that shows all that an address can ask for. */
const EVERYTHING = {
  readonly_user: '1',
  user_email: 'known@example.com',
  user_firstname: 'Kay',
  layout: 'vertical',
  cancel_icon: ICON,
  billing_cycle_selector: 'responsive_list',
  show_reviews: '1',
  refund_policy_position: 'below_form',
  hide_license_key: '1',
} as const

describe('what the address of a checkout asks for', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  const reviews: Record<string, string> = {}
  before(async () => {
    app = await startWebApp('web_parameters')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
    const seller = await asDeveloper(app)
    for (const name of ['Older', 'Newer']) {
      const { json, text } = await seller('POST', `${hosted.shop.base}/reviews.json`, {
        name,
        rate: 80,
        title: `${name} title`,
        text: `What ${name} says`,
        company: 'Acme',
        is_verified: true,
        is_featured: true,
      })
      reviews[name] = json.id ?? assert.fail(text)
    }
  })
  after(async () => {
    await app.close()
  })

  const origins = { origins: [SELLER] }
  const boxOf = async (place: Locator) => (await place.boundingBox()) ?? assert.fail(String(place))

  test('all of it at once: accessible in light and dark, at 1280, 375 and 320 pixels, without faults', async (t) => {
    const { page, faults, allows } = await hosted.open(t, EVERYTHING, { origins: [SELLER] })
    allows('unanswered /back.png')
    await requireAccessibleEverywhere(page, 'all of it')
    assert.deepEqual(faults, [])
  })

  test('who buys is taken out of the address, shown, and not changed, also after a reload', async (t) => {
    const { page } = await hosted.open(t, EVERYTHING, origins)
    const requireFixed = async () => {
      assert.doesNotMatch(page.url(), /known|Kay|user_/)
      assert.match(page.url(), /readonly_user=1/)
      for (const [label, value] of [
        ['Email address', 'known@example.com'],
        ['First name', 'Kay'],
      ] as const) {
        assert.equal(await page.getByLabel(label).inputValue(), value)
        assert.equal(await page.getByLabel(label).isEditable(), false, label)
      }
      assert.equal(await page.getByLabel('Last name').isEditable(), true, 'nobody has said it')
      // The first that must be filled.
      await page.locator('[name=country]:focus').waitFor()
    }
    await requireFixed()
    await page.reload()
    await page.locator('form').waitFor()
    await requireFixed()
    await page.getByRole('button', { name: 'Prefill the form' }).click()
    await page.getByLabel('State').waitFor()
    await payButton(page).click()
    await thanked(page, 'Kay')
    assert.equal(await page.getByLabel('Your license key').count(), 0, 'hide_license_key')
    await page.getByText('on their way to known@example.com').waitFor()
  })

  test('readonly_user without a buyer leaves the fields open', async (t) => {
    const { page } = await hosted.open(t, { readonly_user: '1' })
    await page.getByLabel('Email address').fill('typed@example.com')
    await page.getByLabel('Email address').blur()
    await page.reload()
    await page.locator('form').waitFor()
    assert.equal(await page.getByLabel('Email address').isEditable(), true)
  })

  test('one column or two, the icon of the way back, and where refunds and a review stand', async (t) => {
    const { page } = await hosted.open(t, EVERYTHING, origins)
    const [order, form] = [await boxOf(page.locator('.order')), await boxOf(page.locator('form'))]
    assert.ok(form.y >= order.y + order.height && form.x === order.x, 'below each other')
    assert.equal(await page.locator('.close img').getAttribute('src'), ICON)
    await page.locator('form').getByText('30-day money-back guarantee').waitFor()
    await page.locator('.order').getByText('What Newer says').waitFor()
    assert.equal(await page.getByText('What Older says').count(), 0)

    const { page: other } = await hosted.open(t, { review_id: reviews['Older'] ?? '', layout: 'horizontal' })
    const [left, right] = [await boxOf(other.locator('.order')), await boxOf(other.locator('form'))]
    assert.ok(right.x >= left.x + left.width, 'side by side')
    await other.locator('.order').getByText('What Older says').waitFor()
    await other.locator('.order').getByText('30-day money-back guarantee').waitFor()

    const { page: none } = await hosted.open(t, { show_reviews: '0', review_id: reviews['Older'] ?? '' })
    assert.equal(await none.getByText('What Older says').count(), 0)
  })

  test('cycles as a list of what each costs, with what a year saves, as a choice, or without the month', async (t) => {
    const { page } = await hosted.open(t, EVERYTHING, origins)
    const cycles = page.getByRole('group', { name: 'Billing cycle' })
    await cycles.getByLabel('Monthly').waitFor()
    assert.deepEqual(await cycles.locator('label').allInnerTexts(), [
      'Monthly\n$20.00',
      'Yearly, save 16%\n$200.00',
      'One payment, for life\n$500.00',
    ])
    await cycles.getByLabel('Monthly').click()
    await page.getByRole('button', { name: 'Pay $20.00 and subscribe' }).waitFor()
    assert.equal(await cycles.getByLabel('Monthly').isChecked(), true)

    const list = await hosted.open(t, { billing_cycle_selector: 'list', annual_discount: 'false' })
    await list.page.locator('.cycle').nth(1).waitFor()
    const [first, second] = await list.page.locator('.cycle').all()
    const [above, below] = [await boxOf(first ?? assert.fail()), await boxOf(second ?? assert.fail())]
    assert.ok(below.y >= above.y + above.height && below.x === above.x, 'below each other')
    assert.ok(above.height < 60, `${above.height} pixels of height`)
    await list.page.getByLabel('Yearly', { exact: false }).waitFor()
    assert.equal(await list.page.getByText(/save/).count(), 0, 'annual_discount')

    const dropdown = await hosted.open(t, { billing_cycle_selector: 'dropdown', show_monthly: 'false' })
    await dropdown.page.getByLabel('Billing cycle').waitFor()
    assert.deepEqual(await dropdown.page.getByLabel('Billing cycle').locator('option').allInnerTexts(), [
      'Yearly',
      'One payment, for life',
    ])
  })

  test('over a shop fullscreen covers it', async (t) => {
    const sold = await overlayShop(app, browser, hosted.shop)
    const { page, frame, faults } = await sold.open(t, { options: { fullscreen: true } })
    await page.click('#buy')
    await frame.getByLabel('Email address').waitFor()
    const { x, y, width, height } = await boxOf(frame.locator('.box'))
    assert.deepEqual([x, y], [0, 0])
    assert.ok(width >= 1265 && height >= 800, `${width} × ${height}`)
    pressClose(frame)
    await page.locator('iframe').waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  })
})
