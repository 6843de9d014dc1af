// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test, type TestContext as T } from 'node:test'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessible } from '../web/watched.ts'
import { startBuyerApp, type BuyerApp } from './buyer.ts'
import { pressByTab } from './keyboard.ts'

describe('what the owner of a license does with it', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: BuyerApp
  before(async () => {
    app = await startBuyerApp('portal_owning')
  })
  after(() => app.close())

  const license = () =>
    app.ctx.db
      .selectFrom('licenses')
      .selectAll()
      .where('id', '=', app.bought.license_id)
      .executeTakeFirstOrThrow()

  async function opened(t: T) {
    const watched = await app.entered(t, { path: `${app.productId}/licenses/${app.bought.license_id}` })
    await watched.page.getByRole('heading', { level: 1, name: /^License/ }).waitFor()
    return watched
  }

  test('50: the newest version and an earlier one are downloaded, and what changed is read', async (t) => {
    const { page, faults } = await opened(t)
    const versions = page.getByRole('list', { name: 'Downloads' }).getByRole('listitem')
    await versions.first().waitFor()
    assert.ok((await versions.count()) > 1)
    await versions.first().getByText('What changed').click()
    await versions.first().getByText('Better than before.').waitFor()
    for (const one of [versions.first(), versions.last()]) {
      const version = await one.locator('strong').textContent()
      const started = page.waitForEvent('download')
      await one.getByRole('link', { name: `Download version ${version}` }).click()
      const file = await started
      assert.ok(file.suggestedFilename().endsWith(`.${version}.zip`), file.suggestedFilename())
      assert.equal((await readFile(await file.path())).subarray(0, 2).toString(), 'PK')
    }
    assert.deepEqual(faults, [])
  })

  test('a license is kept to an address, and let go of it again', async (t) => {
    const { page, faults, allows } = await opened(t)
    allows('400 /sites.json')
    await page.getByText('Anywhere. Add an address').waitFor()
    await page.getByRole('button', { name: 'Add an address' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('not a host!')
    await dialog.getByRole('button', { name: 'Add an address' }).click()
    await dialog.getByText('must be a host').waitFor()
    await requireAccessible(page, 'an address that is refused')
    await dialog.getByLabel('Address').fill('https://shop.example.com/x')
    await dialog.getByRole('button', { name: 'Add an address' }).click()
    await page.getByRole('cell', { name: 'shop.example.com', exact: true }).waitFor()
    await page.getByRole('cell', { name: 'Only there' }).waitFor()
    await page.getByRole('button', { name: 'Remove: shop.example.com' }).click()
    await page.getByText('Anywhere. Add an address').waitFor()
    assert.deepEqual(faults, [])
  })

  /** Presses the button of the dialog that makes a file, and reads what is downloaded. */
  async function made(page: Awaited<ReturnType<typeof opened>>['page']) {
    const started = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: 'Make the file' }).click()
    const text = (await readFile(await (await started).path())).toString()
    assert.match(text, /^-----BEGIN LICENSE FILE-----\n/)
    const envelope = Buffer.from(text.replaceAll(/-----[^-]+-----/g, ''), 'base64').toString()
    const { payload } = JSON.parse(envelope) as { payload: string }
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as { uid: string; ttl: number }
  }

  test('a machine without a network gets its file by typed fields, by a request file, and once more', async (t) => {
    const { page, faults, allows } = await opened(t)
    allows('400 /installs.json')
    const before = (await license()).activated
    const [typed, written] = ['a', 'b'].map((letter) => letter.repeat(32)) as [string, string]
    await page.getByRole('button', { name: 'Offline file' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('ID of the machine').fill('short')
    await dialog.getByRole('button', { name: 'Make the file' }).click()
    await dialog.getByText('must be 32 characters').waitFor()
    await dialog.getByLabel('ID of the machine').fill(typed)
    await dialog.getByLabel('Name of the machine').fill('Cutter in the cellar')
    await dialog.getByLabel('Good for days').fill('7')
    assert.deepEqual(pick(await made(page)), { uid: typed, ttl: 7 * 86_400 })
    await dialog.getByText('The file was made.').waitFor()
    const request = (text: string) => ({ name: 'r.json', mimeType: 'text/plain', buffer: Buffer.from(text) })
    await dialog.getByLabel('Request file').setInputFiles(request('{"no":"machine"}'))
    await dialog.getByRole('button', { name: 'Make the file' }).click()
    await dialog.getByText('it names no machine').waitFor()
    await dialog.getByLabel('Request file').setInputFiles(request(JSON.stringify({ uid: written })))
    assert.equal((await made(page)).uid, written)
    await dialog.getByLabel('Machine', { exact: true }).selectOption('Cutter in the cellar')
    assert.equal((await made(page)).uid, typed)
    assert.equal((await license()).activated, before + 2, 'each machine takes one place')
    assert.deepEqual(faults, [])
  })

  test('a key is replaced after it is said what that stops, and the page shows the other one', async (t) => {
    const { page, faults } = await opened(t)
    const [old, { activated }] = [await app.keyNow(), await license()]
    await page.getByRole('button', { name: 'Replace key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The one you have stops at once').waitFor()
    await requireAccessible(page, 'before a key is replaced')
    await dialog.getByRole('button', { name: 'Replace key' }).click()
    await page.getByRole('status').getByText('The license has another key.').waitFor()
    const key = await app.keyNow()
    assert.notEqual(key, old)
    assert.equal((await license()).activated, activated, 'where it is active it goes on')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText(key, { exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('a license is taken off all its sites by Tab and Enter alone', async (t) => {
    const { page, faults } = await opened(t)
    await pressByTab(page, page.getByRole('button', { name: 'Deactivate everywhere' }))
    await page
      .getByRole('dialog')
      .getByText(/^The license stops on/)
      .waitFor()
    await pressByTab(page, page.getByRole('dialog').getByRole('button', { name: 'Deactivate everywhere' }))
    await page.getByRole('status').getByText('The license is active nowhere.').waitFor()
    await page.getByText('It is active nowhere. Enter the key').waitFor()
    const { activated, activated_local: local } = await license()
    assert.deepEqual([activated, local], [0, 0])
    assert.equal(await page.getByRole('button', { name: 'Deactivate everywhere' }).count(), 0)
    assert.deepEqual(faults, [])
  })
})

const pick = ({ uid, ttl }: { readonly uid: string; readonly ttl: number }) => ({ uid, ttl })
