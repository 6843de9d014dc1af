// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import {
  countPayments,
  fillIn,
  hostedCheckout,
  payButton,
  thanked,
  untilTyped,
  waive,
  type Hosted,
} from './hosted.ts'

describe('a checkout that is disturbed', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  before(async () => {
    app = await startWebApp('web_troubles')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    await app.close()
  })

  test('two tabs that pay one checkout at once are one payment, and both say so', async (t) => {
    const { page } = await hosted.open(t)
    await fillIn(page, 'tabs@example.com')
    await untilTyped(app, 'tabs@example.com')
    const second = await page.context().newPage()
    await second.goto(page.url())
    await payButton(second).waitFor()
    const before = await countPayments(app)
    await Promise.all([payButton(page).click(), payButton(second).click()])
    await Promise.all([thanked(page), thanked(second)])
    assert.equal((await countPayments(app)) - before, 1)
  })

  test('a checkout that another window pays is waited for, and can be paid when that comes to nothing', async (t) => {
    const { page } = await hosted.open(t)
    await fillIn(page, 'elsewhere@example.com')
    await untilTyped(app, 'elsewhere@example.com')
    const asOther = (state: 'paying' | 'open') =>
      app.write(({ db }) =>
        db
          .updateTable('checkouts')
          .set({ state })
          .where('email', '=', 'elsewhere@example.com')
          .executeTakeFirstOrThrow(),
      )
    await asOther('paying')
    await page.getByLabel('First name').fill('Grace')
    await page.getByRole('heading', { name: 'This purchase is being paid in another window.' }).waitFor()
    await asOther('open')
    await page.getByText('The payment in the other window was not made.').waitFor()
    await payButton(page).click()
    await thanked(page, 'Grace')
  })

  test('a browser that is slow to draw shows the form all the same', async (t) => {
    const { page } = await hosted.open(t)
    await page.addInitScript(`
      const soon = setTimeout
      window.requestAnimationFrame = () => 0
      window.setTimeout = (run, after = 0) => soon(run, after + 2_000)
    `)
    await page.goto(hosted.addressOf({ user_email: 'slow-to-draw@example.com' }))
    await payButton(page).waitFor()
  })

  test('a reload while the bank takes its time goes on waiting, and pays once', async (t) => {
    const { page } = await hosted.open(t)
    await fillIn(page, 'reload@example.com')
    await page.getByLabel('Test payment').selectOption('test_needs_confirmation')
    const before = await countPayments(app)
    await payButton(page).click()
    await page.getByRole('heading', { name: 'Waiting for your bank' }).waitFor()
    await page.reload()
    await thanked(page)
    assert.equal((await countPayments(app)) - before, 1)
  })

  test('a change while it is paid is no part of it: what was shown is charged', async (t) => {
    const { page } = await hosted.open(t)
    await fillIn(page, 'change@example.com')
    await page.route('**/pay.json', async (route) => {
      await page
        .getByLabel('Number of licenses')
        .selectOption('5')
        .catch(() => {})
      await route.continue()
    })
    await payButton(page).click()
    await page
      .getByRole('heading', { name: 'Thank you, Ada' })
      .or(page.getByRole('alert').getByText(/price has changed/))
      .first()
      .waitFor()
    const { gross } = await app.ctx.db
      .selectFrom('payments')
      .select('gross')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.ok(gross === 20_000, `charged ${gross}`)
  })

  test('a server that is gone for a while loses nothing that was typed, and says so until it is back', async (t) => {
    const { page } = await hosted.open(t)
    await page.route('**/v1/**', (route) => route.abort())
    await page.getByLabel('Email address').fill('away@example.com')
    await page.getByLabel('Email address').blur()
    await page.getByText('No connection.').waitFor()
    assert.equal(await page.getByLabel('Email address').inputValue(), 'away@example.com')
    await page.unroute('**/v1/**')
    await page.getByText('No connection.').waitFor({ state: 'detached' })
    // It is told once the server is back.
    await untilTyped(app, 'away@example.com', '')
  })

  test('where every answer takes two seconds what is typed meanwhile is bought', async (t) => {
    const { page } = await hosted.open(t)
    await page.route('**/v1/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      await route.continue()
    })
    await page.getByLabel('Email address').fill('slow@example.com')
    await page.getByLabel('Country').selectOption('DE')
    await page.getByLabel('First name').fill('Slow')
    await payButton(page).click()
    // Asked for once the server knows the country.
    await waive(page)
    await payButton(page).click()
    await thanked(page, 'Slow')
    const bought = await app.ctx.db
      .selectFrom('users')
      .select('first')
      .where('email', '=', 'slow@example.com')
      .executeTakeFirst()
    assert.equal(bought?.first, 'Slow')
  })

  test('it works where storage throws and cookies are blocked', async (t) => {
    const { page, faults } = await hosted.open(t)
    await page.addInitScript(`
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError') } })
      }
      Object.defineProperty(document, 'cookie', { get() { throw new DOMException('blocked') }, set() {} })
    `)
    await page.goto(hosted.addressOf({ user_email: 'blocked@example.com' }))
    await fillIn(page, 'blocked@example.com')
    await payButton(page).click()
    await thanked(page)
    assert.deepEqual(faults, [])
  })

  test('back from elsewhere while the bank takes its time goes on waiting, and pays once', async (t) => {
    const { page } = await hosted.open(t)
    await fillIn(page, 'away-and-back@example.com')
    await page.getByLabel('Test payment').selectOption('test_needs_confirmation')
    const before = await countPayments(app)
    await payButton(page).click()
    await page.getByRole('heading', { name: 'Waiting for your bank' }).waitFor()
    await page.goto(`${app.address}/healthz`)
    await page.goBack()
    await thanked(page)
    assert.equal((await countPayments(app)) - before, 1)
  })

  test('back after paying shows what was bought, and pays nothing again', async (t) => {
    const { page } = await hosted.open(t)
    await fillIn(page, 'back@example.com')
    await payButton(page).click()
    await thanked(page)
    const before = await countPayments(app)
    await page.reload()
    await thanked(page)
    await page.goto(`${app.address}/healthz`)
    await page.goBack()
    await thanked(page)
    assert.equal(await countPayments(app), before)
  })
})
