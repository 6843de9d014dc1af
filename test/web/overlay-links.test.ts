// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { runDue } from '../../src/jobs/worker.ts'
import { DAY, HOUR } from '../../src/lib/time.ts'
import { recoverCarts } from '../../src/sales/carts/recover-carts-job.ts'
import type { TestApp } from '../app.ts'
import { mailsTo } from '../mails.ts'
import { renewNow } from '../subscriptions.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { countPayments } from './hosted.ts'
import {
  frameIn,
  hasHeard,
  heardBy,
  leadMailsTo,
  openIt,
  overlayShop,
  pay,
  prefill,
  pressAway,
  thankedIn,
  told,
  type OverlayShop,
  pressClose,
} from './overlay-shop.ts'

describe('what mails lead to on the page of a shop', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let sold: OverlayShop
  let browser: Browser
  before(async () => {
    app = await startWebApp('web_overlay_links')
    browser = await sharedBrowser()
    sold = await overlayShop(app, browser)
  })
  after(async () => {
    await app.close()
  })

  /** The address in a mail that leads to a page. */
  async function linkIn(email: string, page: string): Promise<string> {
    const texts = (await mailsTo(app, email)).map(({ text }) => text)
    const link = texts
      .flatMap((text) => text.match(/https?:\/\/\S+/g) ?? [])
      .find((one) => one.startsWith(page))
    return link ?? assert.fail(texts.join('\n---\n'))
  }

  test('the mail about a cart opens it by the unmodified package, with who left it, and it is bought once', async (t) => {
    const { page, frame, site, faults, allows } = await sold.open(t)
    await leadMailsTo(app, `${site.address}/?from=mail`)
    await openIt(page, frame)
    await prefill(frame)
    await frame.getByLabel('Email address').fill('left@example.com')
    await frame.getByLabel('Email address').blur()
    await frame.getByLabel('Number of licenses').selectOption('5')
    await frame.getByText('$800.00').first().waitFor()
    pressClose(frame)
    await hasHeard(page, 'cancel')
    app.ctx.clock.advance(2 * HOUR)
    await runDue(app.ctx, [recoverCarts])
    const link = await linkIn('left@example.com', site.address)

    await page.goto(link)
    const again = frameIn(page)
    await again.getByText('$800.00').first().waitFor()
    assert.equal(await again.getByLabel('Email address').inputValue(), 'left@example.com')
    const before = await countPayments(app)
    await pay(again)
    await thankedIn(again)
    assert.equal((await countPayments(app)) - before, 1)
    pressAway(again, 'Got it')
    await page.locator('iframe[id^="fs-checkout-page"]').waitFor({ state: 'detached' })
    const said = await page.evaluate<string[]>('window.said')
    assert.deepEqual(
      said.filter((type) => type !== 'track'),
      ['loaded', 'purchaseCompleted', 'upgraded'],
    )

    allows('400 /sessions.json')
    await page.goto(link)
    await frameIn(page).getByText('This order is paid already.').waitFor()
    assert.equal((await countPayments(app)) - before, 1)
    assert.deepEqual(faults, [])
  })

  test('the mail about a renewal that failed opens what is owed, which is paid and renews from then on', async (t) => {
    const { page, site, faults } = await sold.open(t, { script: `${app.address}/js/v1/` })
    await leadMailsTo(app, site.address)
    const bought = await sold.shop.buy({ billing_cycle: 'monthly' }, 'test_renewal_declined')
    app.ctx.clock.advance(28 * DAY + HOUR)
    await renewNow(app)
    assert.equal((await sold.shop.subscriptionOf(bought.id)).outstanding_balance, 10)

    await page.goto(await linkIn(bought.email, site.address))
    const frame = frameIn(page)
    await frame.getByText('Outstanding amount').waitFor()
    assert.equal(await frame.getByLabel('Email address').inputValue(), bought.email)
    await pay(frame)
    await thankedIn(frame, 'Grace')
    await frame.getByText('Your payment method is saved.').waitFor()
    pressAway(frame, 'Got it')
    await hasHeard(page, 'afterClose')
    assert.deepEqual(await told(page, /^[a-z]\w+$/i), [
      'afterOpen',
      'purchaseCompleted',
      'success',
      'afterClose',
    ])
    const payments = await sold.shop.paymentsOf(bought.id)
    assert.deepEqual(
      payments.map(({ gross }) => gross),
      [1_000, 1_000],
    )
    const active = await sold.shop.subscriptionOf(bought.id)
    assert.equal(active.outstanding_balance, 0)
    assert.equal((await heardBy(page)).filter(([name]) => name === 'purchaseCompleted').length, 1)

    app.ctx.clock.advance(32 * DAY)
    await renewNow(app)
    assert.equal(
      (await sold.shop.paymentsOf(bought.id)).length,
      3,
      'the method that replaced the other is charged',
    )
    assert.deepEqual(faults, [])
  })

  test('the same link of a seller who opens it by the package itself replaces a method for nothing', async (t) => {
    const bought = await sold.shop.buy({})
    const link = await app.call('POST', `${sold.shop.base}/licenses/${bought.id}/checkout/link.json`, {
      body: { is_payment_method_update: true },
    })
    const { authorization } = link.json.settings
    const options = { license_id: bought.id, authorization, is_payment_method_update: true }
    const { page, frame, faults } = await sold.open(t, { options })
    await openIt(page, frame)
    const before = await countPayments(app)
    await frame.getByRole('button', { name: 'Save the payment method' }).click()
    await thankedIn(frame, 'Grace')
    assert.equal(await countPayments(app), before)
    assert.equal((await sold.shop.subscriptionsOf(bought.id)).length, 2, 'the subscription is another one')
    assert.deepEqual(faults, [])
  })
})
