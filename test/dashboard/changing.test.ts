// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { systemScope } from '../../src/access/scope.ts'
import { createPlan } from '../../src/catalogue/plans/service.ts'
import { transaction } from '../../src/context.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessible, requireAccessibleEverywhere } from '../web/watched.ts'
import { dialog, press, wide } from './hands.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

const RULES = {
  is_free_localhost: true,
  is_block_features: true,
  is_block_features_monthly: true,
  license_type: 0,
} as const

describe('how the dashboard changes things', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_changing')
  })
  after(async () => {
    await app.close()
  })

  const at: SellerApp['at'] = (...asked) => app.at(...asked)

  test('a license gets another plan after it was told what that changes, and what it is charged stays', async (t) => {
    const { db } = app.ctx
    const renewed = await db
      .selectFrom('subscriptions')
      .innerJoin('licenses', 'licenses.id', 'subscriptions.license_id')
      .select(['subscriptions.id', 'subscriptions.renewal_amount', 'licenses.id as license_id'])
      .where('subscriptions.product_id', '=', app.demo.productId)
      .where('subscriptions.canceled_at', 'is', null)
      .where('subscriptions.currency', '=', 'usd')
      .where('licenses.quota', '=', 5)
      .where('licenses.is_trial', '=', false)
      .executeTakeFirstOrThrow()
    const { page, faults } = await at(t, `licenses/${renewed.license_id}`, /^License #/)
    await press(page, 'Change plan')
    const preview = dialog(page).getByRole('region', { name: 'What changes' })
    await preview.getByText('File uploads: 10 GB → not included').waitFor()
    await dialog(page)
      .getByLabel('Plan and number of sites')
      .selectOption({ label: 'Professional, 1 site (USD)' })
    await preview.getByText('Plan: Professional, as now').waitFor()
    await preview.getByText('5 sites → 1 site').waitFor()
    await preview.getByText('Features: the same').waitFor()
    await preview.getByText(`$${renewed.renewal_amount / 100}`).waitFor()
    await requireAccessibleEverywhere(page, 'another plan')
    await wide(page)
    await dialog(page).getByRole('button', { name: 'Change plan' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText(/\d+ of 1$/).waitFor()
    const after = await db
      .selectFrom('subscriptions')
      .innerJoin('pricing', 'pricing.id', 'subscriptions.pricing_id')
      .select(['subscriptions.renewal_amount', 'pricing.licenses'])
      .where('subscriptions.id', '=', renewed.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(after, { renewal_amount: renewed.renewal_amount, licenses: 1 })
    assert.deepEqual(faults, [])
  })

  const AWAY = 'The server does not answer. It is asked again by itself; what you typed stays.'
  const isAsked = (url: URL) => url.pathname.startsWith('/v1/') || url.pathname === '/readyz'

  test('9: server stopped: writes stay in the form, a banner says so, and it goes away by itself', async (t) => {
    const { page, faults, allows } = await at(t, 'coupons/1', /^[A-Z0-9]+$/)
    allows('unanswered')
    await press(page, 'Change')
    await dialog(page).getByLabel('Redemptions at most').fill('77')
    await page.route(isAsked, (route) => route.abort())
    await dialog(page).getByRole('button', { name: 'Save changes' }).click()
    const banner = page.getByRole('status').getByText(AWAY)
    await banner.waitFor()
    await requireAccessible(page, 'a server that is away')
    assert.equal(await dialog(page).getByLabel('Redemptions at most').inputValue(), '77')
    await page.unrouteAll()
    await dialog(page).waitFor({ state: 'detached' })
    await banner.waitFor({ state: 'detached' })
    await page.getByText('of 77').waitFor()
    // What was given up is asked for again as soon as the server is back.
    await page.clock.install()
    await page.route(isAsked, (route) => route.abort())
    await page.getByRole('link', { name: 'Payments', exact: true }).click()
    const failure = page.getByRole('alert').getByText('Try again when it does.')
    while ((await failure.count()) === 0) await page.clock.runFor(8_000)
    await banner.waitFor()
    await page.unrouteAll()
    while ((await failure.count()) > 0) await page.clock.runFor(2_000)
    await page.getByRole('table', { name: 'Payments' }).waitFor()
    await banner.waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  })

  test('10: 429 and 503 wait Retry-After and try again, and the user sees it', async (t) => {
    const { page, faults, allows } = await at(t, 'coupons', 'Coupons')
    allows('429 /reviews.json', '503 /reviews.json')
    for (const status of [429, 503]) {
      const asked: number[] = []
      await page.route(
        (url) => url.pathname.endsWith('/reviews.json'),
        (route) => {
          asked.push(performance.now())
          if (asked.length > 1) return route.continue()
          return route.fulfill({ status, headers: { 'retry-after': '2' }, json: { error: { code: 'busy' } } })
        },
      )
      await page.getByRole('link', { name: 'Reviews', exact: true }).click()
      await page.getByRole('status').getByText('The server is busy. It is asked again in 2 s.').waitFor()
      await page.getByRole('table', { name: 'Reviews' }).waitFor()
      const [first = 0, second = 0] = asked
      // Both are noted here, some milliseconds after the page asks.
      assert.ok(second - first > 1_800, `${second - first} ms`)
      await page.unrouteAll()
      await page.goto(`${app.product}/coupons`)
    }
    assert.deepEqual(faults, [])
  })

  test('10: a write that is answered 429 or 503 waits too, and is done once', async (t) => {
    const { page, faults, allows } = await at(t, 'coupons', 'Coupons')
    allows('429 /coupons.json', '503 /coupons.json')
    const code = 'BUSY10'
    const keys: (string | undefined)[] = []
    await page.route('**/coupons.json', (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      const status = [429, 503][keys.length - 1]
      if (status === undefined) return route.continue()
      return route.fulfill({ status, headers: { 'retry-after': '1' }, json: { error: { code: 'busy' } } })
    })
    await press(page, 'Create a coupon')
    await dialog(page).getByLabel('Code', { exact: true }).fill(code)
    await dialog(page).getByLabel('How much').fill('10')
    await dialog(page).getByRole('button', { name: 'Create a coupon' }).click()
    await page.getByRole('status').getByText('The server is busy. It is asked again in 1 s.').waitFor()
    await dialog(page).waitFor({ state: 'detached' })
    assert.deepEqual([keys.length, new Set(keys).size], [3, 1])
    const made = await app.ctx.db.selectFrom('coupons').select('id').where('code', '=', code).execute()
    assert.equal(made.length, 1)
    assert.deepEqual(faults, [])
  })

  test('12: all that is wrong is told at once, each at its field, and the first has the focus', async (t) => {
    const { page, faults, allows } = await at(t, 'coupons', 'Coupons')
    allows('400 /coupons.json')
    await press(page, 'Create a coupon')
    await dialog(page).getByLabel('How much').fill('many')
    await dialog(page).getByLabel('Redemptions at most').fill('-1')
    await dialog(page).getByRole('button', { name: 'Create a coupon' }).click()
    const wrong = dialog(page).locator('[aria-invalid=true]')
    await wrong.first().waitFor()
    /** The names of fields, and whether what is wrong is tied to each. */
    const told = await page.evaluate(`[...document.querySelectorAll('[role=dialog] [aria-invalid=true]')].map(
      (field) => [field.name, (field.getAttribute('aria-describedby') ?? '').split(' ')
        .some((id) => document.getElementById(id)?.id.endsWith('-error'))])`)
    assert.deepEqual(told, [
      ['code', true],
      ['discount', true],
      ['redemptions_limit', true],
    ])
    assert.equal(await page.evaluate('document.activeElement.name'), 'code')
    await page.keyboard.press('Escape')
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' })
    await leaving.waitFor()
    await requireAccessible(page, 'a dialog that is left')
    await leaving.getByRole('button', { name: 'Stay' }).click()
    await leaving.waitFor({ state: 'detached' })
    assert.equal(await dialog(page).getByLabel('How much').inputValue(), 'many')
    await page.keyboard.press('Escape')
    await leaving.getByRole('button', { name: 'Leave' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await press(page, 'Create a coupon')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  })

  test('17: switches are optimistic and go back with a message when refused', async (t) => {
    const { page, faults, allows } = await at(t, 'coupons/1', /^[A-Z0-9]+$/)
    allows('400 /coupons/1.json')
    const state = page.locator('.page-title .state')
    let answer: () => void = assert.fail
    const answered = new Promise<void>((resolve) => (answer = resolve))
    await page.route(
      (url) => url.pathname.endsWith('/coupons/1.json'),
      async (route) => {
        if (route.request().method() !== 'PUT') return route.continue()
        await answered
        return route.fulfill({ status: 400, json: { error: { code: 'no', message: 'Not today.' } } })
      },
    )
    await press(page, 'Switch off')
    await state.getByText('Inactive').waitFor()
    answer()
    await page.getByRole('alert').getByText('Not today.').waitFor()
    await state.getByText('Active', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('17: a box that is pressed shows so before anything else happens in the page', async (t) => {
    const { page, faults } = await at(t, 'plans', 'Aurora Forms')
    const box = page.getByRole('checkbox', { name: 'Free gives Payments' })
    await box.and(page.locator(':enabled')).waitFor()
    const [before, then] = await box.evaluate(async (one) => {
      const pressed = one as unknown as { readonly checked: boolean; click(): void }
      const shown = pressed.checked
      pressed.click()
      // What is due already, and no task after it.
      for (let turn = 0; turn < 100; turn++) await Promise.resolve()
      return [shown, pressed.checked] as const
    })
    assert.equal(then, !before)
    assert.deepEqual(faults, [])
  })

  test('18: what can be undone has Undo for 10 s and no question', async (t) => {
    const { page, faults } = await at(t, 'coupons/1', /^[A-Z0-9]+$/)
    const state = page.locator('.page-title .state')
    const undo = page.getByRole('button', { name: 'Undo' })
    await press(page, 'Switch off')
    await undo.waitFor()
    await requireAccessibleEverywhere(page, 'what can be undone')
    await wide(page)
    const isOn = async () => {
      const found = app.ctx.db.selectFrom('coupons').select('is_active').where('id', '=', 1)
      return (await found.executeTakeFirstOrThrow()).is_active
    }
    assert.equal(await isOn(), false)
    const taken = page.waitForResponse((response) => response.request().method() === 'PUT')
    await undo.click()
    await undo.waitFor({ state: 'detached' })
    await state.getByText('Active', { exact: true }).waitFor()
    await taken
    assert.equal(await isOn(), true)
    await page.clock.install()
    await press(page, 'Switch off')
    while ((await undo.count()) === 0) await page.clock.runFor(100)
    await page.clock.runFor(9_000)
    assert.equal(await undo.count(), 1)
    await page.clock.runFor(1_500)
    await undo.waitFor({ state: 'detached' })
    assert.equal(await isOn(), false)
    assert.deepEqual(faults, [])
  })

  test('plans are moved by buttons, behind the default one, and back by Undo', async (t) => {
    const scope = systemScope({ developerId: app.demo.developerId, productId: app.demo.productId })
    await transaction(app.ctx, (tx) =>
      createPlan(tx, scope, { ...RULES, name: 'business', title: 'Business' }),
    )
    const { page, faults } = await at(t, 'plans', 'Aurora Forms')
    const button = (way: string, plan: string) =>
      page.getByRole('button', { name: `Move ${way}: ${plan}`, exact: true })
    const shown = (...plans: readonly string[]) =>
      Promise.all(
        plans.map((plan, n) => page.locator('.two h2').nth(n).getByText(plan, { exact: true }).waitFor()),
      )
    const [first, second, third] = ['Free', 'Professional', 'Business'] as const
    await shown(first, second, third)
    assert.ok(await button('down', first).isDisabled())
    assert.ok(await button('up', second).isDisabled())
    await button('down', second).focus()
    await page.keyboard.press('Enter')
    await page.getByText('The order was changed.', { exact: true }).waitFor()
    await shown(first, third, second)
    assert.equal(
      await page.evaluate('document.activeElement.getAttribute("aria-label")'),
      'Move up: Professional',
    )
    await press(page, 'Undo')
    await shown(first, second, third)
    await requireAccessibleEverywhere(page, 'plans')
    assert.deepEqual(faults, [])
  })
})
