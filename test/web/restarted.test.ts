// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import type { Browser } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { openCable } from '../cable.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import {
  countPayments,
  fillIn,
  hostedCheckout,
  payButton,
  thanked,
  untilTyped,
  type Hosted,
} from './hosted.ts'

describe('a checkout whose server stops and starts again', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  let cable: Awaited<ReturnType<typeof openCable>>
  before(async () => {
    app = await startWebApp('web_restarted')
    browser = await sharedBrowser()
    cable = await openCable(app.address)
    const address = cable.url.replace(/\/$/, '')
    Object.assign(app.ctx, { baseUrl: address })
    hosted = await hostedCheckout({ ...app, address }, browser)
  })
  after(async () => {
    cable.cut()
    await cable.pull()
    await app.close()
  })

  /** Nothing listens on its port until the test has it so, or ends. */
  async function stopped(t: TestContext): Promise<() => Promise<void>> {
    await cable.pull()
    let isDown = true
    const start = async () => {
      if (isDown) await cable.plug()
      isDown = false
    }
    t.after(start)
    return start
  }

  test('what was typed meanwhile stays, and is bought once, also by a click while it is down', async (t) => {
    const { page } = await hosted.open(t)
    await fillIn(page, 'before-it@example.com')
    await untilTyped(app, 'before-it@example.com')
    const before = await countPayments(app)
    const start = await stopped(t)
    await page.getByLabel('Email address').fill('meanwhile@example.com')
    await page.getByLabel('Email address').blur()
    await page.getByText('No connection.').waitFor()
    await payButton(page).click()
    assert.equal(await page.getByLabel('Email address').inputValue(), 'meanwhile@example.com')
    await start()
    await thanked(page)
    await page.getByText('No connection.').waitFor({ state: 'detached' })
    const { email } = await app.ctx.db
      .selectFrom('users')
      .select('email')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.equal(email, 'meanwhile@example.com')
    assert.equal((await countPayments(app)) - before, 1)
  })

  test('one that stops while it pays has paid once, and the page says so when it is back', async (t) => {
    const { page } = await hosted.open(t)
    await fillIn(page, 'cut-off@example.com')
    await untilTyped(app, 'cut-off@example.com')
    const before = await countPayments(app)
    const paid = Promise.withResolvers<void>()
    let start = async () => {}
    await page.route(
      '**/pay.json*',
      async (route) => {
        // The server answers; its answer never arrives.
        await route.fetch()
        start = await stopped(t)
        paid.resolve()
        await route.abort()
      },
      { times: 1 },
    )
    await payButton(page).click()
    await paid.promise
    await page.getByText('No connection.').waitFor()
    await start()
    await thanked(page)
    assert.equal((await countPayments(app)) - before, 1)
  })
})
