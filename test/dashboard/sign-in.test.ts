// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext as T } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { codeAt, enroll, logIn, PASSWORD, setPassword } from '../logins.ts'
import { untilDone } from '../../src/work/afterwards.ts'
import { mailsTo } from '../mails.ts'
import { startWebApp } from '../web/app.ts'
import type { TestApp } from '../app.ts'
import { hasBrowser, sharedBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere, watched } from '../web/watched.ts'

describe('signing in to the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  before(async () => {
    app = await startWebApp('dashboard_sign_in')
    browser = await sharedBrowser()
    await setPassword(app)
  })
  after(async () => {
    await app.close()
  })

  const opened = async (t: T, path = '') => {
    const found = await watched(browser, { origins: [app.address] })
    t.after(() => found.close())
    await found.page.goto(`${app.address}/dashboard/${path}`)
    return found
  }
  const enter = async (page: Page, password = PASSWORD) => {
    await page.getByLabel('Email address').fill('seller@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

  test('53: address and password open the first page, without a number of an account', async (t) => {
    const { page, faults } = await opened(t)
    await heading(page, 'Sign in')
    await requireAccessibleEverywhere(page, 'sign in')
    await enter(page)
    await heading(page, 'Home')
    assert.equal(new URL(page.url()).pathname, `/dashboard/${app.seller.developer.id}`)
    assert.equal(await page.evaluate('document.cookie'), '', 'no script reads the session')
    assert.deepEqual(faults, [])
  })

  test('a wrong password is told, and what was typed stays', async (t) => {
    const { page } = await opened(t)
    await enter(page, 'wrong')
    await page.getByRole('alert').getByText('The address or the password is wrong.').waitFor()
    assert.equal(await page.getByLabel('Email address').inputValue(), 'seller@example.com')
    await requireAccessibleEverywhere(page, 'refused')
  })

  test('who is not signed in comes back to the page that was opened, with its filter', async (t) => {
    const list = `${app.seller.developer.id}/${app.seller.product.id}/licenses?filter=expired`
    const { page } = await opened(t, list)
    await heading(page, 'Sign in')
    await enter(page)
    await heading(page, 'Licenses')
    assert.equal(page.url(), `${app.address}/dashboard/${list}`)
  })

  test('a way back leads nowhere but into the dashboard', async (t) => {
    for (const back of ['//evil.example', '/\\evil.example', 'https://evil.example']) {
      const { page } = await opened(t, `sign-in?back=${encodeURIComponent(back)}`)
      await enter(page)
      await heading(page, 'Home')
      assert.equal(new URL(page.url()).origin, app.address, back)
    }
  })

  test('8: a session that ended elsewhere asks to sign in, and goes on where it was', async (t) => {
    const { page } = await opened(t)
    await enter(page)
    await heading(page, 'Home')
    await page.waitForLoadState('networkidle')
    await app.write(({ db }) => db.deleteFrom('sessions').execute())
    // What the page follows may ask to sign in before it is pressed, above the link.
    await page.getByRole('link', { name: 'Customers' }).dispatchEvent('click')
    await page.getByText('You are signed out.').waitFor()
    await enter(page)
    await heading(page, 'Customers')
  })

  test('signing out ends the session on the server', async (t) => {
    await app.write(({ db }) => db.deleteFrom('sessions').execute())
    const { page } = await opened(t)
    await enter(page)
    await page.locator('.person').click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await heading(page, 'Sign in')
    assert.deepEqual(await app.ctx.db.selectFrom('sessions').select('id').execute(), [])
    await page.goto(`${app.address}/dashboard/`)
    await heading(page, 'Sign in')
  })

  test('an account of somebody else is no page', async (t) => {
    const { page } = await opened(t)
    await enter(page)
    await heading(page, 'Home')
    await page.goto(`${app.address}/dashboard/999/products`)
    await heading(page, 'There is no such page.')
  })

  test('who forgot the password is mailed a link, and told the same for every address', async (t) => {
    const { page, faults } = await opened(t)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await heading(page, 'Choose another password')
    await requireAccessibleEverywhere(page, 'forgotten')
    for (const email of ['nobody@example.com', 'seller@example.com']) {
      await page.getByLabel('Email address').fill(email)
      const answered = page.waitForResponse((response) => response.url().endsWith('/forgotten.json'))
      await page.getByRole('button', { name: 'Mail the link' }).click()
      assert.equal((await answered).status(), 202)
      await page.getByText('If there is an account with this address').waitFor()
    }
    await untilDone()
    const mail = (await mailsTo(app, 'seller@example.com')).find(({ kind }) => kind === 'forgotten_password')
    const link = /http\S+\/password\/\S+/.exec(mail?.text ?? '')?.[0] ?? assert.fail('no link')
    await page.goto(link)
    await page.getByLabel(/^New password/).fill('seven Manx cats, awake')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByRole('link', { name: 'Log in' }).click()
    await enter(page, 'seven Manx cats, awake')
    await heading(page, 'Home')
    await setPassword(app)
    assert.deepEqual(faults, [])
  })

  test('with two-factor a code is asked for, of the app or a backup code, and a wrong one is told', async (t) => {
    const { secret, backupCodes } = await enroll(app, await logIn(app))
    app.ctx.clock.advance(30_000)
    const { page } = await opened(t)
    await enter(page)
    const code = page.getByLabel('Code of your authenticator app')
    await code.waitFor()
    await requireAccessibleEverywhere(page, 'a code is asked for')
    await code.fill('000000')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('The code is wrong').waitFor()
    await typeAgain(page, codeAt(secret, app.ctx.clock.real()))
    await heading(page, 'Home')

    const [backup = ''] = backupCodes
    const { page: other } = await opened(t)
    await enter(other)
    await other.getByLabel('Code of your authenticator app').fill(backup)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await heading(other, 'Home')

    // It has switched two-factor off.
    const { page: again } = await opened(t)
    await enter(again)
    await heading(again, 'Home')
  })
})

/** Types a code in the place of the one that was refused, where the page has put who types. */
async function typeAgain(page: Page, code: string): Promise<void> {
  await page.locator('input[name=code]:focus').waitFor()
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}
