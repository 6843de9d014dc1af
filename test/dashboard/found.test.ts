// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { KINDS } from '../../src/sales/search/schema.ts'
import { en } from '../../web/dashboard/texts/en.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere, shown } from '../web/watched.ts'
import { PAGES } from './every-page.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

type Kind = (typeof KINDS)[number]

/** The page of each kind; what has none of its own stands on that of its product. */
const PAGE_OF = {
  license: 'License',
  user: 'Customer',
  payment: 'Payment',
  subscription: 'Subscription',
  install: 'Install',
  trial: 'Trial',
  cart: 'Cart',
  coupon: 'Coupon',
  event: 'Event',
  product: 'Plans',
  store: 'Store',
  plan: 'Plans',
  pricing: 'Plans',
  deployment: 'Version',
  review: 'Review',
  webhook: 'Webhook',
  request: 'Audit',
} as const satisfies Record<Kind, keyof typeof PAGES>

/** Milliseconds from what is pasted to the title of its page. */
const MOST_MS = 500

/** Pastes, chooses, and waits for the title, by the page itself: what a test does beside it would be counted too. */
const pasted = (text: string, word: string, title: RegExp) => `(async () => {
  const until = (find) =>
    new Promise((resolve) => {
      const look = () => {
        const found = find()
        if (found === undefined) return
        changes.disconnect()
        resolve(found)
      }
      const changes = new MutationObserver(look)
      changes.observe(document.body, { childList: true, subtree: true, characterData: true })
      look()
    })
  const all = (selector) => [...document.querySelectorAll(selector)]
  const isOfKind = (one) => [...one.querySelectorAll('.state')].some((of) => of.textContent === '${word}')
  document.querySelector('[role=combobox]').focus()
  document.execCommand('insertText', false, ${JSON.stringify(text)})
  const option = await until(() => all('[role=option]').find(isOfKind))
  option.click()
  await until(() => all('h1').find((one) => ${title}.test(one.textContent)))
})()`

describe('what is pasted into the palette', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_found')
  })
  after(async () => {
    await app.close()
  })

  const box = (page: Page) => page.getByRole('combobox', { name: /^ID, email address/ })
  const band = (page: Page) => page.getByRole('region', { name: 'Test mode' })
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
  const optionOf = (page: Page, kind: Kind) =>
    page.getByRole('option').filter({ has: page.getByText(en.kinds[kind], { exact: true }) })

  /** What the seller is told of something of its product. */
  async function told(path: string, name: string): Promise<string> {
    const { developerId, productId } = app.demo
    const own = `${app.address}/v1/developers/${developerId}/products/${productId}`
    const reply = await fetch(`${own}/${path}.json`, {
      headers: { cookie: `keywright_session=${app.session}` },
    })
    return ((await reply.json()) as Readonly<Record<string, string>>)[name] ?? assert.fail(path)
  }

  /** Something of each kind by its number, and by the other texts that people have of it. */
  async function everything(): Promise<(readonly [kind: Kind, text: string, title?: RegExp])[]> {
    const { db } = app.ctx
    const plan = await db.selectFrom('plans').select('id').executeTakeFirstOrThrow()
    const pricing = await db.selectFrom('pricing').select('id').executeTakeFirstOrThrow()
    const ofGateway = (table: 'payments' | 'subscriptions') =>
      db
        .selectFrom(table)
        .select('external_id')
        .where('external_id', 'is not', null)
        .executeTakeFirstOrThrow()
    const { request_id: request } = await db
      .selectFrom('audit_log')
      .select('request_id')
      .where('request_id', 'is not', null)
      .executeTakeFirstOrThrow()
    const numbers: Partial<Record<Kind, number>> = {
      product: app.demo.productId,
      plan: plan.id,
      pricing: pricing.id,
    }
    const byNumber = KINDS.filter((kind) => kind !== 'request').map((kind) => {
      const [, number] = /\/(\d+)$/.exec(PAGES[PAGE_OF[kind]]?.path ?? '') ?? []
      return [kind, String(numbers[kind] ?? number ?? assert.fail(kind))] as const
    })
    return [
      ...byNumber,
      ['license', await told('licenses/1', 'secret_key')],
      ['user', await told('users/1', 'email')],
      ['install', await told('installs/1', 'url')],
      ['coupon', await told('coupons/1', 'code')],
      ['payment', String((await ofGateway('payments')).external_id)],
      ['subscription', String((await ofGateway('subscriptions')).external_id), /^Subscription #\d+$/],
      ['request', String(request)],
    ]
  }

  /** How long it takes to the page of what is pasted: whatever else has that number is passed over. */
  async function timed(page: Page, kind: Kind, text: string, title: RegExp): Promise<number> {
    await page.evaluate(`history.pushState({}, '', '${app.product}/events?page=2')`)
    await heading(page, 'Events').waitFor()
    await box(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await shown(page, '[role=dialog]')
    await box(page).waitFor()
    const begun = performance.now()
    await page.evaluate(pasted(text, en.kinds[kind], title))
    return performance.now() - begun
  }

  test('2: whatever is pasted, an id, an address, a key, a coupon, a site or a request, leads to its page within half a second', async (t) => {
    const { page, faults } = await app.at(t, 'events', 'Events')
    for (const [kind, text, title = PAGES[PAGE_OF[kind]]?.title ?? /^$/] of await everything()) {
      // The best of five, as the processor is not the browser's alone, and a page is loaded at its first time.
      const took = []
      do took.push(await timed(page, kind, text, title))
      while (took.length < 5 && Math.min(...took) >= MOST_MS)
      assert.ok(Math.min(...took) < MOST_MS, `${en.kinds[kind]}: ${took.map(Math.round).join(', ')} ms`)
    }
    assert.deepEqual(faults, [])
  })

  test('28: what is of the other mode is found too, and says so; opening it switches to that', async (t) => {
    const { page, faults } = await app.at(t, 'licenses', 'Licenses')
    const find = async (text: string) => {
      await page.setViewportSize({ width: 1280, height: 800 })
      await box(page).waitFor({ state: 'detached' })
      await page.keyboard.press('Control+k')
      await box(page).fill(text)
      await shown(page, '[role=dialog]')
    }
    const sandboxed = await told('licenses/11', 'secret_key')
    await find(sandboxed)
    const found = page.getByRole('option', { name: /Test mode/ })
    await found.waitFor()
    await requireAccessibleEverywhere(page, 'found in the sandbox')
    await page.keyboard.press('Enter')
    await heading(page, 'License #11').waitFor()
    await band(page).waitFor()

    await find(sandboxed)
    await optionOf(page, 'license').waitFor()
    assert.equal(await found.count(), 0, 'what is of the mode that is shown says nothing of it')
    await box(page).fill(await told('licenses/1', 'secret_key'))
    await page.getByRole('option', { name: /Live/ }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'License #1').waitFor()
    await band(page).waitFor({ state: 'detached' })
    assert.doesNotMatch(page.url(), /mode/)
    assert.deepEqual(faults, [])
  })

  test('Enter right after it is pasted opens what that finds, not what was found before', async (t) => {
    const { page, faults } = await app.at(t, 'events', 'Events')
    await page.keyboard.press('Control+k')
    await box(page).fill('1')
    await optionOf(page, 'license').first().waitFor()
    await box(page).fill(await told('users/2', 'email'))
    await page.keyboard.press('Enter')
    await page.waitForURL(/customers\/2/)
    assert.deepEqual(faults, [])
  })
})
