// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hasBrowser } from '../web/browser.ts'
import { saysNoSite } from '../web/words.ts'
import { press } from './hands.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

/** Pages of a product that say what a license counts, with what is on each as soon as it is there. */
const PAGES = [
  ['licenses', 'table'],
  ['licenses/1', 'table'],
  ['installs', 'table'],
  ['installs/1', 'dl'],
  ['plans', 'table'],
  ['coupons', 'table'],
  ['coupons/1', 'dl'],
  ['trials', 'h1'],
  ['explain', 'form'],
  ['bulk', 'h1'],
  ['customers/1', 'dl'],
  ['subscriptions', 'table'],
  ['carts', 'h1'],
  ['figures', 'h1'],
  ['settings', 'form'],
  ['mail-texts', 'h1'],
] as const

/** Dialogs of the license, by the words of their buttons, and a word of each. */
const DIALOGS = {
  en: { Change: 'Devices', 'Change plan': 'devices', 'Cancel license': /on \d+ devices?/ },
  de: { Ändern: 'Geräte', 'Tarif ändern': 'Geräte', 'Lizenz kündigen': /auf \d+ Gerät/ },
} as const

describe('what a license counts', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_units')
    const units = { selling_unit_singular: 'Device', selling_unit_plural: 'Devices' } as const
    await app.ctx.database.transaction((db) => db.updateTable('products').set(units).execute())
  })
  after(async () => {
    await app.close()
  })

  const language = (tag: 'en' | 'de') =>
    app.ctx.database.transaction((db) => db.updateTable('developers').set({ language: tag }).execute())

  for (const [tag, dialogs] of Object.entries(DIALOGS)) {
    test(`pages of a product that counts devices say so, and none speaks of sites (${tag})`, async (t) => {
      const { page, faults } = await app.signedIn(t)
      await language(tag === 'de' ? 'de' : 'en')
      for (const [path, there] of PAGES) {
        await page.goto(`${app.product}/${path}`)
        await page.locator(`main ${there}`).first().waitFor()
        await saysNoSite(page, path)
      }
      await page.goto(`${app.product}/plans`)
      await page
        .getByRole('columnheader', { name: tag === 'de' ? 'Geräte' : 'Devices' })
        .first()
        .waitFor()
      await page.goto(`${app.product}/licenses/1`)
      await page.getByRole('columnheader', { name: tag === 'de' ? 'Gerät' : 'Device' }).waitFor()
      for (const [button, word] of Object.entries(dialogs)) {
        await press(page, button)
        const dialog = page.getByRole('dialog')
        await dialog.getByText(word).first().waitFor()
        await saysNoSite(page, button)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
      }
      assert.deepEqual(faults, [])
    })
  }
})
