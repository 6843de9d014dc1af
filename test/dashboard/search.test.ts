// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext as T } from 'node:test'
import type { Page } from 'playwright-core'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere, shown } from '../web/watched.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

describe('finding something in the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_search')
  })
  after(async () => {
    await app.close()
  })

  const events = (t: T) => app.at(t, 'events', 'Events')
  const box = (page: Page) => page.getByRole('combobox', { name: /^ID, email address/ })
  const found = (page: Page) => page.getByRole('listbox').getByRole('option')
  const find = async (page: Page, text: string) => {
    await page.keyboard.press('Control+k')
    await box(page).fill(text)
    await found(page).first().waitFor()
    await shown(page, '[role=dialog]')
  }

  test('1: Ctrl-K and ⌘K open it from anywhere, also in a field, and Escape gives the focus back', async (t) => {
    const { page } = await events(t)
    const link = page.getByRole('link', { name: 'Payments' })
    await link.focus()
    await page.keyboard.press('Control+k')
    await box(page).waitFor()
    await page.keyboard.press('Escape')
    await box(page).waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Payments')
    await page.goto(`${app.product}/licenses`)
    const field = page.getByRole('searchbox')
    await field.focus()
    await page.keyboard.press('Meta+k')
    await box(page).waitFor()
    await page.keyboard.press('Escape')
    await box(page).waitFor({ state: 'detached' })
    await field.and(page.locator(':focus')).waitFor()
  })

  test('2: the beginning of an address and Enter open the customer', async (t) => {
    const { page, faults } = await events(t)
    await find(page, 'amara.oka')
    await requireAccessibleEverywhere(page, 'search')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Amara Okafor' }).waitFor()
    assert.doesNotMatch(page.url(), /amara/, 'no address of a customer stands in an address')
    assert.deepEqual(faults, [])
  })

  test('2, 15: a whole license key opens its license, and stands in no address', async (t) => {
    const { page } = await events(t)
    const own = await fetch(
      `${app.address}/v1/developers/${app.demo.developerId}/products/${app.demo.productId}/licenses/1.json`,
      {
        headers: { cookie: `keywright_session=${app.session}` },
      },
    )
    const { secret_key: key } = (await own.json()) as { readonly secret_key: string }
    await find(page, key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'License #1' }).waitFor()
    assert.ok(!page.url().includes(key))
  })

  test('arrows choose among several, and a click opens', async (t) => {
    const { page } = await events(t)
    await find(page, '1')
    const options = found(page)
    assert.equal(await options.first().getAttribute('aria-selected'), 'true')
    await page.keyboard.press('ArrowDown')
    await page.locator('#found-1[aria-selected=true]').waitFor()
    await options.filter({ hasText: 'License' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'License #1' }).waitFor()
  })

  test('the id of a request opens what it did in the audit log', async (t) => {
    const { page } = await events(t)
    const id = await page.evaluate(`(async () => {
      const own = '/v1/developers/${app.demo.developerId}'
      const { csrf_token: token } = await (await fetch('/v1/session.json')).json()
      const headers = { 'content-type': 'application/json', 'x-keywright-csrf': token }
      const path = own + '/products/${app.demo.productId}/users/1/note.json'
      const reply = await fetch(path, { method: 'POST', headers, body: '{"note":"Called"}' })
      return reply.headers.get('x-request-id')
    })()`)
    await find(page, String(id))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    await page.getByRole('table').getByText('keywright/create-note-of-user').waitFor()
  })

  test('the palette creates: what is chosen opens its page with the form', async (t) => {
    const { page, faults } = await events(t)
    await find(page, 'new coupon')
    await requireAccessibleEverywhere(page, 'creating')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Create a coupon' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1, name: 'Coupons' }).waitFor()
    assert.doesNotMatch(page.url(), /#/)
    assert.deepEqual(faults, [])
  })

  test('3: / focuses the filter, g l, g c and g e go to lists, c creates, ? lists them, each can be switched off, and none fires in a field', async (t) => {
    const { page, faults } = await events(t)
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
    for (const [key, title] of [
      ['l', 'Licenses'],
      ['c', 'Customers'],
      ['e', 'Events'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await heading(title)
    }
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await heading('Licenses')
    await page.keyboard.press('/')
    const filter = page.getByRole('searchbox')
    assert.ok(await filter.evaluate('document.activeElement.type === "search"'))
    await page.keyboard.type('gc?/c')
    assert.equal(await filter.inputValue(), 'gc?/c')
    assert.equal(await page.getByRole('dialog').count(), 0)
    await heading('Licenses')
    await filter.fill('')
    await filter.blur()
    await page.keyboard.press('c')
    const form = page.getByRole('dialog', { name: 'Issue a license' })
    await form.waitFor()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })

    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard' })
    await requireAccessibleEverywhere(page, 'keyboard')
    await list.getByRole('checkbox', { name: 'Create something here' }).uncheck()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.reload()
    await heading('Licenses')
    await page.keyboard.press('c')
    await page.keyboard.press('?')
    await list.waitFor()
    assert.equal(await form.count(), 0)
    assert.ok(!(await list.getByRole('checkbox', { name: 'Create something here' }).isChecked()))
    assert.deepEqual(faults, [])
  })

  test('what nothing has is told', async (t) => {
    const { page } = await events(t)
    await page.keyboard.press('Control+k')
    await box(page).fill('nobody-has-this')
    await page.getByRole('dialog').getByText('Nothing matches.').waitFor()
  })
})
