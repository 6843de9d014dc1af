// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { bringImports } from '../../src/imports/asked/bring-imports-job.ts'
import { importRows } from '../../src/imports/import-rows.ts'
import { idOf } from '../../src/imports/platforms/ids.ts'
import { runDue } from '../../src/jobs/worker.ts'
import { zipOfFolder, zipOfRows } from '../importing.ts'
import { movedRows, sourceOf } from '../moved-rows.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { press, wide } from './hands.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

describe('what a seller brings along', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_imports')
  })
  after(async () => {
    await app.close()
  })

  const run = () => runDue(app.ctx, [bringImports])
  const upload = (buffer: Buffer) => ({ name: 'old-shop.zip', mimeType: 'application/zip', buffer })

  test('an import is checked first, its faults are told by row, begun again, brought in, and undone', async (t) => {
    const { page, faults } = await app.signedIn(t)
    await page.goto(app.pathOf('imports'))
    await press(page, 'New import')
    await press(page, 'Upload files')
    await press(page, 'Check')
    await page.getByText('Choose a file.').waitFor()
    const rows = movedRows(3)
    Object.assign(rows['users']?.[1] ?? {}, { email: '=nobody' })
    Object.assign(rows['licenses']?.[2] ?? {}, { plan_id: 77 })
    await page.getByLabel('File', { exact: true }).setInputFiles(upload(await zipOfRows(rows)))
    await press(page, 'Check')
    await page.getByText('It begins in a moment.').waitFor()
    await run()
    await page.getByText('2 faults in').waitFor()
    await page.getByRole('cell', { name: 'users.jsonl, line 2' }).waitFor()
    await requireAccessibleEverywhere(page, 'an import with faults')
    await page.setViewportSize({ width: 1280, height: 800 })
    const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Download the report')])
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
    assert.deepEqual(lines.slice(1), [
      'users.jsonl,2,users,,email,wrong_form,must be an address for mail',
      'licenses.jsonl,3,licenses,,plan_id,unknown_reference,"names no row of plans in the files, and none that is here"',
    ])
    await press(page, 'licenses')
    await page.getByRole('cell', { name: 'users.jsonl, line 2' }).waitFor({ state: 'detached' })
    await press(page, 'Begin again')
    await press(page, 'Upload files')
    await page.getByLabel('File', { exact: true }).setInputFiles(upload(await zipOfRows(movedRows(3))))
    await press(page, 'Check')
    await page.getByText('It begins in a moment.').waitFor()
    await run()
    await page.getByText('Nothing is wrong').waitFor()
    await requireAccessibleEverywhere(page, 'an import that waits')
    await page.setViewportSize({ width: 1280, height: 800 })
    await press(page, 'Import now')
    await page.getByText('It begins in a moment.').waitFor()
    await run()
    await page.getByText(/rows added, 0 changed/).waitFor()
    await page.locator('select option', { hasText: 'moved-too' }).waitFor({ state: 'attached' })
    await press(page, 'Undo')
    await page.getByRole('dialog').getByLabel('Type “old-shop.zip” to go on').fill('old-shop.zip')
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the import' }).click()
    await page.getByText('What it brought is being taken out').waitFor()
    await run()
    await page.getByText(/rows were taken out, 0 stay/).waitFor()
    await page.getByRole('link', { name: 'Imports', exact: true }).click()
    await page.getByRole('row', { name: /old-shop.zip Undone/ }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('of another platform its files are asked for, and rows that cannot come are left out where that is wanted', async (t) => {
    const { page, faults } = await app.signedIn(t)
    await page.goto(app.pathOf('imports/new'))
    await press(page, 'Upload from Lemon Squeezy')
    await page.getByLabel('File', { exact: true }).setInputFiles(upload(await zipOfFolder('lemon-squeezy')))
    await page.getByLabel('Leave out rows that cannot come').check()
    await requireAccessibleEverywhere(page, 'the files of another platform')
    await page.setViewportSize({ width: 1280, height: 800 })
    await press(page, 'Check')
    await page.getByText('It begins in a moment.').waitFor()
    await run()
    await page.getByText('Rows with 5 faults are left out.').waitFor()
    await page.getByRole('cell', { name: 'license-keys.json, line 4' }).waitFor()
    await page.getByRole('row', { name: 'payments come as the order that they belong to 2' }).waitFor()
    await page.getByText('orders of several items: come as one payment').waitFor()
    await requireAccessibleEverywhere(page, 'what of a platform does not fit')
    await wide(page)
    await press(page, 'Cancel')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the import' }).click()
    await page.getByText('It was canceled.').waitFor()
    assert.deepEqual(faults, [])
  })

  test('of another platform it is said which shop it is, and what is renewed here, with a file of methods of payment', async (t) => {
    const { page, faults, allows } = await app.signedIn(t)
    allows('400 /imports')
    await page.goto(app.pathOf('imports/new'))
    await press(page, 'Upload from Gumroad')
    await page.getByLabel('File', { exact: true }).setInputFiles(upload(await zipOfFolder('gumroad')))
    await page.getByLabel('Leave out rows that cannot come').check()
    await page.getByLabel('Name of the shop').fill(' second ')
    await page.getByLabel('Renew here what brings its method of payment along').check()
    await requireAccessibleEverywhere(page, 'another shop of a platform')
    await page.setViewportSize({ width: 1280, height: 800 })
    const methods = (name: string, line: string) => ({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(`subscription_id,gateway,kind,token,last4\n${line}`),
    })
    const field = page.getByLabel('Methods of payment')
    await field.setInputFiles(methods('methods.xlsx', ''))
    await press(page, 'Check')
    await page.getByText('must be a file of JSON lines or CSV').first().waitFor()
    await field.setInputFiles(methods('methods.csv', 'SUB1==,stripe,card,cus_1 pm_1 card,4242\n'))
    await press(page, 'Check')
    await page.getByText('It begins in a moment.').waitFor()
    await run()
    await page.getByText('Rows with 7 faults are left out.').waitFor()
    await press(page, 'Import now')
    await page.getByText('It begins in a moment.').waitFor()
    await run()
    await page.getByText(/rows added, 0 changed/).waitFor()
    const { developerId } = app.demo
    const id = idOf({ account: developerId, platform: 'gumroad', shop: 'second' }, 'subscriptions', 'SUB1==')
    const brought = await app.ctx.db
      .selectFrom('subscriptions')
      .select(['is_elsewhere', 'gateway'])
      .where('id', '=', id)
      .executeTakeFirst()
    assert.deepEqual(brought, { is_elsewhere: false, gateway: 'stripe' })
    assert.deepEqual(faults, [])
  })

  test('of a server address and keys are asked for, each fault stands at its field, and no other import is begun beside it', async (t) => {
    const { page, faults, allows } = await app.signedIn(t)
    allows('402 /imports')
    await page.goto(app.pathOf('imports/new'))
    await press(page, 'Enter address and keys')
    await press(page, 'Check')
    await page.getByText('is required of a server').first().waitFor()
    assert.equal(await page.getByText('is required of a server').count(), 4)
    await requireAccessibleEverywhere(page, 'a server without keys')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByLabel('Address of the server').fill('https://other.example')
    await page.getByLabel('ID of your account there').fill('7')
    await page.getByLabel('Public key').fill('pk_0123456789abcdef')
    await page.getByLabel('Secret key').fill('sk_0123456789abcdef')
    await press(page, 'Check')
    await page.getByText('It begins in a moment.').waitFor()
    await page.goto(app.pathOf('imports/new'))
    await page.getByText('There is an import under way').waitFor()
    await page.getByRole('link', { name: /^Import #/ }).click()
    await press(page, 'Cancel')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the import' }).click()
    await page.getByText('It was canceled. Nothing had been brought in.').waitFor()
    assert.equal(await page.getByText('sk_0123456789abcdef').count(), 0)
    assert.deepEqual(faults, [])
  })

  test('what was changed here since it came is named before it is imported again', async (t) => {
    const { developerId } = app.demo
    const came = await importRows(app.ctx, sourceOf(movedRows(3)), { developerId, isDryRun: false })
    assert.deepEqual(came.bad, [])
    await app.ctx.database.transaction((db) =>
      db.updateTable('licenses').set({ quota: 9 }).where('id', '=', 1_001).execute(),
    )
    const rows = movedRows(3)
    Object.assign(rows['licenses']?.[1] ?? {}, { quota: 5 })
    const { page, faults } = await app.signedIn(t)
    await page.goto(app.pathOf('imports/new'))
    await press(page, 'Upload files')
    await page.getByLabel('File', { exact: true }).setInputFiles(upload(await zipOfRows(rows)))
    await press(page, 'Check')
    await page.getByText('It begins in a moment.').waitFor()
    await run()
    await page.getByRole('heading', { name: 'What stays as you changed it' }).waitFor()
    await page
      .getByRole('row', {
        name: /^licenses\.jsonl, line 2: 1001 licenses .*changed here since it was imported/,
      })
      .waitFor()
    await requireAccessibleEverywhere(page, 'an import with rows that stay')
    await wide(page)
    await press(page, 'Cancel')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the import' }).click()
    await page.getByText('It was canceled.').waitFor()
    assert.deepEqual(faults, [])
  })
})
