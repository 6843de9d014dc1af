// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { pluginZip } from '../archives.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { DAY, toUtcTime } from '../../src/lib/time.ts'
import { later } from '../../web/dashboard/pages/licenses/later.ts'
import { dialog } from './hands.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

/** Hundreds of rows, each with a call of its own, while others use the machine. */
const ONE_BY_ONE = { timeout: 120_000 } as const

describe('what a seller does with licenses and versions', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_licensing')
  })
  after(async () => {
    await app.close()
  })

  const at: SellerApp['at'] = (...asked) => app.at(...asked)
  /** Presses a button by the keyboard alone, after a dialog has put the focus where it begins. */
  async function press(page: Page, name: string | RegExp, within: Page | ReturnType<typeof dialog> = page) {
    const button = within.getByRole('button', { name, exact: true })
    await button.waitFor()
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
    await button.focus()
    await page.keyboard.press('Enter')
  }

  test('why a client is refused is told check by check, and mended on the spot', async (t) => {
    const { demo, ctx } = app
    const used = await ctx.db
      .selectFrom('licenses')
      .select(['id', 'quota'])
      .where('product_id', '=', demo.productId)
      .whereRef('activated', '>=', 'quota')
      .where('is_cancelled', '=', false)
      .where('expiration', '>', toUtcTime(ctx.clock.real()))
      .executeTakeFirstOrThrow()
    const { page, faults } = await at(t, `licenses/${used.id}`, `License #${used.id}`)
    await page.getByRole('link', { name: 'Why was it refused?' }).click()
    const fails = page.getByText('The license is active as often as it may be.')
    await fails.waitFor()
    await page.locator('.checks').getByText('license_utilized').waitFor()
    assert.equal(await page.locator('.checks').nth(1).getByText('Not checked').count(), 1)
    await requireAccessibleEverywhere(page, 'an explanation')
    await page.setViewportSize({ width: 1280, height: 800 })
    await press(page, 'Change end or number')
    await dialog(page)
      .getByLabel('Sites')
      .fill(String(Number(used.quota) + 1))
    await press(page, 'Save changes', dialog(page))
    await page.getByText('The license has room for one more.').waitFor()
    await fails.waitFor({ state: 'detached' })
    await page.getByLabel('License key').fill('sk_nobody has it')
    await press(page, 'Check')
    await page.getByText('This product has no license with this key.').waitFor()
    assert.ok(!page.url().includes('sk_'), 'no key stands in an address')
    const refused = await fetch(`${app.address}/v1/products/${demo.productId}/licenses/activate.json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uid: 'short', license_key: 'sk_nobody has it' }),
    })
    assert.equal(refused.status, 400)
    await app.refusalsKept()
    await page.reload()
    await page.getByRole('cell', { name: 'invalid_uid' }).waitFor()
    await page.getByLabel('License key').fill('sk_nobody has it')
    await press(page, 'Check')
    await page.getByRole('link', { name: 'Find the license' }).click()
    await page.getByRole('heading', { level: 1, name: 'Licenses' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('17: a note is shown at once, kept, and as it was again with the reason when it is refused', async (t) => {
    const { page, faults, allows } = await at(t, 'payments/1', /./)
    allows('500 /note.json')
    const noted = async () => {
      const found = app.ctx.db.selectFrom('notes').select('note').where('entity_type', '=', 'payment')
      return (await found.where('entity_id', '=', 1).executeTakeFirst())?.note
    }
    const write = async (text: string) => {
      await press(page, /^(Write a|Change the) note$/)
      await page.getByRole('textbox', { name: 'Note' }).fill(text)
      await press(page, 'Save note')
    }
    const answered = () =>
      page.waitForResponse((one) => one.url().endsWith('/note.json') && one.request().method() !== 'GET')
    const first = answered()
    await write('Paid twice by mistake.')
    await page.getByText('Paid twice by mistake.').waitFor()
    await first
    assert.equal(await noted(), 'Paid twice by mistake.')
    await requireAccessibleEverywhere(page, 'a note')
    await page.setViewportSize({ width: 1280, height: 800 })
    let refuse: () => void = assert.fail
    const waiting = new Promise<void>((resolve) => (refuse = resolve))
    await page.route('**/note.json', async (route) => {
      if (route.request().method() === 'GET') return route.continue()
      await waiting
      await route.fulfill({
        status: 500,
        json: { error: { code: 'internal_error', message: 'The server failed.' } },
      })
    })
    await write('Given back.')
    await page.getByText('Given back.').waitFor()
    refuse()
    await page.getByRole('alert').getByText('The server failed.').waitFor()
    await page.getByText('Paid twice by mistake.').waitFor()
    await page.unrouteAll()
    await press(page, 'Change the note')
    assert.equal(
      await page.getByRole('textbox', { name: 'Note' }).inputValue(),
      'Given back.',
      'what was typed is not lost',
    )
    await page.getByRole('textbox', { name: 'Note' }).fill('')
    const last = answered()
    await press(page, 'Save note')
    await page.getByText('Nothing was noted.').waitFor()
    await last
    assert.equal(await noted(), undefined)
    for (const path of ['customers/1', 'licenses/1', 'subscriptions/1', 'coupons/1']) {
      await page.goto(`${app.product}/${path}`)
      await page.getByRole('button', { name: 'Write a note' }).waitFor()
    }
    assert.deepEqual(faults, [])
  })

  test('a license is extended, given away, kept off a site, proven offline and taken off everywhere', async (t) => {
    const { ctx, demo } = app
    const { id } = await ctx.db
      .selectFrom('licenses')
      .select('id')
      .where('product_id', '=', demo.productId)
      .where('activated', '>', 0)
      .where('is_cancelled', '=', false)
      .where('user_id', '<>', 1)
      .where('expiration', '>', toUtcTime(ctx.clock.real() + 40 * DAY))
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const row = () => ctx.db.selectFrom('licenses').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const before = await row()
    const { page, faults } = await at(t, `licenses/${id}`, `License #${id}`)
    await press(page, 'Change')
    await dialog(page).getByLabel('Customer').fill('nobody.here@example.com')
    await press(page, 'A month longer', dialog(page))
    await press(page, 'Save changes', dialog(page))
    await dialog(page).getByText('No customer of this product has this address.').waitFor()
    await requireAccessibleEverywhere(page, 'change a license')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog(page).getByLabel('Customer').fill('amara.okafor@example.com')
    await press(page, 'Save changes', dialog(page))
    await page.getByRole('link', { name: 'Amara Okafor' }).waitFor()
    const changed = await row()
    assert.deepEqual([changed.user_id, changed.quota], [1, before.quota])
    assert.equal(changed.expiration, later(String(before.expiration).replace(' ', 'T'), 1).replace('T', ' '))

    await press(page, 'Add an address')
    await dialog(page).getByLabel('Address').fill('bad.example.com')
    await dialog(page).getByLabel('Rule').selectOption('deny')
    await press(page, 'Add an address', dialog(page))
    await page.getByRole('cell', { name: 'Not there' }).waitFor()
    await press(page, 'Remove: bad.example.com')
    await page.getByText('Anywhere.').waitFor()

    await press(page, 'Offline file')
    await dialog(page).getByLabel('Good for').fill('7')
    await requireAccessibleEverywhere(page, 'an offline file')
    await page.setViewportSize({ width: 1280, height: 800 })
    const made = page.waitForEvent('download')
    await press(page, 'Make and download the file', dialog(page))
    assert.equal((await made).suggestedFilename(), `license-${id}.lic`)
    await dialog(page).getByText('The file was made.').waitFor()
    await page.keyboard.press('Escape')

    await press(page, 'Deactivate everywhere')
    await press(page, 'Deactivate everywhere', dialog(page))
    await page.getByText('It is active nowhere.').waitFor()
    assert.equal((await row()).activated, 0)
    assert.deepEqual(faults, [])
  })

  test('500 licenses are issued from a file with 3 bad rows, which are told one by one, and good ones not issued twice', async (t) => {
    const { page, faults, allows } = await at(t, 'licenses', 'Licenses')
    allows('400 /licenses.json')
    const count = async () => (await app.ctx.db.selectFrom('licenses').select('id').execute()).length
    const before = await count()
    await press(page, 'Issue from a file')
    const file = dialog(page).getByLabel('CSV file')
    const choose = (text: string) =>
      file.setInputFiles({ name: 'licenses.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await choose('what,ever\n1,2\n')
    await dialog(page).getByText('The file has no column that is known').waitFor()
    const good = Array.from({ length: 496 }, () => ',,2027-05-01')
    const bad = ['nobody.here@example.com,,', ',,never', 'no address,,']
    const rows = ['amara.okafor@example.com,sk_of_the_file_1,', ...bad, ...good]
    await choose(`email,license_key,expires_at\n${rows.join('\n')}\n`)
    await press(page, 'Issue 500 licenses', dialog(page))
    await dialog(page).getByText('497 issued, 3 refused.').waitFor(ONE_BY_ONE)
    await dialog(page).getByRole('cell', { name: 'nobody.here@example.com' }).waitFor()
    await dialog(page)
      .getByRole('cell', { name: /^expires_at must be a time/ })
      .waitFor()
    await requireAccessibleEverywhere(page, 'issue from a file')
    await page.setViewportSize({ width: 1280, height: 800 })
    assert.equal((await count()) - before, 497)
    await press(page, 'Issue 3 licenses', dialog(page))
    await dialog(page).getByRole('button', { name: 'Issue 3 licenses' }).waitFor()
    await dialog(page).getByText('497 issued, 3 refused.').waitFor()
    assert.equal((await count()) - before, 497)
    assert.deepEqual(faults, [])
  })

  test('4: by keyboard alone a version is uploaded, released to some, withdrawn and deleted', async (t) => {
    const { page, faults, allows } = await at(t, 'versions', 'Versions')
    allows('400 /tags.json')
    await press(page, 'Upload a version')
    await press(page, 'Upload a version', dialog(page))
    await dialog(page).getByText('Choose a file first.').waitFor()
    const file = dialog(page).getByLabel('ZIP file')
    await file.setInputFiles({
      name: 'x.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from('no archive'),
    })
    await press(page, 'Upload a version', dialog(page))
    await dialog(page).getByText('is damaged, or no ZIP file').waitFor()
    await requireAccessibleEverywhere(page, 'upload a version')
    await page.setViewportSize({ width: 1280, height: 800 })
    const buffer = await pluginZip({ version: '3.1' })
    await file.setInputFiles({ name: 'example.zip', mimeType: 'application/zip', buffer })
    const sent = page.waitForRequest(
      (request) => request.url().endsWith('/tags.json') && request.method() === 'POST',
    )
    await press(page, 'Upload a version', dialog(page))
    assert.ok((await sent).headers()['idempotency-key'])
    await page.getByRole('heading', { level: 1, name: 'Version 3.1' }).waitFor()
    await page.locator('.page-title').getByText('Not released').waitFor()
    await page.getByRole('cell', { name: 'example/example.php' }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download: Premium 3.1' }).focus()
    await page.keyboard.press('Enter')
    assert.match((await download).suggestedFilename(), /\.zip$/)

    await press(page, 'Release')
    await dialog(page).getByLabel('To how many').selectOption('limit')
    await press(page, 'Release', dialog(page))
    await dialog(page).getByText('A whole number.').waitFor()
    await dialog(page).getByLabel('Users', { exact: true }).fill('12')
    await requireAccessibleEverywhere(page, 'release a version')
    await page.setViewportSize({ width: 1280, height: 800 })
    await press(page, 'Release', dialog(page))
    await page.locator('.page-title').getByText('Staged').waitFor()
    await page.getByText('12 users').waitFor()
    const row = () =>
      app.ctx.db
        .selectFrom('deployments')
        .select(['release_mode', 'max_users', 'is_incremental'])
        .where('version', '=', '3.1')
        .executeTakeFirst()
    assert.deepEqual(await row(), { release_mode: 'released', max_users: 12, is_incremental: false })

    await press(page, 'Change release')
    await dialog(page).getByLabel('To how many').selectOption('percentage_limit')
    await dialog(page).getByLabel('Percent').fill('20')
    await press(page, 'Change release', dialog(page))
    await page.getByText(/^20 % of the users with an active license are \d+ users\.$/).waitFor()
    await page.getByText(`are ${(await row())?.max_users} users.`).waitFor()
    await press(page, 'Change release')
    await dialog(page).getByLabel('Released to').selectOption('beta')
    await dialog(page).getByLabel('To how many').selectOption('percentage_limit')
    await dialog(page).getByLabel('Percent').fill('100')
    await press(page, 'Change release', dialog(page))
    await page.locator('.page-title').getByText('Beta').waitFor()
    assert.equal((await row())?.max_users, null)

    await press(page, 'Withdraw')
    await page.getByText('3.1: nobody is offered it any more.').waitFor()
    assert.equal((await row())?.release_mode, 'pending')
    await press(page, 'Undo')
    await page.locator('.page-title').getByText('Beta').waitFor()
    await press(page, 'Withdraw')
    await page.getByText('3.1: nobody is offered it any more.').waitFor()
    await press(page, 'Delete version')
    await press(page, 'Delete version', dialog(page))
    await page.getByRole('heading', { level: 1, name: 'Versions' }).waitFor()
    assert.equal(await row(), undefined)
    assert.deepEqual(faults, [])
  })
})
