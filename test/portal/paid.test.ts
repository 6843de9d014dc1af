// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { transaction } from '../../src/context.ts'
import { mailsTo } from '../mails.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessible } from '../web/watched.ts'
import { startBuyerApp, type BuyerApp } from './buyer.ts'
import { pressByTab } from './keyboard.ts'

describe('what a buyer reads of what was paid', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: BuyerApp
  before(async () => {
    app = await startBuyerApp('portal_paid')
  })
  after(() => app.close())

  test('50: the key is shown by Tab and Enter alone', async (t) => {
    const key = await app.keyNow()
    const path = `${app.productId}/licenses/${app.bought.license_id}`
    const { page, faults } = await app.entered(t, { path })
    await pressByTab(page, page.getByRole('button', { name: 'Show', exact: true }).first())
    await page.getByText(key, { exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })

  /** Of the buyers of the demo's sandbox, which has its documents here, and of those who paid elsewhere. */
  const payersOf = (how: 'is' | 'is not') =>
    app.ctx.db
      .selectFrom('payments')
      .innerJoin('users', 'users.id', 'payments.user_id')
      .select(['users.id', 'users.email', 'payments.id as payment_id', 'payments.type'])
      .where('payments.product_id', '=', app.productId)
      .where('payments.gateway', how, null)
      .orderBy('payments.id')
      .execute()

  test('what was paid has a link to its document by its name, which is opened by Tab and Enter alone', async (t) => {
    const payers = await payersOf('is not')
    for (const [type, name] of [
      ['payment', 'Invoice'],
      ['refund', 'Credit note'],
    ] as const) {
      const user = payers.find((one) => one.type === type) ?? assert.fail(type)
      const { page } = await app.entered(t, { user })
      const link = page.getByRole('link', { name: new RegExp(`^${name} of `) }).first()
      const answered = page
        .context()
        .waitForEvent('response', (response) => response.url().endsWith('/invoice.pdf'))
      await pressByTab(page, link)
      const answer = await answered
      assert.deepEqual([answer.status(), answer.headers()['content-type']], [200, 'application/pdf'], type)
    }
  })

  test('an invoice is sent by e-mail again at a click, which the page says', async (t) => {
    const [user = assert.fail()] = (await payersOf('is not')).filter(({ type }) => type === 'payment')
    const { page, faults } = await app.entered(t, { user })
    await page
      .getByRole('button', { name: /^Send by e-mail: Invoice of / })
      .first()
      .click()
    await page.getByText('On its way to you.').waitFor()
    const [mail] = (await mailsTo(app, user.email)).slice(-1)
    assert.equal(mail?.kind, 'invoice')
    assert.ok(mail?.invoiceOf)
    assert.deepEqual(faults, [])
  })

  test('for another card, and for what is owed, one is led to the checkout of the license', async (t) => {
    const { id, license_id: license } = app.bought
    const owing = (balance: number) =>
      transaction(app.ctx, ({ db }) =>
        db.updateTable('subscriptions').set({ outstanding_balance: balance }).where('id', '=', id).execute(),
      )
    const { page, faults } = await app.entered(t, { path: `${app.productId}/subscriptions/${id}` })
    await page.getByRole('button', { name: 'Change payment method' }).click()
    await page.waitForURL((url) => url.searchParams.get('license_id') === String(license))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await owing(1234)
    t.after(() => owing(0))
    await page.goto(app.pathOf(`${app.productId}/subscriptions/${id}`))
    await page.getByText('Owed', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Pay what is owed' }).click()
    await page.waitForURL((url) => url.searchParams.get('license_id') === String(license))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    assert.deepEqual(faults, [])
  })

  test('another address takes a link at each of both, and the profile says where they went', async (t) => {
    const user = await app.otherBuyer()
    const { page, faults } = await app.entered(t, { user, path: 'profile' })
    const email = 'moved@example.com'
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByRole('status').getByText(`on their way to ${email} and to ${user.email}.`).waitFor()
    const follow = async (address: string, button: string) => {
      const text = (await mailsTo(app, address)).at(-1)?.text ?? ''
      const { page: other } = await app.page(t)
      await other.goto(/http\S+\/confirm-email\/\S+/.exec(text)?.[0] ?? assert.fail(text))
      await requireAccessible(other, button)
      await other.getByRole('button', { name: button }).click()
      return other
    }
    const half = await follow(email, 'Confirm')
    await half.getByText('There is another link in a mail to the address that your account has').waitFor()
    const whole = await follow(user.email, 'I agree')
    await whole.getByText(`${email} is confirmed.`).waitFor()
    await page.reload()
    await page
      .getByLabel('Email address')
      .and(page.locator(`[value="${email}"]`))
      .waitFor()
    assert.deepEqual(faults, [])
  })

  test('a language that is chosen is that of the pages at once, in another browser, and of mails', async (t) => {
    const chosen = async () =>
      (
        await app.ctx.db
          .selectFrom('users')
          .select('language')
          .where('id', '=', app.bought.user_id)
          .executeTakeFirstOrThrow()
      ).language
    const { page, faults } = await app.entered(t, { path: 'profile' })
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor()
    assert.equal(await chosen(), 'de')
    const { page: other } = await app.entered(t, { path: 'profile' })
    await other.getByRole('heading', { name: 'Profil', level: 1 }).waitFor()
    await requireAccessible(other, 'the language')
    await other.getByLabel('Sprache').selectOption('Wie im Browser eingestellt')
    await other.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
    assert.equal(await chosen(), null)
    assert.deepEqual(faults, [])
  })

  test('what was paid elsewhere, or is disputed, has no link to a document that is not here', async (t) => {
    const here = new Set((await payersOf('is not')).map(({ id }) => id))
    const payers = (await payersOf('is')).filter(({ id }) => !here.has(id))
    for (const [type, word] of [
      ['payment', 'Paid'],
      ['refund', 'Refund'],
      ['disputed', 'In dispute'],
      ['won_dispute', 'Dispute won'],
      ['lost_dispute', 'Dispute lost'],
    ] as const) {
      const user = payers.find((one) => one.type === type) ?? assert.fail(type)
      const { page } = await app.entered(t, { user })
      const table = page.getByRole('table', { name: 'Payments' })
      await table.getByText(word, { exact: true }).first().waitFor()
      const rows = table.getByRole('row').filter({ has: page.getByText(word, { exact: true }) })
      assert.equal(await rows.getByRole('link').or(rows.getByRole('button')).count(), 0, type)
    }
  })
})
