// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { countPayments } from './hosted.ts'
import {
  escape,
  hasHeard,
  openIt,
  overlayShop,
  pay,
  prefill,
  thankedIn,
  told,
  type OverlayShop,
  pressClose,
} from './overlay-shop.ts'

describe('who leaves the overlay of a shop', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let sold: OverlayShop
  let browser: Browser
  before(async () => {
    app = await startWebApp('web_overlay_leaving')
    browser = await sharedBrowser()
    sold = await overlayShop(app, browser)
  })
  after(async () => {
    await app.close()
  })

  /** The mouse leaves the page of the shop at the top, as towards its tab. */
  const leaveAtTheTop = (page: Page) =>
    page.evaluate("document.documentElement.dispatchEvent(new MouseEvent('mouseleave', { clientY: -1 }))")
  const offered = (frame: FrameLocator) => frame.getByRole('dialog', { name: 'Before you go' })
  const endings = (page: Page) =>
    told(page, /^(cancel|success|purchaseCompleted|afterClose|track exit|track coupon)/)

  test('a discount is offered once: taken from the order, or declined, and the shop hears which', async (t) => {
    const coupon = { code: 'STAY', discount: 20, discount_type: 'percentage', plans: sold.shop.plans.pro }
    const made = await app.call('POST', `${sold.shop.base}/coupons.json`, { body: coupon })
    const special = `${sold.shop.base}/coupons/${made.json.id}/special/exit_intent.json`
    assert.equal((await app.call('PUT', special)).status, 201)
    t.after(() => app.call('DELETE', special))

    await t.test('taken', async (t) => {
      const { page, frame, faults } = await sold.open(t)
      await openIt(page, frame)
      await leaveAtTheTop(page)
      await offered(frame).getByText('Take $40.00 off this order.').waitFor()
      await frame.getByRole('button', { name: 'Take the discount' }).click()
      await frame.getByText('$160.00').first().waitFor()
      await leaveAtTheTop(page)
      pressClose(frame)
      await hasHeard(page, 'afterClose')
      assert.deepEqual(await endings(page), [
        'track exit-intent-shown',
        'track exit-intent-discount-applied',
        'track coupon-added',
        'cancel',
        'afterClose',
      ])
      assert.deepEqual(faults, [])
    })

    await t.test(
      'declined by who only seemed to leave: the order stays, and nothing is offered again',
      async (t) => {
        const { page, frame } = await sold.open(t)
        await openIt(page, frame)
        await leaveAtTheTop(page)
        await frame.getByRole('button', { name: 'No, thank you' }).click()
        await offered(frame).waitFor({ state: 'detached' })
        await frame.getByLabel('Email address').fill('stays@example.com')
        pressClose(frame)
        await hasHeard(page, 'afterClose')
        assert.deepEqual(await endings(page), [
          'track exit-intent-shown',
          'track exit-intent-canceled',
          'track exit-intent-discount-canceled',
          'cancel',
          'afterClose',
        ])
      },
    )

    await t.test('neither: it ends with its hour, and what was closed is closed', async (t) => {
      const { page, frame, faults } = await sold.open(t, { own: true })
      await page.clock.install()
      await openIt(page, frame)
      pressClose(frame)
      await offered(frame).waitFor()
      await page.clock.fastForward('59:50')
      assert.equal(await offered(frame).isVisible(), true)
      await page.clock.fastForward('00:20')
      await hasHeard(page, 'afterClose')
      assert.deepEqual(await endings(page), [
        'track exit-intent-shown',
        'track exit-intent-promotion-ended',
        'cancel',
        'afterClose',
      ])
      assert.deepEqual(faults, [])
    })

    await t.test('declined by who closes: it is closed', async (t) => {
      const { page, frame } = await sold.open(t)
      await openIt(page, frame)
      pressClose(frame)
      await offered(frame).waitFor()
      escape(page)
      await hasHeard(page, 'afterClose')
      assert.deepEqual(await endings(page), [
        'track exit-intent-shown',
        'track exit-intent-canceled',
        'track exit-intent-discount-canceled',
        'cancel',
        'afterClose',
      ])
    })
  })

  /** An overlay whose payment is on its way to the server until `go` is called. */
  async function paying(page: Page, frame: FrameLocator, email: string) {
    await openIt(page, frame)
    await prefill(frame)
    await frame.getByLabel('Email address').fill(email)
    const gate = Promise.withResolvers<void>()
    await page.route('**/pay.json', async (route) => {
      await gate.promise
      await route.continue()
    })
    await pay(frame)
    await frame.getByRole('button', { name: 'Paying…' }).waitFor()
    return { go: () => gate.resolve() }
  }

  test('a shop that closes while it is paid hears that it was bought, and it is charged once', async (t) => {
    const { page, frame, faults } = await sold.open(t)
    const before = await countPayments(app)
    const { go } = await paying(page, frame, 'closed@example.com')
    await page.evaluate('window.checkout.close()')
    await page.evaluate('window.checkout.close()')
    go()
    await hasHeard(page, 'afterClose')
    assert.deepEqual(await endings(page), ['purchaseCompleted', 'success', 'afterClose'])
    assert.equal((await countPayments(app)) - before, 1)
    assert.deepEqual(faults, [])
  })

  test('Escape while it is paid stops nothing: the buyer sees what was bought', async (t) => {
    const { page, frame } = await sold.open(t)
    const before = await countPayments(app)
    const { go } = await paying(page, frame, 'escaped@example.com')
    await page.keyboard.press('Escape')
    go()
    await thankedIn(frame)
    await hasHeard(page, 'purchaseCompleted')
    assert.deepEqual(await endings(page), ['purchaseCompleted'])
    escape(page)
    await hasHeard(page, 'afterClose')
    assert.deepEqual(await endings(page), ['purchaseCompleted', 'success', 'afterClose'])
    assert.equal((await countPayments(app)) - before, 1)
  })

  test('Escape closes the checkout also where nothing in it has the focus', async (t) => {
    const { page, frame } = await sold.open(t)
    await openIt(page, frame)
    await frame.locator('body').evaluate('document.activeElement.blur()')
    escape(page)
    await hasHeard(page, 'afterClose')
    assert.deepEqual(await endings(page), ['cancel', 'afterClose'])
  })

  test('Escape while it is paid closes what is declined, and while the bank takes its time', async (t) => {
    for (const token of ['test_declined', 'test_pending']) {
      const { page, frame } = await sold.open(t)
      await openIt(page, frame)
      await frame.getByLabel('Test payment').selectOption(token)
      await prefill(frame)
      await frame.getByLabel('Email address').fill(`${token}@example.com`)
      const before = await countPayments(app)
      await pay(frame)
      escape(page)
      await hasHeard(page, 'afterClose')
      assert.deepEqual(await endings(page), ['cancel', 'afterClose'], token)
      assert.equal(await countPayments(app), before)
    }
  })

  test('a double click on Pay is one payment, told once', async (t) => {
    const { page, frame } = await sold.open(t)
    await openIt(page, frame)
    await prefill(frame)
    await frame.getByLabel('Email address').fill('double@example.com')
    const before = await countPayments(app)
    await frame.getByRole('button', { name: /^Pay/ }).dblclick()
    await thankedIn(frame)
    await hasHeard(page, 'purchaseCompleted')
    assert.equal((await countPayments(app)) - before, 1)
    assert.deepEqual(await endings(page), ['purchaseCompleted'])
  })
})
