// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { untilDone } from '../../src/work/afterwards.ts'
import { mailsTo } from '../mails.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { startBuyerApp, type BuyerApp } from './buyer.ts'

describe('what a buyer does alone', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: BuyerApp
  before(async () => {
    app = await startBuyerApp('portal_buying')
  })
  after(() => app.close())

  const license = () =>
    app.ctx.db
      .selectFrom('licenses')
      .selectAll()
      .where('id', '=', app.bought.license_id)
      .executeTakeFirstOrThrow()

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
    const key = app.ctx.keys.open((await license()).secret_key, 'licenses.secret_key')
    await page.getByText(key, { exact: true }).waitFor()
    assert.ok(!page.url().includes('token'), page.url())
    assert.equal(await page.evaluate('document.cookie'), '', 'no script reads the cookie')
    assert.deepEqual(faults, [])
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
    const { page, faults } = await app.entered(t)
    const before = (await license()).activated
    await page.goto(app.pathOf(`${app.productId}/licenses/${app.bought.license_id}`))
    const rows = page.getByRole('button', { name: /^Deactivate: / })
    await rows.first().waitFor()
    const count = await rows.count()
    await rows.first().click()
    await page.getByRole('status').getByText('is deactivated.').waitFor({ state: 'attached' })
    await rows.nth(count - 1).waitFor({ state: 'detached' })
    assert.equal((await license()).activated, before - 1)
    assert.deepEqual(faults, [])
  })

  test('50: another plan is chosen at the checkout, which opens for the license', async (t) => {
    const { page } = await app.entered(t)
    await page.goto(app.pathOf(`${app.productId}/licenses/${app.bought.license_id}`))
    await page.getByRole('button', { name: 'Change plan' }).click()
    await page.waitForURL((url) => url.searchParams.get('license_id') === String(app.bought.license_id))
    await page.getByText('Aurora Forms').first().waitFor()
  })

  test('51: a subscription is cancelled without a reason, and by keyboard alone', async (t) => {
    const { page, faults } = await app.entered(t)
    await page.goto(app.pathOf(`${app.productId}/subscriptions/${app.bought.id}`))
    await page.getByRole('button', { name: 'Cancel subscription' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Nothing is charged any more.').waitFor()
    await page.getByLabel(/^Why do you cancel/).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('The subscription is cancelled.').waitFor()
    const { canceled_at: at } = await app.ctx.db
      .selectFrom('subscriptions')
      .select('canceled_at')
      .where('id', '=', app.bought.id)
      .executeTakeFirstOrThrow()
    assert.notEqual(at, null)
    assert.deepEqual(faults, [])
  })

  test('the name and the billing address are changed, and what is wrong is said at its field', async (t) => {
    const { page, faults } = await app.entered(t)
    await page.goto(app.pathOf('profile'))
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
    const { page, faults } = await app.entered(t, other)
    await page.goto(app.pathOf('profile'))
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
    assert.deepEqual(
      faults.filter((fault) => !/\b40[01]\b/.test(fault)),
      [],
    )
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
