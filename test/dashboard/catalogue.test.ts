// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { dialog, press, wide } from './hands.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

describe('what is sold, in the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_catalogue')
  })
  after(async () => {
    await app.close()
  })

  const at: SellerApp['at'] = (...asked) => app.at(...asked)
  const state = (page: Page) => page.locator('.page-title .state')

  test('features by plans are written where they stand, by the keyboard, as the public prices then show them', async (t) => {
    const { page, faults, allows } = await at(t, 'plans', 'Aurora Forms')
    allows('400 /features/4.json')
    const { public_key: key } = await app.ctx.db
      .selectFrom('products')
      .select('public_key')
      .where('id', '=', app.demo.productId)
      .executeTakeFirstOrThrow()
    /** Plan → its features with their values, as everybody is told. */
    const shown = async () => {
      const reply = await fetch(
        `${app.address}/v1/products/${app.demo.productId}/pricing.json?public_key=${key}`,
      )
      const { plans } = (await reply.json()) as {
        plans: { title: string; features: { title: string; value: string }[] }[]
      }
      return new Map(plans.map((plan) => [plan.title, plan.features.map((one) => [one.title, one.value])]))
    }
    const done = (text: string) => page.getByText(text, { exact: true }).waitFor()
    const type = async (name: string, typed: string, then: string) => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
      await page.keyboard.type(typed)
      await page.keyboard.press(then)
    }
    await page.getByRole('checkbox', { name: 'Free gives Payments' }).focus()
    await page.keyboard.press('Space')
    await done('Free gives Payments.')
    await type('Add a value: Payments in Free', '2 a day', 'Enter')
    await done('Payments in Free: 2 a day.')
    await page.getByRole('button', { name: 'Value of Payments in Free: 2 a day' }).waitFor()
    assert.match(await page.evaluate('document.activeElement.textContent'), /^2 a day$/)
    await type('Value of Payments in Free: 2 a day', 'not this', 'Escape')
    await type('Rename: Payments', 'Paid forms', 'Enter')
    await done('It is called Paid forms now.')
    await page.getByRole('button', { name: 'Move up: Paid forms' }).focus()
    await page.keyboard.press('Enter')
    await done('The order was changed.')
    assert.equal(
      await page.evaluate('document.activeElement.getAttribute("aria-label")'),
      'Move up: Paid forms',
    )
    const titles = async () => (await shown()).get('Professional')?.map(([title]) => title)
    assert.deepEqual((await shown()).get('Free')?.at(-2), ['Paid forms', '2 a day'])
    assert.deepEqual((await titles())?.slice(2, 4), ['Paid forms', 'File uploads'])
    await type('Value of Paid forms in Free: 2 a day', 'x'.repeat(256), 'Enter')
    await page.getByRole('alert').getByText('255').waitFor()
    await page.getByRole('button', { name: 'Value of Paid forms in Free: 2 a day' }).waitFor()
    await requireAccessibleEverywhere(page, 'features by plans')
    await page.getByLabel('Plan', { exact: true }).selectOption({ label: 'Professional' })
    await page.getByRole('checkbox', { name: 'Professional gives Forms' }).waitFor()
    assert.equal(await page.getByRole('checkbox', { name: /^Free gives/ }).count(), 0)
    await wide(page)
    await press(page, 'Add a feature')
    await dialog(page).getByLabel('Name').fill('Webhooks')
    await dialog(page).getByRole('button', { name: 'Add a feature' }).click()
    // Its state is the server's, and so is there in a moment.
    await page.getByRole('checkbox', { name: 'Free gives Webhooks' }).click()
    await done('Free gives Webhooks.')
    assert.deepEqual((await shown()).get('Free')?.at(-1), ['Webhooks', ''])
    await press(page, 'Remove feature: Webhooks')
    await dialog(page).getByRole('button', { name: 'Remove feature' }).click()
    await page.getByRole('checkbox', { name: 'Free gives Webhooks' }).waitFor({ state: 'detached' })
    assert.equal(JSON.stringify([...(await shown())]).includes('Webhooks'), false)
    assert.deepEqual(faults, [])
  })

  test('trials and disputes of all products are opened from the start, and from those of one', async (t) => {
    const { page, faults } = await at(t, 'trials', 'Trials')
    assert.equal(await page.getByRole('columnheader', { name: 'Product' }).count(), 0)
    await page.getByRole('link', { name: 'All products' }).click()
    await page.getByRole('columnheader', { name: 'Product' }).waitFor()
    await page.getByRole('button', { name: 'Bought', exact: true }).click()
    await page.getByRole('cell', { name: 'Aurora Bookings' }).first().waitFor()
    await requireAccessibleEverywhere(page, 'trials of all products')
    await wide(page)
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('Open disputes').locator('..').getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'Disputes' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('filter'), 'open')
    const cells = page.getByRole('row').nth(1).getByRole('cell')
    assert.equal(await cells.nth(1).innerText(), 'Open')
    const amount = await cells.last().innerText()
    await cells.first().getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: amount, exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('a trial of a site is ended, after a question that can be left', async (t) => {
    const { id } = await app.ctx.db
      .selectFrom('trials')
      .select('id')
      .where('product_id', '=', app.demo.productId)
      .where('install_id', 'is not', null)
      .where('notice_at', 'is not', null)
      .executeTakeFirstOrThrow()
    const { page } = await at(t, `trials/${id}`, `Trial #${id}`)
    await state(page).getByText('Running').waitFor()
    await press(page, 'End trial')
    await requireAccessibleEverywhere(page, 'end a trial')
    await wide(page)
    await dialog(page).getByRole('button', { name: 'Keep trial' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await press(page, 'End trial')
    await dialog(page).getByRole('button', { name: 'End trial' }).click()
    await state(page).getByText('Cancelled').waitFor()
  })

  test('a review is written down, corrected at its fields, shown, featured, changed and removed', async (t) => {
    const { page, faults, allows } = await at(t, 'reviews', 'Reviews')
    allows('402 /reviews.json', '400 /reviews/')
    await press(page, 'Write down a review')
    await dialog(page).getByRole('button', { name: 'Write down a review' }).click()
    const wrong = dialog(page).locator('[aria-invalid=true]')
    await wrong.first().waitFor()
    assert.equal(await wrong.count(), 3)
    assert.equal(await page.evaluate('document.activeElement.name'), 'name')
    await requireAccessibleEverywhere(page, 'write down a review')
    await wide(page)
    await dialog(page).getByLabel('Name').fill('Ada')
    await dialog(page).getByLabel('Score').fill('95')
    await dialog(page).getByLabel('Text').fill('It counts.')
    await dialog(page).getByLabel('Shown to everybody').uncheck()
    await dialog(page).getByRole('button', { name: 'Write down a review' }).click()
    await page.getByRole('heading', { level: 1, name: /^Review #/ }).waitFor()
    await state(page).getByText('Not shown').waitFor()
    await press(page, 'Show')
    await state(page).getByText('Shown', { exact: true }).waitFor()
    await press(page, 'Feature')
    await state(page).getByText('Featured').waitFor()
    await press(page, 'Change')
    await dialog(page).getByLabel('Title').fill('Exact')
    await dialog(page).getByLabel('Score').fill('101')
    await dialog(page).getByRole('button', { name: 'Save changes' }).click()
    await dialog(page).locator('[name=rate][aria-invalid=true]').waitFor()
    await dialog(page).getByLabel('Score').fill('90')
    await dialog(page).getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { level: 2, name: 'Exact' }).waitFor()
    const row = await app.ctx.db
      .selectFrom('reviews')
      .select(['id', 'rate', 'title', 'name', 'is_active', 'is_featured', 'is_verified'])
      .where('text', '=', 'It counts.')
      .executeTakeFirstOrThrow()
    const { id, ...said } = row
    assert.deepEqual(said, {
      rate: 90,
      title: 'Exact',
      name: 'Ada',
      is_active: true,
      is_featured: true,
      is_verified: true,
    })
    await press(page, 'Remove review')
    await dialog(page).getByRole('button', { name: 'Remove review' }).click()
    await page.getByRole('heading', { level: 1, name: 'Reviews' }).waitFor()
    const left = await app.ctx.db.selectFrom('reviews').select('id').where('id', '=', id).execute()
    assert.deepEqual(left, [])
    assert.deepEqual(faults, [])
  })

  test('tax settings are refused at their field, and only what was changed is written', async (t) => {
    const { page, faults, allows } = await app.signedIn(t)
    allows('400 /tax_settings.json')
    await page.goto(app.pathOf('taxes'))
    const where = page.getByRole('region', { name: 'Where you collect' })
    await where.getByLabel('Registered in').fill('DE, XX')
    await where.getByRole('button', { name: 'Save changes' }).click()
    await where.locator('[name=registrations][aria-invalid=true]').waitFor()
    await requireAccessibleEverywhere(page, 'wrong taxes')
    await wide(page)
    await where.getByLabel('Registered in').fill('de, EU, us-ca')
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await where.getByRole('button', { name: 'Save changes' }).click()
    assert.deepEqual((await sent).postDataJSON(), { registrations: 'de, EU, us-ca' })
    await where.getByText('Saved.').waitFor()
    assert.equal(await where.getByLabel('Registered in').inputValue(), 'DE,EU,US-CA')
    await where.getByRole('button', { name: 'Save changes' }).click()
    await where.getByText('Nothing was changed.').waitFor()
    const invoices = page.getByRole('region', { name: 'On invoices' })
    await invoices.getByLabel('VAT ID').fill('DE123')
    await invoices.getByRole('button', { name: 'Save changes' }).click()
    await invoices.locator('[name=vat_id][aria-invalid=true]').waitFor()
    assert.deepEqual(faults, [])
  })

  test('a bank account is added, shown by its last four digits, and keeps its number when it is changed', async (t) => {
    const { page, faults, allows } = await app.signedIn(t)
    allows('400 /bank_account.json')
    await page.goto(app.pathOf('bank-accounts'))
    await press(page, 'Add a bank account')
    await dialog(page).getByLabel('Account holder').fill('Ada')
    await dialog(page).getByLabel('Account number or IBAN').fill('1')
    await dialog(page).getByRole('button', { name: 'Add a bank account' }).click()
    await dialog(page).locator('[name=account_number][aria-invalid=true]').waitFor()
    await requireAccessibleEverywhere(page, 'add a bank account')
    await wide(page)
    const typed = {
      'Account number or IBAN': 'DE89 3704 0044 0532 0130 01',
      Phone: '+49 30 1',
      Street: 'Weg 1',
      'Postal code': '10115',
      'SWIFT (BIC)': 'COBADEFFXXX',
    }
    for (const [label, text] of Object.entries(typed)) await dialog(page).getByLabel(label).fill(text)
    await dialog(page).getByLabel('Bank', { exact: true }).fill('Other Bank')
    await dialog(page).getByLabel('City', { exact: true }).fill('Berlin')
    await dialog(page).getByLabel('City and state of the bank').fill('Berlin')
    await dialog(page).getByLabel('Country', { exact: true }).selectOption('DE')
    await dialog(page).getByLabel('Country of the bank').selectOption('DE')
    await dialog(page).getByRole('button', { name: 'Add a bank account' }).click()
    await page.getByRole('heading', { name: 'Other Bank •••• 3001' }).waitFor()
    const kept = () =>
      app.ctx.db
        .selectFrom('bank_accounts')
        .select(['account_number', 'address_street'])
        .where('bank_name', '=', 'Other Bank')
        .executeTakeFirstOrThrow()
    const before = await kept()
    await page.getByRole('button', { name: 'Change bank account' }).first().click()
    await dialog(page).getByLabel('Street').fill('Weg 2')
    await dialog(page).getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Weg 2').waitFor()
    assert.deepEqual(await kept(), { ...before, address_street: 'Weg 2' })
    assert.deepEqual(faults, [])
  })

  test('a store is opened, changed, and says who its mails come from; its secret key is not asked for', async (t) => {
    const { page, faults, allows } = await app.signedIn(t)
    allows('402 /stores.json')
    await page.goto(app.pathOf('stores'))
    await press(page, 'Open a store')
    await dialog(page).getByRole('button', { name: 'Open a store' }).click()
    await dialog(page).locator('[name=title][aria-invalid=true]').waitFor()
    await dialog(page).getByLabel('Title').fill('Second Store')
    await dialog(page).getByLabel('Address of the store').fill('https://second.example.com')
    await dialog(page).getByRole('button', { name: 'Open a store' }).click()
    await page.getByRole('heading', { level: 1, name: 'Second Store' }).waitFor()
    await page.getByText('No product belongs to it.').waitFor()
    const answered = page.waitForResponse((response) => response.request().method() === 'PUT')
    const settings = page.getByRole('region', { name: 'Settings' })
    await settings.getByLabel('Title').fill('Third Store')
    await settings.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Third Store' }).waitFor()
    assert.doesNotMatch(await (await answered).text(), /secret_key/)
    const senders = page.getByRole('region', { name: 'Sender addresses' })
    await senders.getByLabel('Support', { exact: true }).fill('help@second.example.com')
    await senders.getByRole('button', { name: 'Save changes' }).click()
    await senders.getByText('Saved.').waitFor()
    const { id } = await app.ctx.db
      .selectFrom('stores')
      .select('id')
      .where('title', '=', 'Third Store')
      .executeTakeFirstOrThrow()
    const { support, general } = await app.ctx.db
      .selectFrom('email_addresses')
      .select(['support', 'general'])
      .where('store_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.deepEqual([support, general], ['help@second.example.com', null])
    assert.deepEqual(faults, [])
  })
})
