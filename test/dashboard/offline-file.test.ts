// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { systemScope } from '../../src/access/scope.ts'
import { transaction } from '../../src/context.ts'
import { DAY, SECOND, toUtcTime } from '../../src/lib/time.ts'
import {
  licenseFile,
  newFileKeyPair,
  type LicenseFilePayload,
} from '../../src/licensing/license-files/license-file.ts'
import { signingKey } from '../../src/licensing/license-files/service.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { changed, payloadIn } from './changed-file.ts'
import { dialog, wide } from './hands.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

const BUTTON = 'Check an offline file'
const DAY_S = DAY / SECOND

describe('a license file that a customer sent', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  let otherProduct: number
  before(async () => {
    app = await startSellerApp('dashboard_offline_file')
    const found = app.ctx.db.selectFrom('products').select('id').where('title', '=', 'Aurora Bookings')
    otherProduct = (await found.executeTakeFirstOrThrow()).id
  })
  after(() => app.close())

  const seconds = () => Math.floor(app.ctx.clock.real() / SECOND)

  const payloadOf = (productId: number, change: Partial<LicenseFilePayload> = {}): LicenseFilePayload => ({
    product: { id: String(productId), title: 'As it was called' },
    license: {
      id: '1',
      quota: 5,
      expiration: '2031-01-31 10:00:00',
      is_block_features: true,
      is_whitelabeled: false,
      environment: 0,
    },
    plan: { id: '1', name: 'pro', title: 'Pro' },
    features: [{ id: '1', title: 'Storage', value: '10 GB' }],
    uid: null,
    issued: seconds(),
    expires: seconds() + DAY_S,
    ttl: DAY_S,
    ...change,
  })

  /** A file that the key of a product signs now. */
  async function signed(productId: number, change?: Partial<LicenseFilePayload>): Promise<string> {
    const scope = systemScope({ developerId: app.demo.developerId, productId })
    const until = toUtcTime(app.ctx.clock.real() + DAY)
    const pair = await transaction(app.ctx, (tx) => signingKey(tx, scope, until))
    return licenseFile(payloadOf(productId, change), pair)
  }

  const choose = (page: Page, text: string, name = 'license.lic') =>
    dialog(page)
      .getByLabel('License file')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  const told = (page: Page, text: string | RegExp) =>
    dialog(page).getByRole('status').filter({ hasText: text }).waitFor()
  const fact = (page: Page, label: string) =>
    dialog(page)
      .locator('dl > div')
      .filter({ has: page.getByText(label, { exact: true }) })
      .locator('dd')
      .innerText()
  const open = (page: Page) => page.getByRole('button', { name: BUTTON }).click()

  test('a file that the page makes is checked in the browser, and told good with its dates and its key', async (t) => {
    const { ctx, demo } = app
    const { id } = await ctx.db
      .selectFrom('licenses')
      .select('id')
      .where('product_id', '=', demo.productId)
      .where('is_cancelled', '=', false)
      .where('expiration', '>', toUtcTime(ctx.clock.real() + 40 * DAY))
      .executeTakeFirstOrThrow()
    const { page, faults } = await app.at(t, `licenses/${id}`, `License #${id}`)
    await page.getByRole('button', { name: 'Offline file' }).click()
    await dialog(page).getByLabel('Good for').fill('7')
    const made = page.waitForEvent('download')
    await dialog(page).getByRole('button', { name: 'Make and download the file' }).click()
    const text = await readFile(await (await made).path(), 'utf8')
    const file = payloadIn(text)
    await page.goto(`${app.product}/licenses`)
    await open(page)
    await dialog(page).getByLabel('License file').waitFor()
    await requireAccessibleEverywhere(page, 'the check of a file, empty')
    await wide(page)
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await choose(page, text, `license-${id}.lic`)
    await told(page, `license-${id}.lic: The file is genuine and good now.`)
    assert.deepEqual(asked, [
      `GET /v1/developers/${demo.developerId}/products/${demo.productId}/license_keys.json`,
    ])
    const utc = (at: number) => toUtcTime(at * SECOND)
    assert.ok((await fact(page, 'Made')).includes(`${utc(file.issued)} UTC`))
    assert.ok((await fact(page, 'Good until')).includes(`${utc(file.expires)} UTC`))
    assert.equal(file.expires - file.issued, 7 * DAY_S)
    assert.match(await fact(page, 'Key'), /^[0-9a-f]{16}, signs now$/)
    assert.equal(await fact(page, 'Machine'), file.uid ?? 'Any machine')
    assert.match(await fact(page, 'Product'), /^Aurora Forms$/)
    await requireAccessibleEverywhere(page, 'the check of a file, good')
    await wide(page)
    await dialog(page)
      .getByRole('link', { name: `#${id}` })
      .click()
    await page.getByRole('heading', { level: 1, name: `License #${id}` }).waitFor()
    await dialog(page).waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  })

  test('one changed byte, another product, its time over, a key nobody knows, and no file are told in words', async (t) => {
    const { page, faults } = await app.at(t, 'explain', 'Why was this refused?')
    const good = await signed(app.demo.productId)
    await open(page)
    await choose(page, good)
    await told(page, 'The file is genuine and good now.')
    await choose(page, changed(good))
    await told(page, 'The file was changed after it was signed.')
    assert.equal(await dialog(page).getByText('Good until').count(), 0, 'nothing of it is told as true')
    await requireAccessibleEverywhere(page, 'the check of a file, changed')
    await wide(page)
    await choose(page, await signed(otherProduct))
    await told(page, 'of another product: Aurora Bookings. Aurora Forms refuses it.')
    const over = { issued: seconds() - 2 * DAY_S, expires: seconds() - DAY_S }
    await choose(page, await signed(app.demo.productId, over))
    await told(page, 'its time is over')
    await choose(page, licenseFile(payloadOf(app.demo.productId), newFileKeyPair()))
    await told(page, 'No key of Aurora Forms signed this file.')
    await choose(page, licenseFile(payloadOf(987_654), newFileKeyPair()))
    await told(page, 'of a product that this account does not have: As it was called.')
    const ahead = { issued: seconds() + DAY_S, expires: seconds() + 2 * DAY_S }
    await choose(page, await signed(app.demo.productId, ahead))
    await told(page, 'made later than this computer’s clock says')
    await choose(page, good.slice(0, 120))
    await told(page, 'This is no longer a license file')
    await choose(page, 'Hello, my license does not work.')
    await told(page, 'This is no license file.')
    assert.deepEqual(faults, [])
  })

  test('by keyboard alone a text is checked, and the focus goes back to where it began', async (t) => {
    const { page, faults } = await app.at(t, 'licenses', 'Licenses')
    await page.getByRole('button', { name: BUTTON }).focus()
    await page.keyboard.press('Enter')
    await dialog(page).getByLabel('Or its text').waitFor()
    await dialog(page).getByRole('button', { name: 'Check the file' }).focus()
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Choose a file, or paste its text.').waitFor()
    await dialog(page).getByLabel('Or its text').focus()
    await page.keyboard.insertText(await signed(app.demo.productId))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await told(page, /^The file is genuine and good now\.$/)
    assert.equal(await dialog(page).getByText('Choose a file, or paste its text.').count(), 0)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.waitForFunction(`document.activeElement?.textContent === '${BUTTON}'`)
    assert.deepEqual(faults, [])
  })

  test('a file that is dropped anywhere is checked, and what it says is shown as text however it reads', async (t) => {
    const { page, faults } = await app.at(t, 'licenses', 'Licenses')
    await open(page)
    await dialog(page).getByLabel('License file').waitFor()
    const hostile = '<img src=x onerror=alert(1)>\u202e 𝕳'
    const file = await signed(app.demo.productId, {
      plan: { id: '1', name: hostile, title: `${hostile} plan` },
      features: [{ id: '1', title: `${hostile} feature`, value: `${hostile} value` }],
      uid: `${hostile} uid`,
    })
    const dropped = await page.evaluateHandle(`(() => {
      const files = new DataTransfer()
      files.items.add(new File([${JSON.stringify(file)}], '<b>x</b>.lic'))
      return files
    })()`)
    await page.dispatchEvent('body', 'dragover', { dataTransfer: dropped })
    await page.dispatchEvent('body', 'drop', { dataTransfer: dropped })
    await told(page, '<b>x</b>.lic: The file is genuine and good now.')
    assert.equal(await fact(page, 'Plan'), `${hostile} plan`)
    assert.equal(await fact(page, 'Features'), `${hostile} feature: ${hostile} value`)
    assert.equal(await fact(page, 'Machine'), `${hostile} uid`)
    assert.equal(await page.locator('img[src=x], [onerror]').count(), 0)
    assert.deepEqual(faults, [])
  })

  test('the check speaks German', async (t) => {
    const { page, faults, close } = await app.enter(app.session, { locale: 'de-DE' })
    t.after(close)
    await page.goto(`${app.product}/licenses`)
    await page.getByRole('button', { name: 'Offline-Datei prüfen' }).click()
    await dialog(page)
      .getByLabel('Lizenzdatei')
      .setInputFiles({
        name: 'a.lic',
        mimeType: 'text/plain',
        buffer: Buffer.from(await signed(app.demo.productId)),
      })
    await told(page, 'Die Datei ist echt und gilt jetzt.')
    await requireAccessibleEverywhere(page, 'the check of a file, in German')
    assert.deepEqual(faults, [])
  })
})
