// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { money } from '../../web/shared/money.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { press, wide } from './hands.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

/** Pages of what counts live too, each with what changes it. */
const COUNT_LIVE = [
  ['plans', 'Create a plan'],
  ['settings', 'Save changes'],
  ['coupons', 'Create a coupon'],
  ['coupons/1', 'Change'],
  ['customers/1', 'Erase this customer'],
  ['licenses', 'Issue a license'],
  ['licenses', 'Issue from a file'],
  ['versions', 'Upload a version'],
  ['webhooks', 'Add a webhook'],
  ['reviews', 'Write down a review'],
  ['mail-texts/receipt', 'Save changes'],
  ['../products', 'Create a product'],
  ['../stores', 'Open a store'],
  ['../taxes', 'Save changes'],
  ['../bank-accounts', 'Add a bank account'],
  ['../team', 'Invite somebody'],
  ['../tokens', 'Create token'],
] as const

describe('live and sandbox in the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_modes')
  })
  after(() => app.close())

  const band = (page: Page) => page.getByRole('region', { name: 'Test mode' })
  const rows = (page: Page) => page.locator('main tbody tr')

  test('27, 28: the sandbox says so in words with its clock and in the tab; no row is in both, and the switch keeps the page', async (t) => {
    const { page, faults } = await app.at(t, 'licenses', 'Licenses')
    for (const [path, title] of [
      ['licenses', 'Licenses'],
      ['payments', 'Payments'],
      ['subscriptions', 'Subscriptions'],
      ['carts', 'Carts'],
      ['trials', 'Trials'],
      ['events', 'Events'],
    ] as const) {
      await page.goto(`${app.product}/${path}`)
      await rows(page).first().waitFor()
      const live = await linked(page)
      await press(page, 'Test')
      await band(page).getByText(/ UTC/).waitFor()
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.waitForURL(/mode=test/)
      await page.locator(`main a[href*="mode=test"]`).first().waitFor()
      const test = await linked(page)
      assert.ok(live.length > 0 && test.length > 0, path)
      assert.deepEqual(
        test.filter((one) => live.includes(one)),
        [],
        path,
      )
      assert.match(await page.title(), /^Test · /)
    }
    await press(page, 'Live')
    await band(page).waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
    await page.goto(`${app.product}/customers/2`)
    const licenses = page.getByRole('table', { name: 'Licenses' })
    await licenses.waitFor()
    const live = await licenses.innerText()
    await press(page, 'Test')
    await band(page).waitFor()
    await licenses.getByRole('link').first().waitFor()
    assert.notEqual(await licenses.innerText(), live)
    assert.deepEqual(faults, [])
  })

  test('29: nothing live can be written while the band of the sandbox shows', async (t) => {
    const { page, faults } = await app.signedIn(t)
    for (const [path, button] of COUNT_LIVE) {
      await page.goto(`${app.product}/${path}?mode=test`)
      const found = page.getByRole('button', { name: button, exact: true }).first()
      await found.waitFor()
      await band(page).waitFor()
      assert.equal(await found.isDisabled(), true, `${button} at ${path}`)
      await page.getByText('This counts live too. Switch to Live to change it.').first().waitFor()
    }
    await requireAccessibleEverywhere(page, 'tokens in test mode')
    await wide(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('create a coupon')
    await page.getByRole('dialog').getByText('Nothing matches.').waitFor()
    assert.deepEqual(faults, [])
  })

  test('29: what is live opens live, and of the sandbox in test mode, where it can be changed', async (t) => {
    const { page, faults } = await app.signedIn(t)
    await page.goto(`${app.product}/licenses/1?mode=test`)
    await page.waitForURL((url) => !url.search.includes('mode'))
    await band(page).waitFor({ state: 'detached' })
    await page.goto(`${app.product}/licenses/11`)
    await band(page).waitFor()
    await press(page, 'Change')
    await page.getByRole('dialog').getByLabel('Sites').fill('7')
    await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click()
    await page.getByText(/ of 7$/).waitFor()
    assert.deepEqual(faults, [])
  })

  test('29: who switches on the page of one thing is led to the list of the other mode, and back to the thing', async (t) => {
    const { page, faults } = await app.signedIn(t)
    for (const [path, list, from, to] of [
      ['licenses/1', 'Licenses', 'Live', 'Test'],
      ['licenses/11', 'Licenses', 'Test', 'Live'],
      ['payments/5', 'Payments', 'Live', 'Test'],
    ] as const) {
      await page.goto(`${app.product}/${path}`)
      const named = (name: string) => page.getByRole('button', { name, exact: true, pressed: true })
      await named(from).waitFor()
      await page
        .getByRole('button', { name: /^Copy \d/ })
        .first()
        .waitFor()
      await press(page, to)
      await page.getByRole('heading', { level: 1, name: list }).waitFor()
      await named(to).waitFor()
      await rows(page).first().waitFor()
      await page.goBack()
      await page.waitForURL((url) => url.pathname.endsWith(path))
      await named(from).waitFor()
    }
    assert.deepEqual(faults, [])
  })

  test('22: money is written by Intl with the currency of its row, a minus sign and tabular figures', async (t) => {
    const { page, faults } = await app.signedIn(t)
    const answered = page.waitForResponse((one) => one.url().includes('/payments.json?'))
    await page.goto(`${app.product}/payments`)
    const { payments } = (await (await answered).json()) as {
      readonly payments: readonly {
        readonly gross: number
        readonly vat: number
        readonly currency: string
      }[]
    }
    const shown = payments.slice(0, 25)
    await rows(page)
      .nth(shown.length - 1)
      .waitFor()
    const cells = page.locator('main tbody td.at-end .number')
    assert.deepEqual(
      await cells.allInnerTexts(),
      shown.map(({ gross, vat, currency }) =>
        money(Math.round((gross + vat) * 100) / 100, currency, 'en-US'),
      ),
    )
    assert.ok(new Set(shown.map(({ currency }) => currency)).size > 1, 'several currencies')
    assert.match(money(-9.5, 'usd', 'en'), /^−/)
    const figures = await page.evaluate(
      `getComputedStyle(document.querySelector('main tbody .number')).fontVariantNumeric`,
    )
    assert.equal(figures, 'tabular-nums')
    assert.deepEqual(faults, [])
  })

  test('23: a time is relative, exact with UTC on hover and focus; of the sandbox it is that of its clock, which is named', async (t) => {
    const { page, faults } = await app.at(t, 'licenses', 'Licenses')
    await rows(page).first().waitFor()
    const first = rows(page).first()
    const time = first.locator('time')
    assert.match(
      String(await time.getAttribute('title')),
      /\d{2}:\d{2}.* · \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/,
    )
    const beside = () =>
      page.evaluate(`getComputedStyle(document.querySelector('main time'), '::after').content`)
    assert.equal(await beside(), 'none')
    await page.getByRole('searchbox').focus()
    while (!(await first.locator('a:focus').count())) await page.keyboard.press('Tab')
    assert.match(String(await beside()), / UTC/)
    await first.locator('a').press('Enter')
    await page.getByRole('heading', { level: 1, name: /^License #/ }).waitFor()
    const fact = page.locator('.facts time').first()
    await fact.waitFor()
    assert.equal(await fact.getAttribute('tabindex'), '0')
    await page.goto(`${app.product}/events`)
    assert.match(await rows(page).first().locator('time').innerText(), / ago$|^yesterday$|^this minute$/)
    await page.goto(`${app.product}/licenses/11`)
    await band(page).waitFor()
    const kept = page.locator('.facts time').first()
    assert.match(await kept.innerText(), / UTC$/)
    assert.match(String(await kept.getAttribute('title')), BY_CLOCK)
    const { user_id: user } = await app.ctx.db
      .selectFrom('payments')
      .select('user_id')
      .where('product_id', '=', app.demo.productId)
      .where('environment', '=', 1)
      .executeTakeFirstOrThrow()
    await page.goto(`${app.product}/customers/${user}?mode=test`)
    const paid = page.getByRole('table', { name: 'Payments' }).locator('time').first()
    assert.match(String(await paid.getAttribute('title')), BY_CLOCK)
    assert.deepEqual(faults, [])
  })

  test('23: times are told in the zone that is set in the profile, which exports begin with; a name that is none counts as none', async (t) => {
    const { page, faults } = await app.at(t, '../profile', 'Profile')
    const zone = page.getByLabel('Time zone')
    const own = await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone')
    assert.equal(await zone.locator('option:checked').innerText(), `As the browser: ${String(own)}`)
    for (const name of ['Pacific/Auckland', 'UTC']) {
      await Promise.all([page.waitForEvent('load'), zone.selectOption(name)])
      await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
      assert.equal(await zone.inputValue(), name)
      await page.goto(`${app.product}/licenses`)
      await requireTold(page, 'en-US', name)
      await press(page, 'Export')
      assert.equal(await page.getByRole('dialog').getByLabel('Time zone').inputValue(), name)
      await page.goto(app.pathOf('profile'))
    }
    await Promise.all([page.waitForEvent('load'), page.getByLabel('Language').selectOption('Deutsch')])
    assert.equal(await page.getByLabel('Zeitzone').inputValue(), 'UTC')
    await page.goto(`${app.product}/licenses/11`)
    const kept = page.locator('.facts time').first()
    assert.match(String(await kept.getAttribute('title')), / UTC, nach der Uhr der Sandbox$/)
    await app.ctx.database.transaction((db) =>
      db.updateTable('developers').set({ zone: 'Mars/Base' }).execute(),
    )
    await page.goto(`${app.product}/licenses`)
    await requireTold(page, 'de', String(own))
    await page.goto(app.pathOf('profile'))
    assert.equal(await page.getByLabel('Zeitzone').inputValue(), 'Mars/Base')
    assert.deepEqual(faults, [])
  })
})

const BY_CLOCK = / UTC, by the clock of the sandbox$/

/** Where the rows of a list lead, without what stays of the address. */
const linked = async (page: Page): Promise<readonly string[]> =>
  (await page.evaluate(
    `[...document.querySelectorAll('main tbody .names a')].map((one) => one.pathname)`,
  )) as readonly string[]

/** Each time of a list stands there as it is in a zone, exactly and where it is told by its day. */
async function requireTold(page: Page, language: string, zone: string): Promise<void> {
  await page.locator('main tbody time').first().waitFor()
  const times = (await page.evaluate(`(() => {
    const [exact, day] = [{ dateStyle: 'full', timeStyle: 'long' }, { dateStyle: 'medium' }].map(
      (style) => new Intl.DateTimeFormat('${language}', { ...style, timeZone: '${zone}' }))
    return [...document.querySelectorAll('main tbody time')].map(({ dateTime, title, innerText }) => {
      const moment = new Date(dateTime)
      return { title, exact: exact.format(moment), text: innerText, day: day.format(moment) }
    })
  })()`)) as readonly Readonly<Record<'title' | 'exact' | 'text' | 'day', string>>[]
  assert.ok(times.length > 5)
  for (const { title, exact, text, day } of times) {
    assert.equal(title.split(' · ')[0], exact)
    if (/\d{4}/.test(text)) assert.equal(text, day)
  }
}
