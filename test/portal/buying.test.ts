// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { MINUTE } from '../../src/lib/time.ts'
import { untilDone } from '../../src/work/afterwards.ts'
import { mailsTo } from '../mails.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessible, requireAccessibleEverywhere } from '../web/watched.ts'
import { startBuyerApp, type BuyerApp } from './buyer.ts'
import { pressByTab } from './keyboard.ts'

describe('what a buyer does alone', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: BuyerApp
  before(async () => {
    app = await startBuyerApp('portal_buying')
    await app.chargeHere()
  })
  after(() => app.close())

  const license = () =>
    app.ctx.db
      .selectFrom('licenses')
      .selectAll()
      .where('id', '=', app.bought.license_id)
      .executeTakeFirstOrThrow()

  const subscription = () =>
    app.ctx.db
      .selectFrom('subscriptions')
      .selectAll()
      .where('id', '=', app.bought.id)
      .executeTakeFirstOrThrow()

  const carts = () => app.ctx.db.selectFrom('carts').select('id').orderBy('id').execute()

  test('49: from the mail to the license key in two clicks, after asking for the link', async (t) => {
    const { page, faults } = await app.page(t)
    await page.goto(app.pathOf(`?product_id=${app.productId}`))
    await page.getByLabel('Email address').fill('nobody@example.com')
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    const sent = page.getByRole('status').getByText('the link is on its way')
    await sent.waitFor()
    await page.getByLabel('Email address').fill(app.bought.email)
    const answered = page.waitForResponse((response) => response.url().endsWith('/portal/link.json'))
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    assert.equal((await answered).status(), 202)
    await untilDone()
    const { text = '' } =
      (await mailsTo(app, app.bought.email)).findLast(({ kind }) => kind === 'portal_link') ?? {}
    await page.goto(/http\S+\/portal\/login\?token=\S+/.exec(text)?.[0] ?? assert.fail(text))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Show', exact: true }).first().click()
    const key = await app.keyNow()
    await page.getByText(key, { exact: true }).waitFor()
    assert.ok(!page.url().includes('token'), page.url())
    assert.equal(await page.evaluate('document.cookie'), '', 'no script reads the cookie')
    assert.deepEqual(faults, [])
  })

  test('49: a link that was used works again for five minutes, then says so and offers another', async (t) => {
    const user = { id: app.bought.user_id, email: app.bought.email }
    const link = app.linkOf(user, { isForOnce: true })
    const home = { level: 1, name: 'Aurora Forms' } as const
    for (let time = 0; time < 2; time++) {
      const { page } = await app.page(t)
      await page.goto(link)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('heading', home).waitFor()
    }
    app.ctx.clock.advance(5 * MINUTE)
    const { page } = await app.page(t)
    await page.goto(link)
    await page.getByText('It is too old, or was used before.').waitFor()
    await requireAccessible(page, 'a link that was used')
    await page.getByRole('link', { name: 'Ask for another link' }).click()
    await page.getByRole('button', { name: 'Mail me a link' }).waitFor()
  })

  test('a link that is over says so, and leads to where another is asked for', async (t) => {
    const { page } = await app.page(t)
    const link = app.linkOf({ id: app.bought.user_id, email: 'another@example.com' })
    await page.goto(link)
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    await page.getByRole('link', { name: 'Ask for another link' }).click()
    await page.getByRole('heading', { name: 'Your purchases' }).waitFor()
    await page.getByText('Aurora Forms').waitFor()
  })

  test('50: a site is deactivated from the page of the license', async (t) => {
    const { page, faults } = await app.entered(t, {
      path: `${app.productId}/licenses/${app.bought.license_id}`,
    })
    const before = (await license()).activated
    const rows = page.getByRole('button', { name: /^Deactivate: / })
    await rows.first().waitFor()
    const count = await rows.count()
    await rows.first().click()
    await page.getByRole('status').getByText('is deactivated.').waitFor({ state: 'attached' })
    await rows.nth(count - 1).waitFor({ state: 'detached' })
    assert.equal((await license()).activated, before - 1)
    assert.deepEqual(faults, [])
  })

  test('50: what another plan comes to is said line by line, as the checkout then says it', async (t) => {
    const { page, faults } = await app.entered(t, {
      path: `${app.productId}/licenses/${app.bought.license_id}`,
    })
    await page.getByRole('button', { name: 'Change plan' }).click()
    const dialog = page.getByRole('dialog')
    const before = await carts()
    const total = () => dialog.locator('.total dd').textContent()
    await dialog.getByText('Due now').waitFor()
    const renewal = await total()
    await dialog.getByLabel('Number').selectOption('5')
    await dialog.getByLabel('Billed').selectOption('every year')
    await dialog.getByText(/^Credit for/).waitFor()
    await dialog.getByText(/^Renews on .* every year\.$/).waitFor()
    await requireAccessible(page, 'what another plan comes to')
    assert.notEqual(await total(), renewal)
    assert.deepEqual(await carts(), before, 'looking at prices leaves no cart')
    const shown = await dialog.locator('.quote dl dd').allTextContents()
    await dialog.getByRole('button', { name: 'Continue to the checkout' }).click()
    await page.waitForURL((url) => url.searchParams.get('license_id') === String(app.bought.license_id))
    await page.getByText('Total today').waitFor()
    assert.deepEqual(await page.locator('.lines dl dd').allTextContents(), shown)
    assert.deepEqual(faults, [])
  })

  test('51: a subscription is cancelled without a reason, and by Tab and Enter alone', async (t) => {
    const { page, faults } = await app.entered(t, { path: `${app.productId}/subscriptions/${app.bought.id}` })
    await pressByTab(page, page.getByRole('button', { name: 'Cancel subscription' }))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Nothing is charged any more.').waitFor()
    await pressByTab(page, dialog.getByRole('button', { name: 'Cancel subscription' }))
    await page.getByRole('status').getByText('The subscription is cancelled.').waitFor()
    assert.notEqual((await subscription()).canceled_at, null)
    assert.deepEqual(faults, [])
  })

  test('what was cancelled is resumed after it is said when is paid what', async (t) => {
    const { page, faults } = await app.entered(t, { path: `${app.productId}/subscriptions/${app.bought.id}` })
    await page.getByText('You can resume it until').waitFor()
    await page.getByRole('button', { name: 'Resume subscription' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The next payment is on').waitFor()
    await requireAccessible(page, 'before a subscription is resumed')
    await dialog.getByRole('button', { name: 'Resume subscription' }).click()
    await page.getByRole('status').getByText('The subscription goes on.').waitFor()
    await page.getByRole('button', { name: 'Cancel subscription' }).waitFor()
    const { canceled_at: at, next_payment: next } = await subscription()
    assert.deepEqual([at, next], [null, app.bought.next_payment])
    assert.deepEqual(faults, [])
  })

  test('who is about to cancel is offered the coupon against it, and stays for what was said, once', async (t) => {
    const { page, faults } = await app.entered(t, { path: `${app.productId}/subscriptions/${app.bought.id}` })
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    const stay = page.getByRole('dialog').getByRole('button', { name: /^Stay for / })
    await stay.waitFor()
    await requireAccessible(page, 'before a subscription is cancelled')
    const [, amount = ''] = /([\d.]+)$/.exec((await stay.textContent()) ?? '') ?? []
    await stay.click()
    await page.getByRole('status').getByText('The subscription goes on for less.').waitFor()
    assert.equal((await subscription()).renewal_amount, Math.round(Number(amount) * 100))
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    await page.getByText('Nothing is charged any more.').waitFor()
    assert.equal(await stay.count(), 0)
    assert.deepEqual(faults, [])
  })

  test('51: whoever wants to says why it is cancelled, and in words what is no choice', async (t) => {
    const { page, faults } = await app.entered(t, { path: `${app.productId}/subscriptions/${app.bought.id}` })
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    const dialog = page.getByRole('dialog')
    const why = dialog.getByLabel('Why do you cancel?')
    await why.selectOption('It is too expensive')
    assert.equal(await dialog.getByLabel('In your words').count(), 0)
    await why.selectOption('Another reason')
    await dialog.getByLabel('In your words').fill('We close the shop.')
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click()
    await page.getByRole('status').getByText('The subscription is cancelled.').waitFor()
    const { data } = await app.ctx.db
      .selectFrom('events')
      .select('data')
      .where('type', '=', 'subscription.cancelled')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const { reason_ids: ids, reason } = JSON.parse(data ?? '{}') as { reason_ids: string[]; reason: string }
    assert.deepEqual([ids, reason], [['7'], 'We close the shop.'])
    assert.deepEqual(faults, [])
  })

  test('what is tried is listed with its end and how it stands', async (t) => {
    const trial = await app.ctx.db
      .selectFrom('trials')
      .innerJoin('users', 'users.id', 'trials.user_id')
      .select(['users.id', 'users.email'])
      .where('trials.product_id', '=', app.productId)
      .where('trials.notice_at', 'is not', null)
      .where('trials.canceled_at', 'is', null)
      .where('trials.converted_at', 'is', null)
      .executeTakeFirstOrThrow()
    const { page, faults } = await app.page(t)
    await page.goto(app.linkOf(trial))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goto(app.pathOf(`${app.productId}`))
    await page.getByRole('table', { name: 'Trials' }).getByText('Running').first().waitFor()
    await requireAccessible(page, 'a product that is tried')
    assert.deepEqual(faults, [])
  })

  test('the name and the billing address are changed, and what is wrong is said at its field', async (t) => {
    const { page, faults, allows } = await app.entered(t, { path: 'profile' })
    allows('400 /users/')
    await page.getByLabel('First name').fill('Augusta')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByRole('status').getByText('Saved.').waitFor()
    await page.getByLabel('Email address').fill('not an address')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('must be a valid email address').waitFor()
    await page.getByLabel('City').fill('Tromsø')
    await page.getByLabel('Country').selectOption('Norway')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByRole('status').getByText('Saved.').last().waitFor()
    const user = await app.ctx.db
      .selectFrom('users')
      .innerJoin('billing', 'billing.user_id', 'users.id')
      .select(['users.first', 'address_city', 'address_country_code'])
      .where('users.id', '=', app.bought.user_id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(user, { first: 'Augusta', address_city: 'Tromsø', address_country_code: 'no' })
    assert.deepEqual(faults, [])
  })

  test('what is stored of a person is one file, and who erases it by the own address is signed out', async (t) => {
    const other = await app.otherBuyer()
    const { page, faults, allows } = await app.entered(t, { user: other, path: 'profile' })
    allows('400', '401')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download my data' }).click()
    const archive = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
    await page.getByRole('status').getByText(`The file has ${archive.records.length} records.`).waitFor()
    assert.equal(archive.records[0].data.email, other.email)
    await page.getByRole('button', { name: 'Erase me' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Kept by law are payments').waitFor()
    await requireAccessibleEverywhere(page, 'erase me')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog.getByLabel(/^Type your address/).fill('another@example.com')
    await dialog.getByRole('button', { name: 'Erase me' }).click()
    await dialog.locator('[aria-invalid=true]').waitFor()
    await dialog.getByLabel(/^Type your address/).fill(other.email)
    await dialog.getByRole('button', { name: 'Erase me' }).click()
    await page.getByRole('heading', { level: 1, name: 'Your data is erased' }).waitFor()
    await page.goto(app.pathOf('profile'))
    await page.getByRole('heading', { name: 'Your purchases' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('who leaves everywhere is out in every browser, which asks for another link', async (t) => {
    const one = await app.entered(t)
    const other = await app.entered(t)
    await one.page.getByRole('button', { name: /\w/ }).first().waitFor()
    await one.page.locator('.person').click()
    await one.page.getByRole('menuitem', { name: 'Leave on all devices' }).click()
    await one.page.getByRole('heading', { name: 'Your purchases' }).waitFor()
    await other.page.goto(app.pathOf(`${app.productId}`))
    await other.page.getByRole('heading', { name: 'Your purchases' }).waitFor()
  })
})
