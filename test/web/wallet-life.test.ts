// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext as T } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { START, type TestApp } from '../app.ts'
import { asDeveloper } from '../callers.ts'
import { paypalGateway } from '../../src/gateways/paypal/gateway.ts'
import { DAY } from '../../src/lib/time.ts'
import { minorIn } from '../paypal/books.ts'
import { approve, openDispute } from '../paypal/orders.ts'
import { eventText } from '../paypal/reports.ts'
import { startPaypal } from '../paypal/server.ts'
import { approveSetUp } from '../paypal/vault.ts'
import { leftOfPayment, send, undoneOf } from '../reports.ts'
import { ledgerFaults } from '../sales.ts'
import { renewNow } from '../subscriptions.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { hostedCheckout, payButton, thanked, type Hosted } from './hosted.ts'

const SITE = 'https://www.sandbox.paypal.com'

describe(
  'what is bought by a wallet on the page, and becomes of it',
  { skip: !hasBrowser && 'no browser here' },
  () => {
    let app: TestApp
    let browser: Browser
    let hosted: Hosted
    let paypal: Awaited<ReturnType<typeof startPaypal>>
    before(async () => {
      paypal = await startPaypal()
      app = await startWebApp('web_wallet_life')
      Object.assign(app.ctx, { gateways: [paypalGateway(paypal.config)] })
      paypal.books.now = () => app.ctx.clock.real()
      browser = await sharedBrowser()
      hosted = await hostedCheckout(app, browser)
      await app.write(({ db }) =>
        db
          .updateTable('plans')
          .set({ trial_period: 14, is_require_subscription: true })
          .where('id', '=', Number(hosted.shop.plans.basic))
          .execute(),
      )
    })
    after(async () => {
      paypal.close()
      await app.close()
    })

    let people = 0
    /** Buys on the page: its buyer approves at the wallet, in the window that opens there. */
    async function buy(t: T, more: Record<string, string> = {}): Promise<void> {
      app.ctx.clock.set(START + people * DAY)
      const { page, faults } = await hosted.open(t, more)
      await page.context().route(`${SITE}/**`, (route) => {
        const { searchParams: query } = new URL(route.request().url())
        for (const id of query.values()) {
          approve(paypal.books, id)
          approveSetUp(paypal.books, id)
        }
        return route.fulfill({ contentType: 'text/html', body: '<h1>At PayPal</h1>' })
      })
      await fillIn(page)
      await Promise.all([page.waitForEvent('popup'), payButton(page).click()])
      await thanked(page)
      assert.deepEqual(faults, [])
    }

    async function fillIn(page: Page): Promise<void> {
      await page.getByLabel('Email address').fill(`life${++people}@example.com`)
      await page.getByLabel('First name').fill('Ada')
      await page.getByLabel('Country').selectOption('US')
      await page.getByLabel('State').selectOption('CA')
    }

    const payments = () => app.ctx.db.selectFrom('payments').selectAll().orderBy('id').execute()

    /** A purchase with what was captured for it. */
    async function bought(t: T) {
      await buy(t)
      const payment = (await payments()).at(-1) ?? assert.fail()
      const capture = [...paypal.books.captures.values()].at(-1).kept
      const total = payment.gross + payment.tax
      assert.deepEqual([payment.gateway, minorIn(capture.amount)], ['paypal', total])
      assert.deepEqual(await ledgerFaults(app), [])
      return { payment, capture, total }
    }

    const isCancelled = async (id: number | null) =>
      (
        await app.ctx.db
          .selectFrom('licenses')
          .select('is_cancelled')
          .where('id', '=', id ?? 0)
          .executeTakeFirstOrThrow()
      ).is_cancelled

    async function report(type: string, resource: object): Promise<void> {
      const now = app.ctx.clock.real()
      const text = eventText(type, resource, { id: `WH-${crypto.randomUUID()}`, at: now })
      const { status, text: said } = await send(app, 'paypal', paypal.signed(text, { now }))
      assert.equal(status, 200, said)
    }

    test('a trial costs nothing, and is charged to the wallet when it ends', async (t) => {
      await buy(t, { plan_id: hosted.shop.plans.basic, trial: 'paid' })
      assert.equal(paypal.books.captures.size, 0)
      assert.deepEqual(await payments(), [])
      app.ctx.clock.advance(14 * DAY)
      await renewNow(app)
      assert.equal(paypal.books.captures.size, 1)
      assert.deepEqual(
        (await payments()).map(({ gateway }) => gateway),
        ['paypal'],
      )
      assert.deepEqual(await ledgerFaults(app), [])
    })

    test('a seller gives back a part and then the rest, after which the license is cancelled', async (t) => {
      const { payment, capture, total } = await bought(t)
      const path = `/products/${app.seller.product.id}/payments/${payment.id}/refunds.json`
      const seller = await asDeveloper(app)
      for (const body of [{ amount: 5 }, {}]) {
        const { status, text } = await seller('POST', path, body)
        assert.ok(status < 300, text)
      }
      const given = [...paypal.books.refunds.values()].map(({ captureId, refund }) => [
        captureId,
        minorIn(refund.amount),
      ])
      assert.deepEqual(given, [
        [capture.id, 500],
        [capture.id, total - 500],
      ])
      assert.deepEqual(await undoneOf(app, payment), [
        ['refund', -500],
        ['refund', 500 - total],
      ])
      assert.equal(await isCancelled(payment.license_id), true)
      assert.deepEqual(await ledgerFaults(app), [])
    })

    test('a dispute that is won leaves all as it was, and one that is lost ends it', async (t) => {
      for (const [outcome_code, isLost] of [
        ['RESOLVED_SELLER_FAVOUR', false],
        ['RESOLVED_BUYER_FAVOUR', true],
      ] as const) {
        const { payment, capture, total } = await bought(t)
        const dispute = openDispute(paypal.books, capture)
        await report('CUSTOMER.DISPUTE.CREATED', dispute)
        assert.equal(await leftOfPayment(app, payment), 0)
        assert.deepEqual(await ledgerFaults(app), [])
        Object.assign(dispute, { status: 'RESOLVED', dispute_outcome: { outcome_code } })
        await report('CUSTOMER.DISPUTE.RESOLVED', dispute)
        assert.deepEqual(
          [await leftOfPayment(app, payment), await isCancelled(payment.license_id)],
          [isLost ? 0 : total, isLost],
        )
        assert.deepEqual(await ledgerFaults(app), [])
      }
    })
  },
)
