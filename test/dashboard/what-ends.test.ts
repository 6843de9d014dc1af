// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { systemScope } from '../../src/access/scope.ts'
import { transaction } from '../../src/context.ts'
import { openDispute, settleDispute } from '../../src/sales/refunds/disputes.ts'
import { hasBrowser } from '../web/browser.ts'
import { intercepted } from '../web/intercepted.ts'
import { callsOf } from './asking.ts'
import { dialog, press } from './hands.ts'
import { payWithCard, PRICED } from './paying.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

describe('what a question says of money', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_what_ends')
  })
  after(() => app.close())

  const db = () => app.ctx.db
  const change = (table: 'licenses' | 'payments' | 'subscriptions', id: number, change: object) =>
    transaction(app.ctx, (tx) =>
      tx.db
        .updateTable(table)
        .set(change as never)
        .where('id', '=', id as never)
        .execute(),
    )
  const scope = () => systemScope({ developerId: app.demo.developerId, productId: app.demo.productId })

  /** Subscriptions that go on, after their first payment and with a license of their own. */
  const goingOn = () =>
    db()
      .selectFrom('subscriptions')
      .innerJoin('licenses', 'licenses.id', 'subscriptions.license_id')
      .select(['subscriptions.id', 'subscriptions.license_id', 'subscriptions.next_payment'])
      .where('subscriptions.product_id', '=', app.demo.productId)
      .where('subscriptions.environment', '=', 0)
      .where('subscriptions.canceled_at', 'is', null)
      .where('subscriptions.next_payment', 'is not', null)
      .where('licenses.is_cancelled', '=', false)
      .orderBy('subscriptions.id')
      .execute()

  const GOING_ON = { ...PRICED, failed_payments: 0, trial_ends: null } as const

  async function asksToCancel(t: TestContext, id: number | bigint, says: readonly (string | RegExp)[]) {
    const { page, faults, close } = await app.at(t, `subscriptions/${id}`, `Subscription #${id}`)
    await press(page, 'Cancel subscription')
    for (const text of says) await dialog(page).getByText(text).waitFor()
    const told = await dialog(page).innerText()
    assert.deepEqual(faults, [])
    await close()
    return told
  }

  test('what is not charged is told to the cent without tax, of the first payment too, and the license works until its own end', async (t) => {
    const [one] = await goingOn()
    assert.ok(one)
    const end = '2031-03-04 12:00:00'
    await change('licenses', Number(one.license_id), { expiration: end })
    await payWithCard(app, one.id, GOING_ON)
    await asksToCancel(t, one.id, [/^\$63\.20 without tax, due on /, /works until Mar 4, 2031\.$/])
    await payWithCard(app, one.id, { ...GOING_ON, initial_amount: 4_100, trial_ends: one.next_payment })
    const told = await asksToCancel(t, one.id, [/^\$41\.00 without tax, due on /])
    assert.doesNotMatch(told, /2031/, 'before the first payment the license ends with its trial')
  })

  test('a subscription past due is not told to be due on a day that is over, and one paid elsewhere goes on there', async (t) => {
    const [, late, elsewhere] = await goingOn()
    assert.ok(late && elsewhere)
    const next_payment = '2020-01-01 12:00:00' as never
    await payWithCard(app, late.id, { ...GOING_ON, failed_payments: 1, next_payment })
    const told = await asksToCancel(t, late.id, [
      /^\$63\.20 without tax, past due since Jan 1, 2020, is not charged any more/,
    ])
    assert.doesNotMatch(told, /due on/)
    const other = await asksToCancel(t, elsewhere.id, [
      /^It is paid elsewhere: nothing is charged here, and cancelling it here stops nothing there\./,
    ])
    assert.doesNotMatch(other, /\$|€/)
    const { page } = await app.at(t, `licenses/${elsewhere.license_id}`, /^License #/)
    await press(page, 'Cancel license')
    await dialog(page)
      .getByText(/it is paid elsewhere, and this stops nothing there\./)
      .waitFor()
  })

  test('what is in the sandbox is told by its clock in a question too, in whichever time zone', async (t) => {
    const one = (await goingOn()).at(-1)
    assert.ok(one)
    await change('licenses', Number(one.license_id), { environment: 1 })
    await change('subscriptions', one.id, { environment: 1 })
    const next_payment = '2031-12-31 22:30:00' as never
    await payWithCard(app, one.id, { ...GOING_ON, next_payment })
    const { page, close } = await app.enter(undefined, { timezoneId: 'Pacific/Auckland' })
    t.after(close)
    await page.goto(`${app.product}/subscriptions/${one.id}?mode=test`)
    await press(page, 'Cancel subscription')
    await dialog(page)
      .getByText(/due on Dec 31, 2031, 10:30\sPM UTC, is not charged/)
      .waitFor()
    const call = await callsOf(app)
    await call('PUT', `licenses/${one.license_id}.json`, { expiration: '2032-01-01 22:30:00' })
    await page.goto(`${app.product}/licenses/${one.license_id}?mode=test`)
    await page.getByText(/→ Jan 1, 2032, 10:30\sPM UTC$/).waitFor()
  })

  /** Payments of the demo with a license, of which nothing was taken back. */
  const payments = () =>
    db()
      .selectFrom('payments')
      .select(['id', 'license_id', 'subscription_id', 'gross', 'tax', 'currency'])
      .where('product_id', '=', app.demo.productId)
      .where('environment', '=', 0)
      .where('type', '=', 'payment')
      .where('refunded_gross', '=', 0)
      .where('license_id', 'is not', null)
      .where('subscription_id', 'is not', null)
      .where('gross', '>', 1_000)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('payments as bound')
              .select('bound.id')
              .whereRef('bound.bound_payment_id', '=', 'payments.id'),
          ),
        ),
      )
      .orderBy('id')
      .execute()

  const words = (page: Page) => page.locator('.page-title .state').allTextContents()

  async function opened(t: TestContext, id: number) {
    const { page } = await app.at(t, `payments/${id}`, /\d/)
    await page.getByRole('table', { name: 'Ledger' }).waitFor()
    return page
  }

  test('a payment that its bank disputes is not called refunded, and one whose dispute was won is refunded whole', async (t) => {
    const [one, other] = await payments()
    assert.ok(one && other)
    const minor = one.gross + one.tax
    await transaction(app.ctx, (tx) => openDispute(tx, scope(), { paymentId: one.id, minor, fee: 0 }))
    const disputed = await opened(t, one.id)
    assert.deepEqual((await words(disputed)).slice(1), ['Disputed'])
    assert.equal(await disputed.getByRole('button', { name: 'Refund', exact: true }).count(), 0)
    await transaction(app.ctx, (tx) => settleDispute(tx, scope(), { paymentId: one.id, isWon: true }))
    const won = await opened(t, one.id)
    assert.deepEqual((await words(won)).slice(1), [])
    await press(won, 'Refund')
    assert.equal(await dialog(won).getByRole('textbox').first().inputValue(), (minor / 100).toFixed(2))
    const all = { paymentId: other.id, minor: other.gross + other.tax, fee: 0 }
    await transaction(app.ctx, (tx) => openDispute(tx, scope(), all))
    await transaction(app.ctx, (tx) => settleDispute(tx, scope(), { paymentId: other.id, isWon: false }))
    assert.deepEqual((await words(await opened(t, other.id))).slice(1), ['Dispute lost'])
  })

  test('a refund of what a cancelled license was paid for says that it is cancelled, and waits for what it says', async (t) => {
    const [one] = await payments()
    assert.ok(one)
    const license = Number(one.license_id)
    const asks = async (says: RegExp) => {
      const page = await opened(t, one.id)
      await press(page, 'Refund')
      await dialog(page).getByText(says).waitFor()
      return dialog(page).innerText()
    }
    const set = (more: object) => change('licenses', license, more)
    await set({ expiration: '2020-01-01 12:00:00', is_block_features: true })
    assert.doesNotMatch(await asks(/The license has ended already/), /stops at once/)
    await set({ is_block_features: false })
    await asks(/The license stops at once on/)
    await set({ is_cancelled: true })
    assert.doesNotMatch(await asks(/The license is cancelled already\./), /stops at once|cannot be undone/)

    const page = await opened(t, one.id)
    let go = () => {}
    const gone = new Promise<void>((resolve) => (go = resolve))
    const over = await intercepted(page, `/licenses/${license}.json`, async ({ pass }) => {
      await gone
      await pass()
    })
    await press(page, 'Refund')
    const act = dialog(page).getByRole('button', { name: /^Refund / })
    await act.and(page.locator(':disabled')).waitFor()
    go()
    await act.and(page.locator(':enabled')).waitFor()
    await over()
  })

  test('a refund of a subscription without a license says that it ends, and what is not charged then', async (t) => {
    const [, one] = await payments()
    assert.ok(one)
    const subscription = Number(one.subscription_id)
    await change('payments', one.id, { license_id: null })
    const goesOn = { license_id: null, canceled_at: null, next_payment: '2031-12-31 12:00:00' as never }
    await payWithCard(app, subscription, { ...GOING_ON, ...goesOn })
    const asks = async (says: RegExp) => {
      const page = await opened(t, one.id)
      await press(page, 'Refund')
      await dialog(page).getByText(says).waitFor()
    }
    await asks(/Its subscription ends: \$63\.20 without tax, due on Dec 31, 2031, is not charged any more\./)
    await change('subscriptions', subscription, { canceled_at: '2025-01-01 12:00:00' })
    await asks(/Its subscription is cancelled already\./)
  })

  test('of two purposes that are pressed at once the one that was sent is told, and undone', async (t) => {
    const { page } = await app.at(t, 'coupons/1', /^[A-Z0-9]+$/)
    const given = page.getByRole('row').getByRole('button', { name: /^Use this coupon/ })
    await given.nth(1).waitFor()
    const names = await Promise.all([0, 1].map((at) => given.nth(at).getAttribute('aria-label')))
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
    })
    let go = () => {}
    const gone = new Promise<void>((resolve) => (go = resolve))
    const over = await intercepted(page, '/special/*.json', async ({ pass }) => {
      await gone
      await pass()
    })
    const pressed = (name: string | null | undefined) =>
      page.getByRole('button', { name: String(name), exact: true }).click()
    await pressed(names[0])
    await pressed(names[1])
    go()
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    await undo.click()
    await page.getByRole('button', { name: String(names[0]), exact: true }).waitFor()
    const purposes = sent.map((path) => path.split('/special/')[1])
    assert.match(sent[0] ?? '', /^PUT .*\/coupons\/1\/special\//)
    assert.deepEqual([sent.length, purposes[1]], [2, purposes[0]])
    await over()
  })

  test('a person is not erased before it is told how much goes', async (t) => {
    const { page } = await app.at(t, 'customers/1', /\w/)
    let go = () => {}
    const gone = new Promise<void>((resolve) => (go = resolve))
    const over = await intercepted(page, '/list_total.json', async ({ pass }) => {
      await gone
      await pass()
    })
    await press(page, 'Erase this customer')
    const act = dialog(page).getByRole('button', { name: 'Erase this customer' })
    await act.and(page.locator(':disabled')).waitFor()
    go()
    await act.and(page.locator(':enabled')).waitFor()
    await over()
  })

  test('a version that one user has says so in the singular', async (t) => {
    const version = await (await callsOf(app))('GET', 'tags/5.json')
    const { page } = await app.signedIn(t)
    const over = await intercepted(page, '/tags/5.json', ({ answer }) =>
      answer({ ...version, uniques: 1, limit: 1, release_mode: 'released' }),
    )
    await page.goto(`${app.product}/versions/5`)
    await page.getByText('1 user', { exact: true }).waitFor()
    await press(page, 'Delete version')
    await dialog(page)
      .getByText(/ 1 user has downloaded it and keeps it\./)
      .waitFor()
    await over()
  })
})
