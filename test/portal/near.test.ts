// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { transaction } from '../../src/context.ts'
import { hasBrowser } from '../web/browser.ts'
import { startBuyerApp, type BuyerApp } from './buyer.ts'

/** What stands on the pages that one click on the first page leads to. */
const OF_LICENSE = [
  'Copy',
  'Replace key',
  /^Deactivate: /,
  'Deactivate everywhere',
  'Offline file',
  'Add an address',
  'Change plan',
  /^Download version/,
]
const OF_SUBSCRIPTION = ['Cancel subscription', 'Change payment method']

describe('what a buyer has is near', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: BuyerApp
  before(async () => {
    app = await startBuyerApp('portal_near')
    await app.chargeHere()
  })
  after(() => app.close())

  test('50: all that is done with a license or a subscription takes two clicks from the first page', async (t) => {
    const { page, faults } = await app.entered(t)
    for (const [way, acts] of [
      [`licenses/${app.bought.license_id}`, OF_LICENSE],
      [`subscriptions/${app.bought.id}`, OF_SUBSCRIPTION],
    ] as const) {
      await page.goto(app.pathOf(`${app.productId}`))
      await page.locator(`a[href$="/${way}"]`).first().click()
      await page.getByRole('heading', { level: 1, name: /#\d+$/ }).waitFor()
      for (const act of acts) {
        const found = page.getByRole('button', { name: act }).or(page.getByRole('link', { name: act }))
        await found.first().click({ trial: true })
      }
    }
    assert.deepEqual(faults, [])
  })

  test('50: a key is copied from the first page at one click, which shows it nowhere', async (t) => {
    const { page, faults } = await app.entered(t)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const key = await app.keyNow()
    const row = page
      .getByRole('table', { name: 'Licenses' })
      .getByRole('row')
      .filter({ hasText: key.slice(-4) })
    await row.getByRole('button', { name: 'Copy' }).click()
    await row.getByText('Copied').waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key)
    assert.equal(await page.getByText(key, { exact: true }).count(), 0)
    assert.deepEqual(faults, [])
  })

  test('a subscription says when is paid next, and how much', async (t) => {
    const { page, faults } = await app.entered(t)
    const { next_payment: next, renewal_amount: amount } = await app.ctx.db
      .selectFrom('subscriptions')
      .select(['next_payment', 'renewal_amount'])
      .where('id', '=', app.bought.id)
      .executeTakeFirstOrThrow()
    const row = page
      .getByRole('table', { name: 'Subscriptions' })
      .getByRole('row')
      .filter({ has: page.locator(`a[href$="/subscriptions/${app.bought.id}"]`) })
    assert.ok(next)
    await row.locator(`time[datetime^="${next.slice(0, 10)}"]`).waitFor()
    await row.getByText(`$${(amount / 100).toFixed(2)}`).waitFor()
    assert.deepEqual(faults, [])
  })

  test('whoever bought several products of the seller goes from one to the other, and sees of each its own', async (t) => {
    const { id: other, title } = await app.ctx.db
      .selectFrom('products')
      .select(['id', 'title'])
      .where('id', '<>', app.productId)
      .where('developer_id', '=', 1)
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const user = await app.otherBuyer()
    await transaction(app.ctx, async ({ db }) => {
      const {
        product_id: _,
        public_key: key,
        ...belongs
      } = await db
        .selectFrom('product_users')
        .selectAll()
        .where('user_id', '=', user.id)
        .where('product_id', '=', app.productId)
        .executeTakeFirstOrThrow()
      await db
        .deleteFrom('product_users')
        .where('user_id', '=', user.id)
        .where('product_id', '=', other)
        .execute()
      await db
        .insertInto('product_users')
        .values({ ...belongs, product_id: other, public_key: `${key}o` })
        .execute()
    })
    const { page, faults } = await app.entered(t, { user })
    await page.getByRole('navigation', { name: 'Products' }).getByRole('link', { name: title }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByText('You have no license').waitFor()
    assert.deepEqual(faults, [])
  })

  test('news by email are agreed to and taken back in the profile, and the VAT ID stands at the billing address', async (t) => {
    const { page, faults, allows } = await app.entered(t, { path: 'profile' })
    allows('400 /billing.json')
    const news = page.getByLabel('Send me news and offers by email')
    for (const agrees of [true, false]) {
      await news.setChecked(agrees)
      const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
      await page.getByRole('button', { name: 'Save' }).first().click()
      assert.equal((await saved).status(), 200)
      await page.reload()
      await news.waitFor()
      assert.equal(await news.isChecked(), agrees)
    }
    await page.getByLabel('VAT ID').fill('DE123')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByText('A VAT ID of that country has another form.').waitFor()
    assert.equal(await page.getByLabel('VAT ID').inputValue(), 'DE123')
    await page.getByLabel('VAT ID').fill('DE123456788')
    const saved = page.waitForResponse((response) => response.url().includes('/billing.json'))
    await page.getByRole('button', { name: 'Save' }).last().click()
    assert.ok((await saved).ok(), await (await saved).text())
    const billing = await app.ctx.db
      .selectFrom('billing')
      .select('tax_id')
      .where('user_id', '=', app.bought.user_id)
      .executeTakeFirst()
    assert.equal(billing?.tax_id, 'DE123456788')
    assert.deepEqual(faults, [])
  })
})
