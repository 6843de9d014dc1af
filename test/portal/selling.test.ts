// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test, type TestContext as T } from 'node:test'
import type { Locator } from 'playwright-core'
import { PORTAL_PARTS, type PortalPart } from '../../src/access/portal-parts.ts'
import { systemScope } from '../../src/access/scope.ts'
import { writeSetting } from '../../src/catalogue/products/settings.ts'
import { transaction } from '../../src/context.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { cookieOf, startBuyerApp, type BuyerApp } from './buyer.ts'

/** What buyers press on each page for what can be switched off. */
const ACTS: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  home: [/^Invoice/, /^Send by e-mail/, /Copy/],
  license: [
    'Change plan',
    'Replace key',
    /^Deactivate/,
    'Offline file',
    'Add an address',
    /^Download version/,
    /Copy/,
  ],
  subscription: ['Cancel subscription', 'Change payment method'],
  profile: ['Save', 'Download my data', 'Erase me'],
}

const SHOP = 'https://shop.example.com'
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="24"><rect width="60" height="24"/></svg>'

describe('what a seller says of the portal', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: BuyerApp
  before(async () => {
    app = await startBuyerApp('portal_selling')
    await say(7, { support_email: 'help@example.com' })
  })
  beforeEach(() => say(8, { portal_off: [] }))
  after(() => app.close())

  /** Of every product of the seller, as what is about a person is off in all of them. */
  async function say(setting_type: 7 | 8, data: object): Promise<void> {
    const products = await app.ctx.db.selectFrom('products').select(['id', 'developer_id']).execute()
    await transaction(app.ctx, async (tx) => {
      for (const { id: productId, developer_id: developerId } of products)
        await writeSetting(tx, systemScope({ developerId, productId }), {
          setting_type,
          data: JSON.stringify(data),
        })
    })
  }

  const pages = () =>
    Object.entries({
      home: `${app.productId}`,
      license: `${app.productId}/licenses/${app.bought.license_id}`,
      subscription: `${app.productId}/subscriptions/${app.bought.id}`,
      profile: 'profile',
    })

  /** Whose payments have their documents here. */
  const payer = () =>
    app.ctx.db
      .selectFrom('payments')
      .innerJoin('users', 'users.id', 'payments.user_id')
      .select(['users.id', 'users.email'])
      .where('payments.product_id', '=', app.productId)
      .where('payments.type', '=', 'payment')
      .where('payments.gateway', 'is not', null)
      .orderBy('payments.id')
      .executeTakeFirstOrThrow()

  test('what can be off is on its page while nothing is', async (t) => {
    const { page, faults } = await app.entered(t, { path: null })
    for (const [name, path] of pages()) {
      const { page: at } = name === 'home' ? await app.entered(t, { user: await payer() }) : { page }
      if (name !== 'home') await at.goto(app.pathOf(path))
      for (const act of ACTS[name] ?? [])
        await at
          .getByRole('button', { name: act })
          .or(at.getByRole('link', { name: act }))
          .first()
          .waitFor()
    }
    assert.deepEqual(faults, [])
  })

  test('what is off is on no page, and what the law gives is asked for by mail', async (t) => {
    await say(8, { portal_off: PORTAL_PARTS })
    const { page, faults } = await app.entered(t, { path: null })
    for (const [name, path] of pages()) {
      await page.goto(app.pathOf(path))
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
      for (const act of ACTS[name] ?? []) {
        const found = page.getByRole('button', { name: act }).or(page.getByRole('link', { name: act }))
        assert.equal(await found.count(), 0, `${name}: ${String(act)}`)
      }
      await page.setViewportSize({ width: 1280, height: 800 })
      await requireAccessibleEverywhere(page, `${name}, with everything off`)
    }
    await page.getByText('To have what is stored of you erased, write to help@example.com.').waitFor()
    const { page: paid } = await app.entered(t, { user: await payer() })
    await paid.getByRole('table', { name: 'Payments' }).getByText('Paid', { exact: true }).first().waitFor()
    for (const act of ACTS['home'] ?? [])
      assert.equal(
        await paid
          .getByRole('button', { name: act })
          .or(paid.getByRole('link', { name: act }))
          .count(),
        0,
      )
    await page.goto(app.pathOf(`${app.productId}/subscriptions/${app.bought.id}`))
    await page.getByText('To cancel this subscription, write to help@example.com.').waitFor()
    assert.deepEqual(faults, [])
  })

  test('what is switched off while its button is in view is refused with whom to write to, and the buyer stays in', async (t) => {
    const { page, faults, allows } = await app.entered(t, {
      path: `${app.productId}/licenses/${app.bought.license_id}`,
    })
    allows('401 /key.json')
    await page.getByRole('button', { name: 'Replace key' }).click()
    const off: readonly PortalPart[] = ['rotate_key']
    await say(8, { portal_off: off })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Replace key' }).click()
    await dialog.getByRole('alert').getByText('Write to help@example.com.').waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: /^License/ }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Replace key' }).count(), 0)
    assert.deepEqual(faults, [])
  })

  test('colour, greeting and help are the seller’s where one asks for a link and on the pages of the product', async (t) => {
    // White can be read on the first, and black alone on the second.
    for (const [accent, text] of [
      ['#0f766e', 'rgb(255, 255, 255)'],
      ['#e8a200', 'rgb(0, 0, 0)'],
    ] as const) {
      await say(7, { checkout_accent: accent })
      await say(8, { portal_greeting_en: 'Welcome <b>back</b>.', portal_help_de: 'Werktags.' })
      const { page, faults } = await app.page(t)
      await page.goto(app.pathOf(`?product_id=${app.productId}`))
      await page.getByText('Welcome <b>back</b>.').waitFor()
      await page.getByText('Werktags.').waitFor()
      const act = page.getByRole('button', { name: 'Mail me a link' })
      assert.equal(await colourOf(act), text)
      await requireAccessibleEverywhere(page, `Ask in ${accent}`)
      assert.deepEqual(faults, [])
    }
    const { page, faults } = await app.entered(t)
    await page.getByText('Welcome <b>back</b>.').waitFor()
    await page.goto(app.pathOf(`${app.productId}/licenses/${app.bought.license_id}`))
    await page
      .getByRole('link', { name: /^Download version/ })
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Write to help@example.com' }).waitFor()
    await requireAccessibleEverywhere(page, 'a license in the colour of the seller')
    await page.goto(app.pathOf('profile'))
    const save = page.getByRole('button', { name: 'Save' }).first()
    assert.equal(await colourOf(save), 'rgb(255, 255, 255)')
    await say(7, { checkout_accent: null })
    assert.deepEqual(faults, [])
  })

  test('the logo of the seller is where one asks for a link and above the pages of the product', async (t) => {
    await say(7, { checkout_logo_url: `${SHOP}/logo.svg` })
    t.after(() => say(7, { checkout_logo_url: null }))
    const { page, faults } = await app.page(t, [SHOP])
    await page
      .context()
      .route(`${SHOP}/**`, (route) => route.fulfill({ contentType: 'image/svg+xml', body: LOGO }))
    const logo = page.locator(`img[src="${SHOP}/logo.svg"]`)
    const { user_id: id, email } = app.bought
    const cookie = await cookieOf(app.linkOf({ id, email }), app.address)
    for (const path of [`?product_id=${app.productId}`, `${app.productId}`]) {
      await page.goto(app.pathOf(path))
      await logo.first().waitFor()
      assert.ok((await logo.first().boundingBox())?.width, path)
      await page.context().addCookies([cookie])
    }
    assert.deepEqual(faults, [])
  })

  test('a page of another site that the product names holds the portal, where a buyer comes in by a link and acts; any other does not', async (t) => {
    const shop = await shopOf(t)
    const link = app.linkOf({ id: app.bought.user_id, email: app.bought.email })
    const { page } = await app.page(t, [shop.address])
    const frame = page.frameLocator('iframe')
    const enter = frame.getByRole('button', { name: 'Continue' })
    await page.goto(shop.pageOf(link))
    await page.locator('iframe').waitFor()
    const blocked = await page
      .frames()[1]
      ?.evaluate('document.body?.innerText ?? ""')
      .catch(() => '')
    assert.doesNotMatch(String(blocked), /Log in/)
    await say(8, { portal_embed_hosts: [new URL(shop.address).host] })
    await page.goto(shop.pageOf(link))
    await enter.click()
    await frame.getByRole('heading', { level: 1, name: 'Aurora Forms' }).waitFor()
    await frame.getByRole('link', { name: 'Professional' }).first().click()
    await frame.getByRole('button', { name: 'Add an address' }).click()
    const dialog = frame.getByRole('dialog')
    await dialog.getByLabel('Address').fill('framed.example.com')
    await dialog.getByRole('button', { name: 'Add an address' }).click()
    await frame.getByRole('cell', { name: 'framed.example.com', exact: true }).waitFor()
    // Neither a tab of its own nor another site that holds the portal is in by this visit.
    const other = page.context()
    const tab = await other.newPage()
    await tab.goto(app.pathOf(`?product_id=${app.productId}`))
    await tab.getByRole('heading', { level: 1, name: 'Your purchases' }).waitFor()
    await page.goto(shop.pageOf(app.pathOf(`?product_id=${app.productId}`)))
    await frame.getByRole('heading', { level: 1, name: 'Aurora Forms' }).waitFor()
    await say(8, { portal_embed_hosts: [] })
  })
})

interface Styles {
  getComputedStyle(of: unknown): { readonly color: string }
}

/** The colour of what stands on something. */
const colourOf = (shown: Locator): Promise<string> =>
  shown.evaluate((one) => (globalThis as unknown as Styles).getComputedStyle(one).color)

/** A page of another site with the portal in a frame: a browser takes the two names of this machine for two sites. */
async function shopOf(t: T) {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const address = searchParams.get('shows') ?? ''
    response.setHeader('content-type', 'text/html')
    response.end(
      `<!doctype html><html lang="en"><title>Shop</title><iframe title="Portal" width="1000" height="700" src="${address}"></iframe>`,
    )
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = `http://localhost:${(server.address() as AddressInfo).port}`
  return { address, pageOf: (shown: string) => `${address}/?shows=${encodeURIComponent(shown)}` }
}
