// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { transaction } from '../../src/context.ts'
import { hashPassword } from '../../src/lib/password.ts'
import { PASSWORD } from '../logins.ts'
import { hasBrowser } from '../web/browser.ts'
import { dialog } from './hands.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

/** More stops than a page has. */
const STOPS = 150

describe('the dashboard by keyboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_keyboard')
    const password_hash = await hashPassword(PASSWORD, app.ctx.passwordCost)
    await transaction(app.ctx, ({ db }) => db.updateTable('developers').set({ password_hash }).execute())
  })
  after(() => app.close())

  test('4: with Tab and Enter alone: log in, find a customer, create a license, refund, release a version', async (t) => {
    const { page, faults, allows } = await app.signedIn(t, 'none')
    allows('401 /session.json')
    const title = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
    const button = (name: string | RegExp, of: Page | Locator = page) =>
      of.getByRole('button', { name, exact: true })
    const link = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
    await page.goto(`${app.product}/licenses`)
    await title('Sign in')
    await typeInto(page, page.getByLabel('Email address'), 'demo@example.com')
    await typeInto(page, page.getByRole('textbox', { name: 'Password' }), PASSWORD)
    await enter(page, button('Sign in'))
    await title('Licenses')

    await page.keyboard.press('Control+k')
    await dialog(page).getByRole('combobox').waitFor()
    await page.keyboard.type('amara.okafor')
    await dialog(page).getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await title('Amara Okafor')

    await enter(page, link('Licenses'))
    await title('Licenses')
    await enter(page, button('Issue a license'))
    await typeInto(page, dialog(page).getByLabel('Email address'), 'amara.okafor@example.com')
    await enter(page, button('Issue license', dialog(page)))
    await title(/^License #\d+$/)

    await enter(page, button('Test'))
    await enter(page, link('Payments'))
    await title('Payments')
    await enter(
      page,
      page
        .getByRole('row', { name: /\$94\.01/ })
        .getByRole('link')
        .first(),
    )
    await title('$94.01')
    await enter(page, button('Refund'))
    await enter(page, button('Refund $94.01', dialog(page)))
    await page.getByText('$94.01 was refunded.').waitFor()

    await enter(page, button('Live'))
    await enter(page, link('Versions'))
    await title('Versions')
    await enter(page, page.locator('main tbody .names a').first())
    await title(/^Version /)
    await page.locator('.page-title').getByText('Not released').waitFor()
    await enter(page, button('Release'))
    await enter(page, button('Release', dialog(page)))
    await page.locator('.page-title').getByText('Released', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })
})

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const focused = target.and(page.locator(':focus'))
  for (let stop = 0; stop < STOPS && (await focused.count()) === 0; stop++) await page.keyboard.press('Tab')
  assert.equal(await focused.count(), 1, `${target.toString()} is reached by Tab`)
}

async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.type(text)
}
