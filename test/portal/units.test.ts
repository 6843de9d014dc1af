// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hasBrowser } from '../web/browser.ts'
import { saysNoSite } from '../web/words.ts'
import { startBuyerApp, type BuyerApp } from './buyer.ts'

const WORDS = {
  en: ['Device', 'Deactivate everywhere', /on (?:\d+|the one) devices?/, 'Replace key'],
  de: ['Gerät', 'Überall deaktivieren', /Geräten|1 Gerät/, 'Schlüssel ersetzen'],
} as const

describe('what a license counts, to its buyer', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: BuyerApp
  before(async () => {
    app = await startBuyerApp('portal_units')
    const units = { selling_unit_singular: 'Device', selling_unit_plural: 'Devices' } as const
    await app.ctx.database.transaction((db) => db.updateTable('products').set(units).execute())
  })
  after(async () => {
    await app.close()
  })

  for (const [tag, [one, everywhere, on, replace]] of Object.entries(WORDS)) {
    test(`the page of a license that counts devices says so, and none speaks of sites (${tag})`, async (t) => {
      const { user_id: userId, license_id: licenseId } = app.bought
      await app.ctx.database.transaction((db) =>
        db.updateTable('users').set({ language: tag }).where('id', '=', userId).execute(),
      )
      const { page, faults } = await app.entered(t, { path: `${app.productId}/licenses/${licenseId}` })
      await page.getByRole('columnheader', { name: one }).waitFor()
      await saysNoSite(page, 'license')
      for (const [button, word] of [
        [everywhere, on],
        [replace, null],
      ] as const) {
        await page.getByRole('button', { name: button, exact: true }).click()
        const dialog = page.getByRole('dialog')
        await (word === null ? dialog : dialog.getByText(word).first()).waitFor()
        await saysNoSite(page, button)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
      }
      for (const path of ['', 'profile']) {
        await page.goto(`${app.address}/portal/${path}`)
        await page.locator('main h1').waitFor()
        await saysNoSite(page, path)
      }
      assert.deepEqual(faults, [])
    })
  }
})
