// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import type { Browser, FrameLocator } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { createInstallOf, createOwner, newUid } from '../installs.ts'
import { userOf } from '../licenses.ts'
import { contextOf } from '../site-context.ts'
import { startWebApp } from './app.ts'
import { dashboard, requireReach } from './dashboard.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { hostedCheckout, waive, type Hosted } from './hosted.ts'
import { html, startSite } from './site.ts'
import { watched } from './watched.ts'

interface Entity {
  readonly id?: string
  readonly secret_key?: string
  readonly public_key?: string
}

interface Message {
  readonly user?: Entity
  readonly install?: Entity
  readonly auto_install?: boolean
}

interface RedirectData extends Message {
  readonly purchaseData: {
    readonly user: { readonly email: string }
    readonly purchase: { readonly license_id: string }
  }
}

describe('the checkout in a dashboard of WordPress', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  before(async () => {
    app = await startWebApp('web_dashboard')
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    await app.close()
  })

  async function openDashboard(t: TestContext, more: Readonly<Record<string, string>>) {
    const path = (admin: string) =>
      `/?${new URLSearchParams({
        mode: 'dashboard',
        plugin_id: String(app.seller.product.id),
        plan_id: hosted.shop.plans.pro,
        ...hosted.shop.sandbox(),
        return_url: `${admin}/wp-admin/?_wpnonce=1`,
        page: 'my-plugin-pricing',
        ...more,
      })}`
    const opened = await dashboard(t, { browser, app, path })
    await opened.frame.getByLabel('Country').waitFor()
    return opened
  }

  test('it says how high it is as often as that changes, and has no way to close', async (t) => {
    const { page, frame, faults } = await openDashboard(t, {})
    const height = () => page.evaluate("document.getElementById('fs-frame').clientHeight") as Promise<number>
    await page.waitForFunction("document.getElementById('fs-frame').clientHeight !== 800")
    const before = await height()
    await frame.getByLabel('Country').selectOption('US')
    await frame.getByLabel('State').waitFor()
    await page.waitForFunction(`document.getElementById('fs-frame').clientHeight > ${before}`)
    assert.equal(await frame.getByRole('button', { name: 'Close' }).count(), 0)
    await requireReach(t, frame)
    assert.deepEqual(faults, [])
  })

  test('a site that is connected is led back to its dashboard, and what was bought is of it', async (t) => {
    const owner = await createOwner(app, 'site-owner@example.com')
    const site = await createInstallOf(app, owner, { url: 'https://site.example' })
    const context = contextOf(app, site)
    const { page, frame, admin, heard } = await openDashboard(t, context)
    await frame.getByLabel('Country').selectOption('DE')
    await waive(frame)
    await frame.locator('form button.primary').click()
    await page.waitForFunction('window.forwarded')
    assert.equal(await page.evaluate('window.forwarded'), `${admin}/wp-admin/?_wpnonce=1`)
    const told = await heard()
    assert.equal(told.filter(([type]) => type === 'purchaseCompleted').length, 1)
    const bought = told.find(([type]) => type === 'purchaseCompleted')?.[1]
    const { purchase } = bought as { readonly purchase: { readonly install_id: string } }
    assert.equal(purchase.install_id, site.id)
  })

  /** What the SDK tells of a site that is not connected. */
  const siteAt = (url: string) => ({
    plugin_id: String(app.seller.product.id),
    user_email: '',
    site_uid: newUid(),
    site_url: url,
    site_name: 'A shop',
    language: 'de_DE',
    plugin_version: '2.0.1',
    is_premium: '',
    is_active: true,
    is_extensions_tracking_allowed: true,
    return_url: `${url}/wp-admin/?fs_action=activate`,
  })

  async function payAs(frame: Pick<FrameLocator, 'getByLabel' | 'locator'>, email: string | null) {
    if (email !== null) {
      await frame.getByLabel('Email address').fill(email)
      await frame.getByLabel('First name').fill('Ada')
    }
    await frame.getByLabel('Country').selectOption('DE')
    await waive(frame)
    await frame.locator('form button.primary').click()
  }

  const installOf = (uid: string) =>
    app.ctx.db.selectFrom('installs').selectAll().where('uid', '=', uid).executeTakeFirst()

  test('a site that is not connected says who it is once it is paid, and is told its keys', async (t) => {
    const { page, frame, faults } = await openDashboard(t, {})
    const site = siteAt('https://framed.example.org')
    await page.evaluate((told) => Object.assign(globalThis, { site: told }), site)
    await frame.getByText(/^Paying connects localhost:\d+ with First product/).waitFor()
    await payAs(frame, 'framed@example.com')
    await page.waitForFunction('window.connected')
    const heard = (await page.evaluate('window.heard')) as [string, Message][]
    const order = heard.map(([type]) => type).filter((type) => type !== 'track' && type !== 'height')
    assert.deepEqual(order, ['loaded', 'purchaseCompleted', 'get_context', 'install'])
    const { user, install } = heard.findLast(([type]) => type === 'install')?.[1] ?? {}
    assert.ok(user?.id && user.secret_key && user.public_key)
    const made = await installOf(site.site_uid)
    assert.deepEqual([String(made?.id), made?.url], [install?.id, 'https://framed.example.org'])
    assert.ok(made?.license_id, 'with the license that was bought')
    assert.deepEqual(faults, [])
  })

  test('a dashboard that asks for it is told to install the paid build, unless its user may not', async (t) => {
    for (const can_install of ['true', 'false']) {
      const more = { auto_install: 'true', can_install }
      const { page, frame } = await openDashboard(t, more)
      const site = siteAt(`https://installs-${can_install}.example.org`)
      await page.evaluate((told) => Object.assign(globalThis, { site: told }), site)
      await payAs(frame, `installs-${can_install}@example.com`)
      await page.waitForFunction('window.connected')
      const { type, data } = (await page.evaluate('window.connected')) as { type: string; data: Message }
      const isTold = can_install === 'true' ? true : undefined
      assert.deepEqual([type, data.auto_install], ['install', isTold], can_install)
    }

    const owner = await createOwner(app, 'installs-owner@example.com')
    const site = await createInstallOf(app, owner, { url: 'https://installs.example' })
    const asked = { ...contextOf(app, site), auto_install: '1' }
    const { page, frame, admin } = await openDashboard(t, asked)
    await payAs(frame, null)
    await page.waitForFunction('window.forwarded')
    assert.equal(await page.evaluate('window.forwarded'), `${admin}/wp-admin/?_wpnonce=1&auto_install=true`)

    const led = await buyByRedirect(t, { auto_install: 'true' }, 'installs-led@example.com')
    await led.page.waitForURL(/_fs_checkout_data=/)
    assert.equal(dataIn(led.page.url()).data.auto_install, true)
  })

  test('a site of a person who is known waits for the link that is mailed', async (t) => {
    await userOf(app, 'known-framed@example.com')
    const { page, frame } = await openDashboard(t, {})
    await page.evaluate(
      (told) => Object.assign(globalThis, { site: told }),
      siteAt('https://known.example.org'),
    )
    await payAs(frame, 'known-framed@example.com')
    await page.waitForFunction('window.connected')
    const { type, data } = (await page.evaluate('window.connected')) as { type: string; data: object }
    assert.equal(type, 'pending_activation')
    assert.deepEqual(data, { user_email: 'known-framed@example.com', support_email_address: null })
  })

  /** Opens the checkout as the free build does, by a link to it. */
  async function openByRedirect(t: TestContext, more: Readonly<Record<string, string>>) {
    const { address: site, close: stop } = await startSite({
      '/': html(''),
      '/wp-admin/': html('<h1>Dashboard</h1>'),
    })
    const { page, close } = await watched(browser, { origins: [app.address, site] })
    t.after(async () => {
      await close()
      await stop()
    })
    const told = siteAt(site)
    const query = new URLSearchParams({
      mode: 'dashboard',
      plugin_id: String(app.seller.product.id),
      plan_id: hosted.shop.plans.pro,
      ...hosted.shop.sandbox(),
      return_url: `${site}/wp-admin/?_wpnonce=a%2Fb+c`,
      install_data: JSON.stringify(told),
      cancel_url: `${site}/wp-admin/?back=1`,
      _fs_dashboard_independent: '1',
      ...more,
    })
    await page.goto(`${app.address}/?${query}`)
    await page.getByLabel('Country').waitFor()
    return { page, site, told }
  }

  async function buyByRedirect(t: TestContext, more: Readonly<Record<string, string>>, email: string | null) {
    const opened = await openByRedirect(t, more)
    await payAs(opened.page, email)
    return opened
  }

  test('the free build leads to a page that has a way back to its dashboard', async (t) => {
    const { page, site } = await openByRedirect(t, {})
    await page.getByRole('button', { name: 'Back' }).click()
    await page.waitForURL(`${site}/wp-admin/?back=1`)
  })

  const dataIn = (url: string) => {
    const { searchParams } = new URL(url)
    const data = JSON.parse(searchParams.get('_fs_checkout_data') ?? 'null') as RedirectData
    return { action: searchParams.get('_fs_checkout_action'), data }
  }

  test('a site of the free build gets its keys by the address that its dashboard gave', async (t) => {
    const { page, site, told } = await buyByRedirect(t, {}, 'redirected@example.com')
    await page.waitForURL(/\/wp-admin\/\?.*_fs_checkout_data=/)
    assert.ok(page.url().startsWith(`${site}/wp-admin/?_wpnonce=a%2Fb+c&_fs_checkout_action=`), page.url())
    const { action, data } = dataIn(page.url())
    assert.equal(action, 'install')
    assert.equal(data.install?.id, String((await installOf(told.site_uid))?.id))
    assert.equal(data.purchaseData.user.email, 'redirected@example.com')
    assert.ok(data.purchaseData.purchase.license_id)
  })

  test('a person who is known is led back from the free build to wait for the link that is mailed', async (t) => {
    const email = 'known-redirected@example.com'
    await userOf(app, email)
    const { page, site, told } = await buyByRedirect(t, {}, email)
    await page.waitForURL(/\/wp-admin\/\?.*_fs_checkout_data=/)
    assert.equal(new URL(page.url()).origin, site)
    const { action, data } = dataIn(page.url())
    assert.equal(action, 'pending_activation')
    const { purchaseData, ...mailed } = data
    assert.deepEqual(mailed, { user_email: email, support_email_address: null })
    assert.ok(purchaseData.purchase.license_id)
    assert.equal(await installOf(told.site_uid), undefined, 'nobody has proven to be that person')
  })

  test('a connected site of the free build is led back to fetch its license', async (t) => {
    const owner = await createOwner(app, 'redirected-owner@example.com')
    const { address: site, close } = await startSite({
      '/': html(''),
      '/wp-admin/': html('<h1>Dashboard</h1>'),
    })
    t.after(close)
    const install = await createInstallOf(app, owner, { url: site })
    const more = { ...contextOf(app, install), return_url: `${site}/wp-admin/?x=1`, install_data: '' }
    const { page } = await buyByRedirect(t, more, null)
    await page.waitForURL(/\/wp-admin\/\?.*_fs_checkout_data=/)
    const { action, data } = dataIn(page.url())
    assert.deepEqual([action, data.install, data.user], ['sync', undefined, undefined])
    assert.ok(data.purchaseData.purchase.license_id)
  })

  test('an address of another host than the site gets neither buyer nor keys: the license is on the page', async (t) => {
    const more = { return_url: 'https://evil.example.org/' }
    const { page, told } = await buyByRedirect(t, more, 'led-astray@example.com')
    await page.getByText('The license could not be put on your site.').waitFor()
    await page.getByLabel('Your license key').waitFor()
    assert.equal(await installOf(told.site_uid), undefined)
    assert.equal(new URL(page.url()).origin, app.address)
  })

  test('nobody is led to a page of somebody else', async (t) => {
    const owner = await createOwner(app, 'other-owner@example.com')
    const site = await createInstallOf(app, owner, { url: 'https://other-site.example' })
    const context = contextOf(app, site)
    const { page, frame } = await openDashboard(t, { ...context, return_url: 'https://evil.example/' })
    await frame.getByLabel('Country').selectOption('DE')
    await waive(frame)
    await frame.locator('form button.primary').click()
    await frame.getByRole('heading', { name: /Thank you/ }).waitFor()
    assert.equal(await page.evaluate('window.forwarded'), undefined)
  })
})
