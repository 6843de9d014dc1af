// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import type { Browser, Frame, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { createInstallOf, createOwner } from '../installs.ts'
import { mailsTo } from '../mails.ts'
import { contextOf } from '../site-context.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { dashboard, requireReach } from './dashboard.ts'
import { requireAccessible, requireAccessibleEverywhere, watched } from './watched.ts'

const SUPPORT = 'help@shop.example'
const HOSTILE = '<img src=x onerror="document.title=1"></textarea><script>throw 1</script>\u202Eabc'

describe('the contact page', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  before(async () => {
    app = await startWebApp('web_contact')
    browser = await sharedBrowser()
    await supportIs(SUPPORT)
  })
  after(async () => {
    await app.close()
  })

  const supportIs = (support_email: string | null) =>
    app.call('PUT', `/products/${app.seller.product.id}/settings.json`, {
      body: { setting_type: 7, data: JSON.stringify({ support_email }) },
    })

  const queryOf = (more: Readonly<Record<string, string>> = {}) =>
    new URLSearchParams({
      plugin_id: String(app.seller.product.id),
      plugin_public_key: app.seller.product.publicKey,
      plugin_version: '1.2.3',
      site_url: 'https://site.example/blog',
      ...more,
    })

  async function open(t: TestContext, more: Readonly<Record<string, string>> = {}, options: object = {}) {
    const opened = await watched(browser, { origins: [app.address], ...options })
    t.after(opened.close)
    await opened.page.goto(`${app.address}/contact/?${queryOf(more)}`)
    await opened.page.locator('h1').waitFor()
    return opened
  }

  async function write(place: Page | Frame, message = 'It does not start.') {
    await place.getByLabel('Name').fill('Ada')
    await place.getByLabel('Email address').fill('ada@example.org')
    await place.getByLabel('Message').fill(message)
    await place.getByRole('button', { name: 'Send message' }).click()
  }

  const sent = (place: Page | Frame) =>
    place.getByRole('heading', { name: 'Your message was sent' }).waitFor()

  test('what is written is mailed to the support of the product, with the site that proves itself', async (t) => {
    const site = await createInstallOf(app, await createOwner(app))
    const proof = contextOf(app, site, { word: 'contact' })
    const { page, faults } = await open(t, { ...proof, topic: 'bug', summary: 'White page' })
    assert.equal(await page.getByLabel('Topic').inputValue(), 'bug')
    await write(page, 'One\nTwo')
    await sent(page)
    await page.getByText('answers to ada@example.org').waitFor()
    const [mail] = (await mailsTo(app, SUPPORT)) as unknown as { text: string; replyTo: object }[]
    assert.deepEqual(mail?.replyTo, { name: 'Ada', address: 'ada@example.org' })
    for (const part of ['White page | One | Two | Version: 1.2.3', 'Bug report', 'https://site.example/blog'])
      assert.ok(mail?.text.includes(part), `${part} in ${mail?.text}`)
    assert.match(mail?.text ?? '', new RegExp(`install: ${site.id}`))
    await page.getByRole('button', { name: 'Write another message' }).click()
    assert.equal(await page.getByLabel('Email address').inputValue(), 'ada@example.org')
    assert.equal(await page.getByLabel('Message').inputValue(), '')
    assert.deepEqual(faults, [])
  })

  test('what is missing is marked and has the focus', async (t) => {
    const { page } = await open(t)
    await page.getByRole('button', { name: 'Send message' }).click()
    const email = page.getByLabel('Email address')
    await page.locator('[name=email][aria-invalid=true]:focus').waitFor()
    await page.getByText('Something is missing').waitFor()
    await email.fill('ada')
    await page.getByLabel('Message').fill('x')
    await page.getByRole('button', { name: 'Send message' }).click()
    await page.getByText('This is not an email address.').waitFor()
    await requireAccessible(page, 'with errors')
  })

  test('all that was typed stays after a refusal, which says why', async (t) => {
    const { page } = await open(t, { plugin_public_key: 'pk_other' })
    await write(page, 'Kept whole')
    await page.getByRole('alert').getByText('belongs to another version').waitFor()
    const typed = async () => [
      await page.getByLabel('Name').inputValue(),
      await page.getByLabel('Email address').inputValue(),
      await page.getByLabel('Message').inputValue(),
    ]
    assert.deepEqual(await typed(), ['Ada', 'ada@example.org', 'Kept whole'])
    for (const [status, code, said] of [
      [429, 'too_many_requests', 'Too many messages'],
      [400, 'no_support_address', 'Nobody reads messages'],
      [500, 'internal', 'was not sent'],
    ] as const) {
      await page.route('**/v1/contact.json', (route) =>
        route.fulfill({ status, headers: { 'retry-after': '3600' }, json: { error: { code } } }),
      )
      await page.getByRole('button', { name: 'Send message' }).click()
      await page.getByRole('alert').getByText(said).waitFor()
      assert.deepEqual(await typed(), ['Ada', 'ada@example.org', 'Kept whole'])
      await page.unrouteAll()
    }
  })

  test('a message whose answer was lost is sent again, and mailed once', async (t) => {
    const { page } = await open(t)
    const count = (await mailsTo(app, SUPPORT)).length
    let tries = 0
    await page.route('**/v1/contact.json', async (route) => {
      if (tries++ > 0) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await write(page)
    await sent(page)
    assert.equal(tries, 2)
    assert.equal((await mailsTo(app, SUPPORT)).length, count + 1)
  })

  test('what comes with the address is text and nothing else', async (t) => {
    const hostile = { topic: HOSTILE, message: HOSTILE, summary: HOSTILE, site_url: HOSTILE }
    const { page, faults } = await open(t, { ...hostile, is_standalone: 'true', parent_url: 'javascript:1' })
    assert.equal(await page.getByLabel('Message').inputValue(), HOSTILE)
    assert.equal(await page.locator('img[src=x]').count(), 0)
    assert.equal(await page.getByRole('link').count(), 0)
    assert.deepEqual(faults, [])
  })

  test('a page in a tab of its own leads back to where it was opened', async (t) => {
    const parent = 'https://site.example/wp-admin/?page=x'
    const { page } = await open(t, { is_standalone: 'true', parent_url: parent })
    const link = page.getByRole('link', { name: 'Back to site.example' })
    assert.equal(await link.getAttribute('href'), parent)
    const { page: framed } = await open(t, { parent_url: parent })
    assert.equal(await framed.getByRole('link').count(), 0)
  })

  test('a dashboard hears how high it is, as often as that changes, and nothing else', async (t) => {
    const { page, frame, faults, heard } = await dashboard(t, {
      browser,
      app,
      path: `/contact/?${queryOf()}`,
    })
    await frame.getByLabel('Message').waitFor()
    const height = () => page.evaluate("document.getElementById('fs-frame').clientHeight") as Promise<number>
    await page.waitForFunction("document.getElementById('fs-frame').clientHeight !== 800")
    const before = await height()
    await frame.getByRole('button', { name: 'Send message' }).click()
    await page.waitForFunction(`document.getElementById('fs-frame').clientHeight > ${before}`)
    await requireReach(t, frame)
    assert.deepEqual(new Set((await heard()).map(([type]) => type)), new Set(['height']))
    assert.deepEqual(faults, [])
  })

  test('it speaks the language of the address, else of the browser', async (t) => {
    const { page } = await open(t, {}, { locale: 'de-DE' })
    await page.getByRole('heading', { name: 'Kontakt zu First product' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de-DE')
    const { page: other } = await open(t, { locale: 'en_US' }, { locale: 'de-DE' })
    await other.getByRole('heading', { name: 'Contact First product' }).waitFor()
  })

  test('it is accessible in light and dark, at 1280, 375 and 320 pixels, before and after', async (t) => {
    const { page, faults } = await open(t, { is_standalone: '1', parent_url: 'https://site.example/' })
    await requireAccessibleEverywhere(page, 'the form')
    await write(page)
    await sent(page)
    await requireAccessibleEverywhere(page, 'sent')
    assert.deepEqual(faults, [])
  })

  test('a product that is not there is said to be none', async (t) => {
    const { page, faults } = await open(t, { plugin_id: '987654' })
    await page.getByRole('heading', { name: 'There is no such product' }).waitFor()
    await requireAccessible(page, 'no product')
    assert.deepEqual(faults, [])
  })

  test('any page may hold it in a frame, unless the seller says whose', async () => {
    const policy = async () => {
      const { headers } = await fetch(`${app.address}/contact/?${queryOf()}`)
      assert.equal(headers.get('x-frame-options'), null)
      return headers.get('content-security-policy') ?? ''
    }
    assert.match(await policy(), /frame-ancestors \*$/)
    assert.doesNotMatch(await policy(), /unsafe/)
    const data = JSON.stringify({ support_email: SUPPORT, embed_hosts: ['site.example'] })
    await app.call('PUT', `/products/${app.seller.product.id}/settings.json`, {
      body: { setting_type: 7, data },
    })
    assert.match(await policy(), /frame-ancestors 'self' site\.example$/)
  })
})
