// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext as T } from 'node:test'
import type { Page, Response } from 'playwright-core'
import { transaction } from '../../src/context.ts'
import { systemScope } from '../../src/access/scope.ts'
import { createWebhook } from '../../src/events/listeners/service.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

/** More than the interface lists at a time. */
const WEBHOOKS = 60

interface Row {
  readonly id: string
  readonly created: string
}

interface Sorted {
  /** After the account; `{product}` is that of the demo. */
  readonly path: string
  readonly title: string
  readonly asks: string
  /** The name of the rows in the reply. */
  readonly items?: string
  /** Its orders by the words of the page, and what they are by. */
  readonly orders: Readonly<Record<string, (one: Row, other: Row) => number>>
  readonly hasNoSpan?: true
}

const byId = (one: Row, other: Row) => Number(one.id) - Number(other.id)
const AGES = { 'Oldest first': byId, 'Newest first': (one: Row, other: Row) => byId(other, one) }

/** The text of a field, whatever its case. */
const by =
  (field: string, way: 1 | -1 = 1) =>
  (one: Row, other: Row): number => {
    const [a, b] = [one, other].map((row) =>
      String((row as unknown as Record<string, string>)[field]).toLowerCase(),
    )
    return (a ?? '') < (b ?? '') ? -way : (a ?? '') > (b ?? '') ? way : 0
  }

const TITLES = { ...AGES, 'Title, A to Z': by('title'), 'Title, Z to A': by('title', -1) }

const LISTS: Readonly<Record<string, Sorted>> = {
  disputes: { path: '{product}/disputes', title: 'Disputes', asks: 'disputes', orders: AGES },
  'disputes of all products': { path: 'disputes', title: 'Disputes', asks: 'disputes', orders: AGES },
  reviews: { path: '{product}/reviews', title: 'Reviews', asks: 'reviews', orders: AGES },
  'mails of the sandbox': { path: '{product}/mails?mode=test', title: 'Mails', asks: 'mails', orders: AGES },
  webhooks: { path: '{product}/webhooks', title: 'Webhooks', asks: 'webhooks', orders: AGES },
  deliveries: {
    path: '{product}/webhooks/deliveries',
    title: 'Deliveries',
    asks: 'deliveries',
    orders: AGES,
  },
  products: { path: 'products', title: 'Products', asks: 'products', items: 'plugins', orders: TITLES },
  stores: { path: 'stores', title: 'Stores', asks: 'stores', orders: TITLES },
  coupons: {
    path: '{product}/coupons',
    title: 'Coupons',
    asks: 'coupons',
    orders: { ...AGES, 'Code, A to Z': by('code'), 'Code, Z to A': by('code', -1) },
    hasNoSpan: true,
  },
}

describe('the order, the days and the total of lists', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_sorted')
    const { developerId, productId } = app.demo
    for (let n = 1; n <= WEBHOOKS; n++) {
      const input = { url: `https://hooks${n}.example.com/`, types: 'affiliate.created', is_active: false }
      await transaction(app.ctx, (tx) => createWebhook(tx, systemScope({ developerId, productId }), input))
    }
  })
  after(() => app.close())

  async function open(t: T, { path, title }: Pick<Sorted, 'path' | 'title'>) {
    const opened = await app.signedIn(t)
    await opened.page.goto(app.pathOf(path.replace('{product}', String(app.demo.productId))))
    await opened.page.getByRole('heading', { level: 1, name: title }).waitFor()
    await opened.page.getByRole('navigation', { name: /^1–/ }).waitFor()
    return opened
  }

  /** What a list is answered whose address has these parts, while something is done. */
  async function answered(page: Page, list: Sorted, parts: readonly string[], work: () => Promise<unknown>) {
    const isIt = (response: Response) => {
      const { pathname, search } = new URL(response.url())
      return pathname.endsWith(`/${list.asks}.json`) && parts.every((part) => search.includes(part))
    }
    const [response] = await Promise.all([page.waitForResponse(isIt), work()])
    const all = ((await response.json()) as Record<string, readonly Row[]>)[list.items ?? list.asks] ?? []
    return all.slice(0, 25)
  }

  for (const [name, list] of Object.entries(LISTS)) {
    test(`2: ${name} are in the order that is chosen, of the days that are chosen, by their address, and say how many there are`, async (t) => {
      const { page, faults } = await open(t, list)
      const rows = page.locator('tbody tr')
      const order = page.getByLabel('Order')
      const [first, ...others] = Object.entries(list.orders)
      assert.ok(first)
      for (const [label, compare] of [first, ...others]) {
        const value = String(await order.locator('option', { hasText: label }).getAttribute('value'))
        // What was asked for by the same address is kept.
        const parts = value === '' ? [] : [`sort=${value}`]
        if (value === '') {
          await order.selectOption({ label })
          await page.waitForURL((url) => !url.searchParams.has('sort'))
          continue
        }
        const found = await answered(page, list, parts, () => order.selectOption({ label }))
        assert.deepEqual(found, found.toSorted(compare), label)
        await page.waitForURL((url) => url.searchParams.get('sort') === value)
        await page.getByRole('navigation', { name: `1–${found.length}`, exact: true }).waitFor()
        assert.equal(await rows.count(), found.length)
      }
      await order.selectOption({ label: first[0] })
      const total = await page
        .locator('.paging')
        .getByText(/^1–\d+ of \d+$/)
        .textContent()
      const again = await answered(page, list, ['sort=id'], () => page.reload())
      assert.equal(await order.inputValue(), 'id')
      assert.deepEqual(again, again.toSorted(byId))
      assert.equal(
        await page
          .locator('.paging')
          .getByText(/^1–\d+ of \d+$/)
          .textContent(),
        total,
      )
      if (!list.hasNoSpan) await requireSpan(page, list, again)
      await requireAccessibleEverywhere(page, name)
      assert.deepEqual(faults, [])
    })
  }

  /** Narrowed to the day of its oldest row, a list has the rows of that one, says how many, and does so when it is loaded anew. */
  async function requireSpan(page: Page, list: Sorted, all: readonly Row[]) {
    const day = all[0]?.created.slice(0, 10) ?? ''
    const parts = [`to=${day}`, `from=${day}`]
    await answered(page, list, [`from=${day}`], () => page.getByLabel('From').fill(day))
    const found = await answered(page, list, parts, () => page.getByLabel('To', { exact: true }).fill(day))
    assert.ok(found.length > 0)
    for (const { created } of found) assert.equal(created.slice(0, 10), day)
    await page
      .locator('.paging')
      .getByText(new RegExp(`^1–${found.length} of \\d+$`))
      .waitFor()
    const again = await answered(page, list, parts, () => page.reload())
    assert.deepEqual(again, found)
    await page
      .locator('.paging')
      .getByText(new RegExp(`^1–${found.length} of \\d+$`))
      .waitFor()
  }

  test('2: a list of more than a page says how many there are on its first page', async (t) => {
    const { page, faults } = await open(t, { path: '{product}/webhooks', title: 'Webhooks' })
    await page
      .locator('.paging')
      .getByText(`1–25 of ${WEBHOOKS + 1}`)
      .waitFor()
    assert.deepEqual(faults, [])
  })

  test('a webhook is called by its host in deliveries, however many came after it', async (t) => {
    const { page, faults } = await open(t, { path: '{product}/webhooks/deliveries', title: 'Deliveries' })
    await page.locator('tbody tr').first().getByText('hooks.shop.example.com').waitFor()
    assert.deepEqual(faults, [])
  })
})
