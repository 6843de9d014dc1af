// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { transaction } from '../../src/context.ts'
import { startSellerApp, type SellerApp } from '../dashboard/seller.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere, shown } from '../web/watched.ts'

describe('the portal as a customer sees it', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('portal_view')
  })
  after(() => app.close())

  test('a seller opens it from the page of the customer, and can change nothing', async (t) => {
    const { page, faults, allows } = await app.at(t, 'customers/1', 'Amara Okafor')
    allows('401 /users/')
    await page.getByRole('button', { name: 'See the portal as this customer' }).click()
    await page.getByText(/^You see what .+@.+ sees, and can change nothing\.$/).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    const said = page.getByText(/^You see what .+@.+ sees\. Only the customer can change something here\.$/)
    await said.waitFor()
    await requireAccessibleEverywhere(page, 'the portal as a customer sees it')
    await page.getByRole('button', { name: 'Amara Okafor' }).click()
    await shown(page, '[role=menu]')
    await requireAccessibleEverywhere(page, 'the menu of a customer')
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    await page.getByRole('textbox', { name: 'First name' }).first().fill('Forged')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page
      .getByRole('alert')
      .getByText('You see the portal as a customer; only the customer can do this.')
      .waitFor()
    assert.deepEqual(faults, [])
  })

  test('it is in the language of the customer, and that stays in no browser of the seller', async (t) => {
    const speak = (language: string | null) =>
      transaction(app.ctx, ({ db }) =>
        db.updateTable('users').set({ language }).where('id', '=', 1).execute(),
      )
    await speak('de')
    t.after(() => speak(null))
    const { page, faults } = await app.at(t, 'customers/1', 'Amara Okafor')
    await page.getByRole('button', { name: 'See the portal as this customer' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(/^Sie sehen, was .+@.+ sieht\./).waitFor()
    assert.equal(await page.evaluate("localStorage.getItem('keywright-portal-language')"), null)
    const asked = `${app.address}/portal/?product_id=${app.demo.productId}`
    for (const at of [page, await page.context().newPage()]) {
      await page.context().clearCookies({ name: /portal/ })
      await at.goto(asked)
      await at.getByRole('heading', { level: 1, name: 'Your purchases' }).waitFor()
    }
    assert.deepEqual(faults, [])
  })
})
