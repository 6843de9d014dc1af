// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { systemScope } from '../../src/access/scope.ts'
import { transaction } from '../../src/context.ts'
import { SETTLE_MS } from '../../src/catalogue/sandbox/sandbox-times.ts'
import { advanceSandboxes } from '../../src/jobs/advance-sandboxes.ts'
import { runDue } from '../../src/jobs/worker.ts'
import type { EventType } from '../../src/db/tables/event-types.ts'
import { recordEvent } from '../../src/events/log/record.ts'
import { newUid } from '../installs.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessible } from '../web/watched.ts'
import { happenIn } from './happening.ts'
import { requireSentences } from './read-pages.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

describe('what a seller sees at a glance', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_glance')
  })
  after(async () => {
    await app.close()
  })

  const happen = (...types: EventType[]) => happenIn(app, ...types)

  /** Activates a license on another site, as a client does. */
  async function activate(): Promise<void> {
    const { productId } = app.demo
    const { id } = await app.ctx.db
      .selectFrom('licenses')
      .select('id')
      .where('product_id', '=', productId)
      .where('environment', '=', 0)
      .where('is_cancelled', '=', false)
      .where('quota', '>=', 5)
      .where('activated', '<', 2)
      .where('expiration', '>', app.ctx.clock.now())
      .executeTakeFirstOrThrow()
    const headers = { cookie: `keywright_session=${app.session}` }
    const own = `${app.address}/v1/developers/${app.demo.developerId}/products/${productId}`
    const found = await fetch(`${own}/licenses/${id}.json`, { headers })
    const { secret_key: license_key } = (await found.json()) as { readonly secret_key: string }
    const uid = newUid()
    const reply = await fetch(`${app.address}/v1/products/${productId}/licenses/activate.json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ license_key, uid, url: `https://${uid}.example.com` }),
    })
    assert.equal(reply.status, 200)
  }

  const feedOf = (page: Page) => page.getByRole('table', { name: 'Latest events' })
  const isLive = (page: Page) => page.locator('.feed-head').getByText('Live', { exact: true }).waitFor()

  test('36: an activation by a client is on the home page within a second; it is paused, goes on, and is narrowed', async (t) => {
    const { page, faults } = await app.signedIn(t)
    await page.goto(app.pathOf(''))
    await isLive(page)
    await feedOf(page).getByRole('row').nth(1).waitFor()
    const first = feedOf(page).getByRole('row').nth(1)
    const times = (await feedOf(page)
      .locator('time')
      .evaluateAll((all) => all.map((one) => one.getAttribute('datetime')))) as readonly string[]
    assert.ok(times.length > 5)
    assert.deepEqual(times, times.toSorted().toReversed(), 'the newest first')
    // The best of three, as the processor is not the page's alone.
    const took: number[] = []
    do {
      await activate()
      const answered = performance.now()
      // What it does to the install comes after it.
      await feedOf(page).getByRole('row').nth(2).getByText('license.activated').waitFor()
      took.push(performance.now() - answered)
      await happen('license.created')
      await first.getByText('license.created').waitFor()
    } while (took.length < 3 && Math.min(...took) >= 1_000)
    assert.ok(Math.min(...took) < 1_000, `${took.join(', ')} ms`)

    await page.getByRole('button', { name: 'Pause' }).click()
    await happen('cart.created', 'subscription.cancelled')
    await page.getByRole('button', { name: '2 new' }).waitFor()
    assert.match((await first.textContent()) ?? '', /license\.created/)
    await page.getByRole('button', { name: '2 new' }).click()
    await first.getByText('subscription.cancelled').waitFor()

    await page.getByLabel('Filter').selectOption('cart')
    await first.getByText('cart.created').waitFor()
    assert.equal(await feedOf(page).getByText('license.created').count(), 0)
    assert.deepEqual(faults, [])
  })

  test('the feed says what was before and after, and what became of the deliveries of what has just come', async (t) => {
    const { page, faults } = await app.signedIn(t)
    await page.goto(app.pathOf(''))
    await isLive(page)
    const { developerId, productId } = app.demo
    await transaction(app.ctx, (tx) =>
      recordEvent(tx, systemScope({ developerId, productId }), {
        type: 'license.updated',
        userId: 1,
        data: { license_id: '1', from: { quota: 3, expiration: null }, to: { quota: 5, expiration: null } },
        environment: 0,
      }),
    )
    app.ctx.nudge()
    const row = feedOf(page)
      .getByRole('row', { name: /license\.updated.*quota 3 → 5/ })
      .first()
    await row.waitFor()
    // Nobody listens to it, which is known once it was looked for.
    await row.getByText('No webhook', { exact: true }).waitFor()
    await row.getByRole('link').click()
    const facts = page.locator('.facts', { hasText: 'Changed' })
    await facts.getByText('3 → 5').waitFor()
    assert.deepEqual(faults, [])
  })

  test('36: a tab that is hidden holds no stream, and misses nothing when it is seen again', async (t) => {
    const { page } = await app.signedIn(t)
    const streams = { open: 0 }
    const isStream = (url: string) => url.includes('/events/stream')
    page.on('request', (request) => void (isStream(request.url()) && streams.open++))
    page.on('requestfailed', (request) => void (isStream(request.url()) && streams.open--))
    await page.goto(app.pathOf(''))
    await isLive(page)
    assert.equal(streams.open, 1)
    const see = (isHidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))`,
      )
    const ended = page.waitForEvent('requestfailed', (request) => isStream(request.url()))
    await see(true)
    await ended
    assert.equal(streams.open, 0)
    await happen('cart.created', 'license.created', 'subscription.cancelled')
    await see(false)
    const rows = feedOf(page).getByRole('row')
    await rows.nth(1).getByText('subscription.cancelled').waitFor()
    await rows.nth(2).getByText('license.created').waitFor()
    await rows.nth(3).getByText('cart.created').waitFor()
    assert.equal(streams.open, 1)
  })

  test('the clock of the sandbox is moved by what falls due on the way being said before, and told after', async (t) => {
    const { page, faults } = await app.signedIn(t)
    await page.goto(`${app.product}/sandbox`)
    await page.getByRole('button', { name: 'Switch to test mode' }).click()
    const due = page.getByRole('table', { name: 'Falls due next' })
    await due.getByText('Renewal is charged').first().waitFor()
    assert.match(await page.title(), /^Test · /)
    const band = page.locator('.band')
    await band.getByText(/Test mode.*Its clock says /).waitFor()
    const before = await band.textContent()
    await page.getByRole('button', { name: '+1 month' }).click()
    await page.getByText(/[1-9]\d* things of those that wait now fall due on the way/).waitFor()
    await page.getByRole('button', { name: 'Move the clock' }).click()
    const told = page.getByText(/The clock is ready\. [1-9]\d* things happened on the way\./)
    await page.getByText('Moving').waitFor()
    await runDue(app.ctx, [advanceSandboxes])
    app.ctx.clock.advance(SETTLE_MS)
    await told.waitFor()
    const fired = page.getByRole('table', { name: 'Happened by itself' })
    await fired.getByText('Renewed').first().waitFor()
    await band.getByText(/Its clock says /).waitFor()
    assert.notEqual(await band.textContent(), before)
    await fired.getByRole('link').first().click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.match(page.url(), /mode=test/)
    assert.deepEqual(faults, [])
  })

  test('the first steps tick themselves, open the next one with its call, and are put away', async (t) => {
    const { page, faults } = await app.signedIn(t)
    const done = new Set(['plan.created'])
    // Of what the demo has done, some is left to do.
    await page.route(
      (url) => url.pathname.endsWith('/events.json') && url.searchParams.get('count') === '1',
      async (route) => {
        const query = new URL(route.request().url()).searchParams
        const asked = query.get('type') ?? query.get('state') ?? ''
        await route.fulfill({ json: { events: done.has(asked) ? [{ id: '1' }] : [] } })
      },
    )
    await page.goto(app.pathOf(''))
    const steps = page.getByRole('region', { name: 'The first five minutes' })
    await steps.getByText('2 of 5 done').waitFor()
    await steps.getByText(`/products/${app.demo.productId}/sandbox/token.json`).waitFor()
    await isLive(page)
    done.add('license.activated')
    await happen('license.activated')
    await steps.getByText('3 of 5 done').waitFor()
    await requireAccessible(page, 'the first steps')
    await steps.getByRole('button', { name: 'Put away' }).click()
    await page.reload()
    await isLive(page)
    assert.equal(await steps.count(), 0)
    assert.deepEqual(faults, [])
  })

  test('24: each chart has a sentence, exact values by the arrow keys, and a table of as many rows as it has places', async (t) => {
    const { page, faults } = await app.at(t, 'figures?filter=month', 'Figures')
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    const charts = page.getByRole('slider')
    await charts.nth(9).waitFor()
    for (const chart of await charts.all()) {
      const name = String(await chart.getAttribute('aria-label'))
      const figure = page.getByRole('region', { name, exact: true })
      await chart.focus()
      await page.keyboard.press('End')
      const last = String(await chart.getAttribute('aria-valuetext'))
      assert.match(last, /: .*\d/, name)
      await figure.getByText(last, { exact: true }).first().waitFor()
      await page.keyboard.press('Home')
      assert.match(String(await chart.getAttribute('aria-valuetext')), /: .*\d/, name)
      await figure.getByText('Show as table').click()
      const rows = await figure.getByRole('row').count()
      assert.ok(rows - 1 >= Number(await chart.getAttribute('aria-valuemax')) + 1, `${name}: ${rows} rows`)
    }
    await requireSentences(page)
    // By plan some have a series of nothing before one that has something.
    await page.goto(`${app.product}/figures?by=plan`)
    await requireSentences(page)
    assert.deepEqual(faults, [])
  })

  test('24: a chart tells its values by the arrow keys, in a sentence and as a table; its time is in the address', async (t) => {
    const { page, faults } = await app.at(t, 'figures', 'Figures')
    const figure = page.getByRole('region', { name: 'Activations' })
    await figure.getByText(/^In all: Activated \d+, Deactivated \d+\./).waitFor()
    const chart = figure.getByRole('slider', { name: 'Activations' })
    await chart.focus()
    await page.keyboard.press('End')
    const told = await chart.getAttribute('aria-valuetext')
    assert.match(told ?? '', /^\w+ \d+, \d{4}: Activated \d+, Deactivated \d+$/)
    await figure.getByText(told ?? '').waitFor()
    await page.keyboard.press('ArrowLeft')
    assert.notEqual(await chart.getAttribute('aria-valuetext'), told)
    await figure.getByText('Show as table').click()
    assert.equal(await figure.getByRole('row').count(), 31)
    await page.getByRole('button', { name: '12 months' }).click()
    await page.waitForURL(/filter=month/)
    await figure.getByRole('row').nth(13).waitFor({ state: 'detached' })
    assert.equal(await figure.getByRole('row').count(), 13)
    assert.deepEqual(faults, [])
  })
})
