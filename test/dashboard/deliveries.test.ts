// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { systemScope } from '../../src/access/scope.ts'
import { transaction } from '../../src/context.ts'
import { createWebhook } from '../../src/events/listeners/service.ts'
import { recordEvents } from '../../src/events/log/record.ts'
import type { DeliveriesTable } from '../../src/db/tables/webhooks.ts'
import { hasBrowser } from '../web/browser.ts'
import { SHIFTED, WATCH } from '../web/failing-first.ts'
import { intercepted } from '../web/intercepted.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

type Stands = readonly [host: string, state: DeliveriesTable['state'], attempts: number]

describe('how events stand for each webhook', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_deliveries')
  })
  after(() => app.close())

  const scope = () => systemScope({ developerId: app.demo.developerId, productId: app.demo.productId })

  /** An event of a webhook that was sent to others, each of which stands in its own way; its id. */
  const sent = (...stands: readonly Stands[]): Promise<number> =>
    transaction(app.ctx, async (tx) => {
      const ids: number[] = []
      for (const [host] of stands) {
        const { id } = await createWebhook(tx, scope(), { url: `https://${host}/in`, is_active: false })
        ids.push(Number(id))
      }
      await recordEvents(tx, scope(), [{ type: 'coupon.updated', environment: 0, data: { coupon_id: '1' } }])
      const { id: eventId } = await tx.db
        .selectFrom('events')
        .select('id')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      const rows = stands.map(([, state, attempts], at) => ({
        product_id: app.demo.productId,
        webhook_id: ids[at] ?? assert.fail(),
        event_id: eventId,
        order_key: `n${eventId}`,
        state,
        attempts,
        due_at: state === 'pending' ? tx.clock.real() + 3_600_000 : null,
        created: tx.clock.now(),
      }))
      if (rows.length > 0) await tx.db.insertInto('deliveries').values(rows).execute()
      return eventId
    })

  const rowOf = (page: Page, id: number) =>
    page.locator('main tbody tr').filter({ has: page.locator(`a[href$="/events/${id}"]`) })

  test('the page of an event tells how it stands for each webhook, which it leads to', async (t) => {
    const id = await sent(['one.example.com', 'error', 5], ['two.example.com', 'pending', 2])
    const { page, faults } = await app.at(t, `events/${id}`, 'Coupon changed')
    const rows = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr')
    await rows.nth(1).waitFor()
    const told = async (at: number) =>
      (await rows.nth(at).locator('td').allInnerTexts()).map((text) => text.trim())
    assert.deepEqual(await told(0), ['two.example.com', 'Waiting', '2', 'in 1 hour'])
    assert.deepEqual(await told(1), ['one.example.com', 'Failed', '5', '–'])
    await requireAccessibleEverywhere(page, 'an event with deliveries')
    await rows.nth(1).getByRole('link', { name: 'one.example.com' }).click()
    await page.getByRole('heading', { level: 1, name: 'https://one.example.com/in' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('an event that no webhook is sent says so, once that is known', async (t) => {
    const id = await sent()
    const { page, faults } = await app.at(t, `events/${id}`, 'Coupon changed')
    await page.getByText('No webhook is sent this event.').waitFor()
    await app.ctx.database.transaction((db) =>
      db.updateTable('events').set({ state: 'pending' }).where('id', '=', id).execute(),
    )
    await page.reload()
    await page.getByText('It was not given to webhooks yet.').waitFor()
    assert.deepEqual(faults, [])
  })

  test('a row of the events tells how each webhook stands, by one request for all rows, and nothing moves by it', async (t) => {
    const id = await sent(['a.example.com', 'processed', 1], ['b.example.com', 'error', 3])
    const alone = await sent(['c.example.com', 'processed', 1])
    const late = await sent(['d.example.com', 'pending', 1])
    for (const width of [1280, 375]) {
      const { page, faults } = await app.signedIn(t)
      await page.setViewportSize({ width, height: 900 })
      const asked: string[] = []
      const { promise: held, resolve: answer } = Promise.withResolvers<void>()
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url())
        if (pathname.endsWith('/deliveries.json')) asked.push(searchParams.get('event_id') ?? '')
      })
      await intercepted(page, '/deliveries.json', async (paused) => {
        await held
        await paused.pass()
      })
      await page.goto(`${app.product}/events`)
      await rowOf(page, id).waitFor()
      await page.waitForFunction('document.fonts.status === "loaded"')
      await page.evaluate(WATCH)
      answer()
      const stands = rowOf(page, id).locator('.listeners')
      await stands.getByText('b.example.com: failed, 3 attempts · a.example.com: taken').waitFor()
      assert.equal(
        await stands.getAttribute('title'),
        'b.example.com: failed, 3 attempts\na.example.com: taken',
      )
      await rowOf(page, late).getByText('d.example.com: waiting, 1 attempt').waitFor()
      assert.equal(await rowOf(page, alone).locator('.listeners').innerText(), '')
      assert.equal(Number(await page.evaluate(SHIFTED)), 0, `${width} pixels`)
      assert.equal(asked.length, 1)
      const shown = await page
        .locator('main tbody .names a')
        .evaluateAll((links) =>
          links.map((link) => new URL((link as unknown as { href: string }).href).pathname.split('/').at(-1)),
        )
      assert.deepEqual(asked[0]?.split(',').toSorted(), shown.toSorted())
      assert.deepEqual(faults, [])
    }
  })

  test('three webhooks are named in a row, and how many more there are', async (t) => {
    const many = Array.from({ length: 5 }, (_, at) => [`m${at}.example.com`, 'processed', 1] as const)
    const id = await sent(...many)
    const { page, faults } = await app.at(t, 'events', 'Events')
    const stands = rowOf(page, id).locator('.listeners')
    await stands.getByText('+2').waitFor()
    assert.equal((await stands.innerText()).match(/: taken/g)?.length, 3)
    assert.equal((await stands.getAttribute('title'))?.split('\n').length, 5)
    await requireAccessibleEverywhere(page, 'events with webhooks')
    assert.deepEqual(faults, [])
  })

  test('how webhooks stand is read again with the list', async (t) => {
    const id = await sent(['late.example.com', 'pending', 1])
    const { page, faults } = await app.signedIn(t)
    const streamed = page.waitForResponse((response) => response.url().includes('/events/stream'))
    await page.goto(`${app.product}/events`)
    await streamed
    const stands = rowOf(page, id).locator('.listeners')
    await stands.getByText('late.example.com: waiting, 1 attempt').waitFor()
    await app.ctx.database.transaction((db) =>
      db.updateTable('deliveries').set({ attempts: 2 }).where('event_id', '=', id).execute(),
    )
    const next = await sent()
    await page.getByRole('button', { name: /^\d+ new$/ }).click()
    await rowOf(page, next).waitFor()
    await stands.getByText('late.example.com: waiting, 2 attempts').waitFor()
    assert.deepEqual(faults, [])
  })
})
