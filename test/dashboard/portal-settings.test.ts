// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

describe('the portal in the settings of a product', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_portal')
  })
  after(() => app.close())

  test('what customers may do in the portal is switched off, with its words seen before they are saved', async (t) => {
    await app.ctx.database.transaction((db) =>
      db.updateTable('email_addresses').set({ support: null }).execute(),
    )
    const { page, faults, allows } = await app.at(t, 'settings', 'Settings')
    allows('400 /settings.json')
    const portal = page.getByRole('region', { name: 'Customer portal' })
    const may = portal.getByRole('region', { name: 'What customers may do' })
    const save = (region: Locator) => region.getByRole('button', { name: 'Save changes' }).click()
    await may.getByRole('checkbox', { name: 'Cancel a subscription' }).uncheck()
    await save(may)
    await may.getByRole('alert').getByText('needs an address of support').waitFor()
    await page.getByLabel('Whom a buyer writes to').fill('help@example.com')
    await page.getByLabel('Colour of checkout and portal').fill('#e8a200')
    await save(page.getByRole('region', { name: 'Pages and links' }))
    await portal.getByText('Write to help@example.com').first().waitFor()
    await may.getByRole('checkbox', { name: 'Replace a license key' }).uncheck()
    await save(may)
    await may.getByText('Saved.').waitFor()
    const words = portal.getByRole('region', { name: 'Words in the portal' })
    await words.getByLabel('Greeting, in English').fill('Good to see you.')
    const preview = portal.getByRole('region', { name: 'Preview' })
    await preview.getByText('Good to see you.').first().waitFor()
    assert.equal(await preview.getByText('Good to see you.').count(), 2, 'light and dark')
    await save(words)
    await words.getByText('Saved.').waitFor()
    const frame = portal.getByRole('region', { name: 'Pages that may hold the portal' })
    await frame.getByLabel('Hosts').fill('*.example.com')
    await save(frame)
    await frame.locator('[aria-invalid=true]').waitFor()
    await requireAccessibleEverywhere(page, 'the portal of a product')
    await page.setViewportSize({ width: 1280, height: 800 })
    await frame.getByLabel('Hosts').fill('shop.example.com')
    await save(frame)
    await frame.getByText('Saved.').waitFor()
    const said = await app.ctx.db
      .selectFrom('products')
      .select(['portal_off', 'portal_embed_hosts', 'portal_greeting_en', 'portal_help_en'])
      .where('id', '=', app.demo.productId)
      .executeTakeFirstOrThrow()
    assert.deepEqual(said, {
      portal_off: '["rotate_key","cancel"]',
      portal_embed_hosts: '["shop.example.com"]',
      portal_greeting_en: 'Good to see you.',
      portal_help_en: null,
    })
    assert.deepEqual(faults, [])
  })
})
