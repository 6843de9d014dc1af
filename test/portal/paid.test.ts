// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hasBrowser } from '../web/browser.ts'
import { startBuyerApp, type BuyerApp } from './buyer.ts'

describe('what a buyer reads of what was paid', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: BuyerApp
  before(async () => {
    app = await startBuyerApp('portal_paid')
  })
  after(() => app.close())

  test('50: the key is shown by keyboard alone', async (t) => {
    const { secret_key: sealed } = await app.ctx.db
      .selectFrom('licenses')
      .select('secret_key')
      .where('id', '=', app.bought.license_id)
      .executeTakeFirstOrThrow()
    const key = app.ctx.keys.open(sealed, 'licenses.secret_key')
    const path = `${app.productId}/licenses/${app.bought.license_id}`
    const { page, faults } = await app.entered(t, { path })
    await page.getByRole('button', { name: 'Show', exact: true }).first().focus()
    await page.keyboard.press('Enter')
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

  test('what was paid has a link to its document by its name', async (t) => {
    const payers = await payersOf('is not')
    for (const [type, name] of [
      ['payment', 'Invoice'],
      ['refund', 'Credit note'],
    ] as const) {
      const user = payers.find((one) => one.type === type) ?? assert.fail(type)
      const { page } = await app.entered(t, { user })
      const link = page.getByRole('link', { name: new RegExp(`^${name} of `) }).first()
      await link.focus()
      const answered = page
        .context()
        .waitForEvent('response', (response) => response.url().endsWith('/invoice.pdf'))
      await page.keyboard.press('Enter')
      const answer = await answered
      assert.deepEqual([answer.status(), answer.headers()['content-type']], [200, 'application/pdf'], type)
    }
  })

  test('what was paid elsewhere, or is disputed, has no link to a document that is not here', async (t) => {
    const here = new Set((await payersOf('is not')).map(({ id }) => id))
    const payers = (await payersOf('is')).filter(({ id }) => !here.has(id))
    for (const [type, word] of [
      ['payment', 'Paid'],
      ['refund', 'Refund'],
      ['disputed', 'In dispute'],
      ['won_dispute', 'Dispute won'],
    ] as const) {
      const user = payers.find((one) => one.type === type) ?? assert.fail(type)
      const { page } = await app.entered(t, { user })
      const table = page.getByRole('table', { name: 'Payments' })
      await table.getByText(word, { exact: true }).first().waitFor()
      const rows = table.getByRole('row').filter({ has: page.getByText(word, { exact: true }) })
      assert.equal(await rows.getByRole('link').count(), 0, type)
    }
  })
})
