// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { systemScope } from '../../src/access/scope.ts'
import { transaction } from '../../src/context.ts'
import { addNewUser } from '../../src/people/users/create.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { dialog, press } from './hands.ts'
import { requireForgotten } from './kept.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

describe('what a seller does in the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_selling')
  })
  after(async () => {
    await app.close()
  })

  const at: SellerApp['at'] = (...asked) => app.at(...asked)
  const license = (id: number) =>
    app.ctx.db.selectFrom('licenses').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const countLicenses = async () => (await app.ctx.db.selectFrom('licenses').select('id').execute()).length

  test('11: a double click issues one license, whose page opens', async (t) => {
    const { page, faults } = await at(t, 'licenses', 'Licenses')
    const before = await countLicenses()
    await press(page, 'Issue a license')
    await dialog(page).getByLabel('Email address').fill('amara.okafor@example.com')
    await requireAccessibleEverywhere(page, 'issue a license')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog(page).getByRole('button', { name: 'Issue license' }).dblclick()
    await page.getByRole('heading', { level: 1, name: /^License #\d+$/ }).waitFor()
    await page.getByRole('link', { name: 'Amara Okafor' }).waitFor()
    assert.equal((await countLicenses()) - before, 1)
    assert.deepEqual(faults, [])
  })

  test('12: a refused address stands beside its field, and what was typed stays', async (t) => {
    const { page } = await at(t, 'licenses', 'Licenses')
    const before = await countLicenses()
    await press(page, 'Issue a license')
    const address = dialog(page).getByLabel('Email address')
    await address.fill('no address')
    await dialog(page).getByRole('button', { name: 'Issue license' }).click()
    await dialog(page).locator('[aria-invalid=true]').waitFor()
    assert.equal(await address.inputValue(), 'no address')
    assert.equal(await countLicenses(), before)
  })

  test('sites and end of a license are changed, and only what was changed', async (t) => {
    const { page } = await at(t, 'licenses/1', 'License #1')
    const before = await license(1)
    await press(page, 'Change')
    await dialog(page).getByLabel('Sites').fill('7')
    await dialog(page).getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('1 of 7').waitFor()
    const after = await license(1)
    assert.deepEqual([after.quota, after.expiration], [7, before.expiration])
  })

  test('16: a license key is masked but for its end, shown and copied on demand, and that is in the audit log', async (t) => {
    const { page } = await at(t, 'licenses/1', 'License #1')
    const key = /sk_[\w-]{20,}/
    await page.getByText(/^•••• /).waitFor()
    assert.doesNotMatch(await page.locator('body').innerText(), key)
    const asked = async () =>
      (
        await app.ctx.db
          .selectFrom('audit_log')
          .select('action')
          .where('action', '=', 'keywright/show-license-key')
          .execute()
      ).length
    assert.equal(await asked(), 0)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await press(page, 'Copy License key')
    await page.getByRole('status').getByText('Copied').waitFor()
    assert.match(String(await page.evaluate('navigator.clipboard.readText()')), key)
    assert.doesNotMatch(await page.locator('body').innerText(), key)
    assert.equal(await asked(), 1)
    await page.reload()
    await press(page, 'Show')
    await page.getByText(key).waitFor()
    assert.equal(await asked(), 2)
  })

  test('a cancelled license says so, after a question that can be left', async (t) => {
    const { page } = await at(t, 'licenses/2', 'License #2')
    await press(page, 'Cancel license')
    await requireAccessibleEverywhere(page, 'cancel a license')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog(page).getByRole('button', { name: 'Keep license' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    assert.equal((await license(2)).is_cancelled, false)
    await press(page, 'Cancel license')
    await dialog(page).getByRole('button', { name: 'Cancel license' }).click()
    await page.locator('.page-title .state', { hasText: 'Cancelled' }).waitFor()
    assert.equal((await license(2)).is_cancelled, true)
  })

  test('a payment is refunded in part, then the rest, and never more than it was', async (t) => {
    const { page } = await at(t, 'payments/1', '$94.01')
    const amounts = page.locator('.money summary .number')
    assert.deepEqual(await amounts.allTextContents(), ['$79.00', '$15.01', '$94.01'])
    await page.getByText('Tax', { exact: true }).first().click()
    await page.getByText('VAT 19 %').waitFor()
    await page.getByText('In the ledger: Tax').waitFor()
    await page.getByText('Price', { exact: true }).click()
    await page.getByText('In the ledger: Revenue').waitFor()
    await page.getByText('All of it comes to $0.00.').waitFor()
    await requireAccessibleEverywhere(page, 'what a payment is made of')
    await page.setViewportSize({ width: 1280, height: 800 })
    await press(page, 'Refund')
    const amount = dialog(page).getByLabel('Amount (USD)')
    await amount.fill('94.02')
    await dialog(page).getByText('An amount above 0, at most $94.01.').waitFor()
    await requireAccessibleEverywhere(page, 'refund')
    await page.setViewportSize({ width: 1280, height: 800 })
    await amount.fill('9,50')
    await dialog(page).getByRole('button', { name: 'Refund $9.50' }).click()
    await page.getByText('$9.50 was refunded.').waitFor()
    const refunds = await app.ctx.db
      .selectFrom('payments')
      .select(['gross', 'tax'])
      .where('bound_payment_id', '=', 1)
      .execute()
    assert.deepEqual(
      refunds.map(({ gross, tax }) => Number(gross) + Number(tax)),
      [-950],
    )
    await page.getByText('−$9.50').first().waitFor()
    const state = page.locator('.page-title')
    await state.getByText('Partly refunded', { exact: true }).waitFor()
    const ledger = page.getByRole('table', { name: 'Ledger' })
    assert.ok((await ledger.getByRole('link', { name: /^Refund #/ }).count()) > 1)
    await page.getByText('All of it comes to $0.00.').waitFor()
    await press(page, 'Refund')
    assert.equal(await amount.inputValue(), '84.51')
    await dialog(page).getByText('Nothing is left of the payment then').waitFor()
    await dialog(page).getByRole('button', { name: 'Refund $84.51' }).click()
    await page.getByText('$84.51 was refunded.').waitFor()
    await state.getByText('Refunded', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Refund', exact: true }).waitFor({ state: 'detached' })
  })

  test('a subscription is cancelled, and nothing is charged next', async (t) => {
    const { page } = await at(t, 'subscriptions/9', 'Subscription #9')
    await press(page, 'Cancel subscription')
    await dialog(page).getByRole('button', { name: 'Cancel subscription' }).click()
    await page.locator('.page-title .state', { hasText: 'Cancelled' }).waitFor()
    const { canceled_at } = await app.ctx.db
      .selectFrom('subscriptions')
      .select('canceled_at')
      .where('id', '=', 9)
      .executeTakeFirstOrThrow()
    assert.notEqual(canceled_at, null)
  })

  test('54: a webhook is added, and its secret is shown once', async (t) => {
    const { page, faults, allows } = await at(t, 'webhooks', 'Webhooks')
    allows('400 /webhooks.json')
    await press(page, 'Add a webhook')
    await dialog(page).getByLabel('Address').fill('no address')
    await dialog(page).getByRole('button', { name: 'Add a webhook' }).click()
    await dialog(page).locator('[aria-invalid=true]').waitFor()
    await dialog(page).getByLabel('Address').fill('https://hooks.example.com/mine')
    await dialog(page).getByLabel('Events').fill('license.created payment.created')
    await dialog(page).getByRole('button', { name: 'Add a webhook' }).click()
    const secret = String(
      await dialog(page)
        .getByText(/^whsec_/)
        .textContent(),
    )
    await requireAccessibleEverywhere(page, 'a secret')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await requireForgotten(page, secret)
    await page.getByRole('link', { name: 'https://hooks.example.com/mine' }).click()
    await page.getByRole('heading', { level: 1, name: 'https://hooks.example.com/mine' }).waitFor()
    await page.getByText('license.created, payment.created').waitFor()
    assert.equal(await page.getByText(/whsec_\w{8}/).count(), 0)
    assert.deepEqual(faults, [])
  })

  test('an event is sent to a webhook again', async (t) => {
    const { page } = await at(t, 'webhooks/1', /^https:/)
    await page
      .getByRole('button', { name: /^Send again: #/ })
      .first()
      .click()
    await page.getByRole('alert').getByText(/off/).waitFor()
    await press(page, 'Switch on')
    await page.getByRole('button', { name: 'Switch off' }).waitFor()
    const again = page.getByRole('button', { name: /^Send again: #/ }).first()
    const event = Number((await again.getAttribute('aria-label'))?.split('#')[1])
    const state = async () => {
      const { state: found } = await app.ctx.db
        .selectFrom('deliveries')
        .select('state')
        .where('webhook_id', '=', 1)
        .where('event_id', '=', event)
        .executeTakeFirstOrThrow()
      return found
    }
    assert.equal(await state(), 'processed')
    const answered = page.waitForResponse((response) => response.url().endsWith('/resend.json'))
    await again.click()
    assert.equal((await (await answered).json()).count, 1)
    assert.notEqual(await state(), 'processed')
  })

  test('a coupon is switched off, and on again', async (t) => {
    const { page } = await at(t, 'coupons/1', /./)
    const state = page.locator('.page-title .state')
    await state.getByText('Active').waitFor()
    await press(page, 'Switch off')
    await state.getByText('Inactive').waitFor()
    await press(page, 'Switch on')
    await state.getByText('Active', { exact: true }).waitFor()
  })

  test('a customer is erased by the address typed again, and stands in the list no more', async (t) => {
    const email = 'leaves@example.com'
    const scope = systemScope({ developerId: app.demo.developerId, productId: app.demo.productId })
    const person = { email, source: 'freemius', is_verified: true, is_migration: false } as const
    const user = await transaction(app.ctx, (tx) =>
      addNewUser(tx, scope, { ...person, first: 'Lea', last: 'Ving', send_verification_email: false }),
    )
    const { page } = await at(t, `customers/${user?.id}`, 'Lea Ving')
    const downloading = page.waitForEvent('download')
    await press(page, 'Download the data')
    await downloading
    await press(page, 'Erase this customer')
    await dialog(page).getByText('Kept by law are payments').waitFor()
    await requireAccessibleEverywhere(page, 'erase a customer')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog(page).getByLabel(`Type ${email} to confirm`).fill('amara.okafor@example.com')
    await dialog(page).getByRole('button', { name: 'Erase this customer' }).click()
    await dialog(page).locator('[aria-invalid=true]').waitFor()
    await dialog(page).getByLabel(`Type ${email} to confirm`).fill(email)
    await dialog(page).getByRole('button', { name: 'Erase this customer' }).click()
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    await page.getByRole('link', { name: 'Lea Ving' }).waitFor({ state: 'detached' })
  })

  test('14, 15: search, filter and page are in the address, and Back undoes one step', async (t) => {
    const { page } = await at(t, 'customers', 'Customers')
    await page.getByRole('searchbox').fill('okafor')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Amara Okafor' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('q'), 'okafor')
    await page.getByRole('button', { name: 'Never paid', exact: true }).click()
    await page.getByText('Nothing matches.').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Amara Okafor' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Amara Okafor' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('26–38').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('page'), '2')
  })

  test('27, 28: in the sandbox every page says so in words, and the switch keeps the page', async (t) => {
    const { page } = await at(t, 'licenses', 'Licenses')
    await press(page, 'Test')
    await page.getByText('Test mode').waitFor()
    assert.match(await page.title(), /^Test · /)
    await page.getByRole('link', { name: 'Payments' }).click()
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await page.getByText('Test mode').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('mode'), 'test')
    await press(page, 'Live')
    await page.getByText('Test mode').waitFor({ state: 'detached' })
  })

  test('5: after a change of the page its title has the focus', async (t) => {
    const { page } = await at(t, 'licenses', 'Licenses')
    await page.getByRole('link', { name: 'Subscriptions' }).click()
    await page.getByRole('heading', { level: 1, name: 'Subscriptions' }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Subscriptions')
  })
})
