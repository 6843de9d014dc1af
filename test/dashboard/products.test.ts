// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { png } from '../pictures.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { dialog, press, wide } from './hands.ts'
import { joinTeam, startSellerApp, type SellerApp } from './seller.ts'

describe('products, plans and coupons in the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_products')
  })
  after(async () => {
    await app.close()
  })

  const at: SellerApp['at'] = (...asked) => app.at(...asked)

  test('a coupon is created with every field, corrected, made special, and removed', async (t) => {
    const { page, faults, allows } = await at(t, 'coupons', 'Coupons')
    allows('402 /coupons.json', '400 /coupons.json')
    await press(page, 'Create a coupon')
    const form = dialog(page)
    await form.getByRole('button', { name: 'Create a coupon' }).click()
    await form.locator('[name=code][aria-invalid=true]').waitFor()
    await form.locator('[name=discount][aria-invalid=true]').waitFor()
    await form.getByLabel('Code').fill('FIFTEEN')
    await form.getByLabel('How much').fill('115')
    await form.getByLabel('Begins').fill('2026-01-01')
    await form.getByLabel('Ends').fill('2025-01-01')
    await form.getByRole('button', { name: 'Create a coupon' }).click()
    await form.locator('[name=discount][aria-invalid=true]').waitFor()
    await form.locator('[name=end_date][aria-invalid=true]').waitFor()
    await requireAccessibleEverywhere(page, 'create a coupon')
    await wide(page)
    await form.getByLabel('Takes off').selectOption('dollar')
    await form.getByLabel('How much').fill('15')
    await form.getByLabel('In EUR').fill('14')
    await form.getByLabel('Ends').fill('2099-12-31')
    await form.getByLabel('Redemptions at most').fill('100')
    await form.getByLabel('For', { exact: true }).selectOption('new')
    await form.getByRole('checkbox', { name: 'Professional' }).check()
    await form.getByRole('checkbox', { name: 'Yearly' }).check()
    await form.getByRole('checkbox', { name: 'Once', exact: true }).check()
    await form.getByLabel('Numbers of sites').fill('1,5')
    await form.getByLabel('On renewals too').check()
    await form.getByLabel('Once per customer').check()
    await form.getByRole('button', { name: 'Create a coupon' }).click()
    await page.getByRole('heading', { level: 1, name: 'FIFTEEN' }).waitFor()
    await page.getByText('$15.00, €14.00, £15.00').waitFor()
    const row = () =>
      app.ctx.db.selectFrom('coupons').selectAll().where('code', '=', 'FIFTEEN').executeTakeFirstOrThrow()
    const made = await row()
    assert.deepEqual(
      [made.discount, made.discount_eur, made.discount_gbp, made.redemptions_limit, made.user_type],
      [1500, 1400, null, 100, 'new'],
    )
    assert.deepEqual(
      [made.billing_cycles, made.licenses, made.start_date, made.end_date],
      ['0,12', '1,5', '2026-01-01 00:00:00', '2099-12-31 23:59:59'],
    )
    assert.deepEqual(
      [made.has_renewals_discount, made.has_addons_discount, made.is_one_per_user, made.is_active],
      [true, false, true, true],
    )
    await press(page, 'Change')
    await form.getByLabel('Ends').fill('')
    await form.getByLabel('In EUR').fill('')
    await form.getByRole('checkbox', { name: 'Professional' }).uncheck()
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await form.getByRole('button', { name: 'Save changes' }).click()
    assert.deepEqual((await sent).postDataJSON(), { end_date: null, plans: null, discounts: { eur: null } })
    await page.getByText('$15.00, €15.00, £15.00').waitFor()
    const special = page.getByRole('row', { name: /Leaving the checkout/ })
    await special.getByRole('button', { name: /^Use this coupon/ }).click()
    await special.getByText('This coupon', { exact: true }).waitFor()
    await special.getByRole('button', { name: /^End/ }).click()
    await special.getByRole('button', { name: /^Use this coupon/ }).waitFor()
    await press(page, 'Remove coupon')
    await dialog(page).getByRole('button', { name: 'Remove coupon' }).click()
    await page.getByRole('heading', { level: 1, name: 'Coupons' }).waitFor()
    assert.notEqual((await row()).deleted_at, null)
    assert.deepEqual(faults, [])
  })

  test('a plan is created with its prices, which say what a change does; what was sold stays', async (t) => {
    const { page, faults, allows } = await at(t, 'plans', 'Aurora Forms')
    allows('402 /plans.json', '400 /plans.json', '402 /pricing.json')
    await press(page, 'Create a plan')
    await dialog(page).getByRole('button', { name: 'Create a plan' }).click()
    await dialog(page).locator('[name=title][aria-invalid=true]').waitFor()
    await dialog(page).getByLabel('Title').fill('Studio')
    await dialog(page).getByLabel('Days of trial').fill('7')
    await dialog(page).getByLabel('Email address of the support').fill('no address')
    await dialog(page).getByRole('button', { name: 'Create a plan' }).click()
    await dialog(page).locator('[name=support_email][aria-invalid=true]').waitFor()
    await requireAccessibleEverywhere(page, 'create a plan')
    await wide(page)
    await dialog(page).getByLabel('Email address of the support').fill('help@example.com')
    await dialog(page).getByRole('button', { name: 'Create a plan' }).click()
    await page.getByRole('heading', { level: 2, name: 'Studio', exact: true }).waitFor()
    await page.getByRole('dialog', { name: 'Add a price: Studio' }).waitFor()
    await dialog(page).getByRole('button', { name: 'Add a price' }).click()
    await dialog(page).locator('[name=annual_price][aria-invalid=true]').waitFor()
    await dialog(page).getByLabel('Number of sites').fill('3')
    await dialog(page).getByLabel('Currency').selectOption('eur')
    await dialog(page).getByLabel('Price: Yearly').fill('49,90')
    await dialog(page).getByRole('button', { name: 'Add a price' }).click()
    const studio = page.getByRole('table', { name: 'Studio' })
    await studio.getByText('€49.90').waitFor()
    await press(page, 'Copy into another currency: Studio')
    await dialog(page).getByLabel('From').selectOption('eur')
    await dialog(page).getByLabel('To').selectOption('gbp')
    await dialog(page).getByRole('button', { name: 'Copy into another currency' }).click()
    await studio.getByText('£49.90').waitFor()
    await press(page, 'Remove price: 3 sites, GBP')
    await dialog(page).getByRole('button', { name: 'Remove price' }).click()
    await studio.getByText('£49.90').waitFor({ state: 'detached' })
    await press(page, 'Change plan: Studio')
    await dialog(page).getByLabel('Hidden: nobody can buy it').check()
    await dialog(page).getByRole('button', { name: 'Save changes' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    const plan = await app.ctx.db
      .selectFrom('plans')
      .select(['id', 'name', 'trial_period', 'is_hidden', 'is_block_features'])
      .where('title', '=', 'Studio')
      .executeTakeFirstOrThrow()
    const { id, ...said } = plan
    assert.deepEqual(said, { name: 'studio', trial_period: 7, is_hidden: true, is_block_features: true })
    await press(page, 'Remove plan: Studio')
    await dialog(page).getByRole('button', { name: 'Remove plan' }).click()
    await page.getByRole('heading', { level: 2, name: 'Studio' }).waitFor({ state: 'detached' })
    const left = await app.ctx.db.selectFrom('pricing').select('id').where('plan_id', '=', id).execute()
    assert.deepEqual(left, [])
    assert.deepEqual(faults, [])
  })

  test('before a price is saved its subscriptions are counted, and they keep their amount', async (t) => {
    const sold = await app.ctx.db
      .selectFrom('subscriptions')
      .innerJoin('pricing', 'pricing.id', 'subscriptions.pricing_id')
      .innerJoin('plans', 'plans.id', 'pricing.plan_id')
      .select(['pricing.id', 'pricing.licenses', 'pricing.annual_price', 'plans.title'])
      .where('pricing.product_id', '=', app.demo.productId)
      .where('pricing.currency', '=', 'usd')
      .where('pricing.licenses', '=', 1)
      .where('subscriptions.environment', '=', 0)
      .where('subscriptions.canceled_at', 'is', null)
      .executeTakeFirstOrThrow()
    const keeping = () =>
      app.ctx.db
        .selectFrom('subscriptions')
        .select(['id', 'renewal_amount'])
        .where('pricing_id', '=', sold.id)
        .where('environment', '=', 0)
        .where('canceled_at', 'is', null)
        .execute()
    const before = await keeping()
    const { page } = await at(t, 'plans', 'Aurora Forms')
    const prices = page.getByRole('table', { name: sold.title })
    await prices.getByRole('button', { name: 'Change price: 1 site, USD' }).click()
    await dialog(page)
      .getByText(`Subscriptions that go on at the amount they have: ${before.length}.`)
      .waitFor()
    await requireAccessibleEverywhere(page, 'change a price')
    await wide(page)
    await dialog(page).getByLabel('Price: Yearly').fill('123.45')
    await dialog(page).getByRole('button', { name: 'Save changes' }).click()
    await prices.getByText('$123.45').waitFor()
    assert.deepEqual(await keeping(), before)
    await prices.getByRole('button', { name: 'Remove price: 1 site, USD' }).click()
    await dialog(page).getByRole('button', { name: 'Remove price' }).click()
    await dialog(page).getByRole('alert').getByText(/sold/).waitFor()
  })

  test('the kind of a product is asked first, and one beside WordPress is asked nothing of WordPress', async (t) => {
    const { page, faults } = await app.signedIn(t)
    await page.goto(app.pathOf('products'))
    await press(page, 'Create a product')
    const first = dialog(page).locator('select, input:not([type=hidden])').first()
    await first.selectOption('Desktop app')
    await dialog(page).getByLabel('Title').fill('Aurora Desk')
    await dialog(page).getByRole('button', { name: 'Create a product' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.getByLabel('A license counts each').waitFor()
    assert.equal(await page.getByLabel('A license counts each').inputValue(), 'Device')
    assert.equal(await page.getByLabel('Kind', { exact: true }).inputValue(), 'desktop')
    assert.equal(await page.getByLabel('The free version stands in the public directory').count(), 0)
    assert.deepEqual(faults, [])
  })

  test('a product is created, and everything that is said of it is written, each by itself', async (t) => {
    const { page, faults, allows } = await app.signedIn(t)
    allows('402 /products.json', '400 /products.json', '400 /settings.json')
    await page.goto(app.pathOf('products'))
    await press(page, 'Create a product')
    await dialog(page).getByRole('button', { name: 'Create a product' }).click()
    await dialog(page).locator('[name=title][aria-invalid=true]').waitFor()
    await dialog(page).getByLabel('Title').fill('Aurora Maps')
    await dialog(page).getByLabel('Slug').fill('aurora-forms')
    await dialog(page).getByRole('button', { name: 'Create a product' }).click()
    await dialog(page).locator('[name=slug][aria-invalid=true]').waitFor()
    await requireAccessibleEverywhere(page, 'create a product')
    await wide(page)
    await dialog(page).getByLabel('Slug').fill('aurora-maps')
    await dialog(page).getByRole('button', { name: 'Create a product' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    const save = (panel: string) =>
      page.getByRole('region', { name: panel }).getByRole('button', { name: 'Save changes' }).click()
    const saved = (panel: string) => page.getByRole('region', { name: panel }).getByText('Saved.').waitFor()
    await page.getByLabel('Days of money back').fill('14')
    await page.getByLabel('Off renewals of a year').fill('12,5')
    await save('Selling')
    await saved('Selling')
    await page.getByLabel('Hosts that links may lead to').fill('shop.example.com\nNot a host')
    await save('Where buyers may be led')
    await page.locator('[name="data.redirect_hosts"][aria-invalid=true]').waitFor()
    await page.getByLabel('Hosts that links may lead to').fill('shop.example.com\nwww.example.com')
    await save('Where buyers may be led')
    await saved('Where buyers may be led')
    await page.getByLabel('Colour of checkout and portal').fill('blue')
    await save('Pages and links')
    await page.locator('[name="data.checkout_accent"][aria-invalid=true]').waitFor()
    await requireAccessibleEverywhere(page, 'wrong settings')
    await wide(page)
    await page.getByLabel('Colour of checkout and portal').fill('#0a5fd1')
    await save('Pages and links')
    await saved('Pages and links')
    await page.getByLabel('Addresses of screenshots').fill('https://a.example.com/1.png')
    await page.getByLabel('In a sentence').fill('Maps.')
    await save('Shown to the public')
    await saved('Shown to the public')
    const product = await app.ctx.db
      .selectFrom('products')
      .select(['id', 'money_back_period', 'annual_renewals_discount', 'redirect_hosts', 'checkout_accent'])
      .where('slug', '=', 'aurora-maps')
      .executeTakeFirstOrThrow()
    const { id, ...said } = product
    assert.deepEqual(said, {
      money_back_period: 14,
      // Hundredths of a per cent.
      annual_renewals_discount: 1250,
      redirect_hosts: '["shop.example.com","www.example.com"]',
      checkout_accent: '#0a5fd1',
    })
    const info = await app.ctx.db
      .selectFrom('product_info')
      .select(['short_description', 'screenshots'])
      .where('product_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(
      [info.short_description, JSON.parse(info.screenshots)],
      ['Maps.', { screenshot_0: 'https://a.example.com/1.png' }],
    )
    assert.deepEqual(faults, [])
  })

  test('an icon that is none is refused with the reason, and one that is one is shown', async (t) => {
    const { page, faults, allows } = await at(t, 'settings', 'Settings')
    allows('400 /products/1.json')
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })
    const chosen = page.getByLabel('Choose an icon', { exact: true }).and(page.locator('input'))
    const icon = page.getByRole('region', { name: 'Icon' })
    await chosen.setInputFiles(file('wrong.png', Buffer.from('<svg/>')))
    await icon.getByRole('alert').waitFor()
    await chosen.setInputFiles(file('icon.png', png(64, 64)))
    await icon.getByRole('img').waitFor()
    const shown = await page.request.get((await icon.getByRole('img').getAttribute('src')) ?? '')
    assert.ok((await shown.body()).equals(png(64, 64)))
    assert.deepEqual(faults, [])
  })

  test('where buyers are led is for admins alone, and says so; the secret key is never asked for', async (t) => {
    const developer = await joinTeam(app, 'developer')
    const seen: string[] = []
    const { page } = await app.signedIn(t, await app.sessionOf(developer))
    page.on('response', (response) => seen.push(response.url()))
    await page.goto(`${app.product}/settings`)
    const places = page.getByRole('region', { name: 'Where buyers may be led' })
    await places.getByText('Your role (developer) may not do this.').waitFor()
    assert.equal(await places.getByRole('button', { name: 'Save changes' }).isDisabled(), true)
    const selling = page.getByRole('region', { name: 'Selling' })
    assert.equal(await selling.getByRole('button', { name: 'Save changes' }).isDisabled(), false)
    const asked = seen.filter((url) => /\/developers\/\d+\/products\/\d+\.json/.test(url))
    assert.ok(
      asked.length > 0 && asked.every((url) => url.includes('fields=') && !url.includes('secret_key')),
    )
  })
})
