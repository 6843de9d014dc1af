// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { vatIdRegister } from '../../src/sales/taxes/vat-ids.ts'
import type { TestApp } from '../app.ts'
import { asDeveloper } from '../callers.ts'
import { startWebApp } from './app.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'
import { fillIn, hostedCheckout, payButton, thanked, type Hosted } from './hosted.ts'
import { requireAccessible } from './watched.ts'

const FRENCH = 'FR40303265045'

describe('a company at a checkout', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: TestApp
  let browser: Browser
  let hosted: Hosted
  let isAnswered = false
  before(async () => {
    app = await startWebApp('web_vat_register')
    const vatIds = vatIdRegister({
      async isKnown() {
        if (!isAnswered) throw new Error('The office does not answer.')
        return true
      },
    })
    Object.assign(app.ctx, { vatIds })
    const developer = await asDeveloper(app)
    const settings = { country: 'DE', registrations: 'DE,EU', legal_name: 'Seller', address: 'Street 1' }
    const { status, text } = await developer('PUT', '/tax_settings.json', settings)
    assert.ok(status < 300, text)
    browser = await sharedBrowser()
    hosted = await hostedCheckout(app, browser)
  })
  after(async () => {
    await app.close()
  })

  const ANSWERS = [
    { isAnswered: false, says: /The tax office does not answer. Tax is added until it does./, tax: 4_000 },
    { isAnswered: true, says: /VAT ID found. No tax is added/, tax: 0 },
  ] as const

  for (const { isAnswered: answers, says, tax } of ANSWERS) {
    const name = answers
      ? 'is not taxed where the office answers'
      : 'is taxed while the office does not answer'
    test(`${name}, is told so, and pays what is shown`, async (t) => {
      isAnswered = answers
      const { page, faults } = await hosted.open(t)
      await fillIn(page, `company-${answers}@example.com`)
      await page.getByLabel('Country').selectOption('FR')
      await payButton(page).getByText('$240.00').waitFor()
      await page.getByRole('button', { name: 'I buy for a company' }).click()
      await page.getByLabel('VAT ID').fill(FRENCH)
      await page.getByLabel('VAT ID').blur()
      await page.getByText(says).waitFor()
      const described = await page.getByLabel('VAT ID').getAttribute('aria-describedby')
      assert.equal(described, 'field-vatId-help', 'a reader hears it at the field')
      const total = `$${(20_000 + tax) / 100}.00`
      await payButton(page).getByText(total).waitFor()
      await requireAccessible(page, String(says))
      const waiver = page.getByLabel(/lose my right to withdraw/)
      await waiver.waitFor({ state: 'detached' })
      await payButton(page).click()
      await thanked(page)
      const paid = await app.ctx.db
        .selectFrom('payments')
        .select(['gross', 'tax'])
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      assert.deepEqual(paid, { gross: 20_000, tax })
      assert.deepEqual(faults, [])
    })
  }
})
