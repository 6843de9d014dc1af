// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { transaction } from '../../src/context.ts'
import { runDue } from '../../src/jobs/worker.ts'
import { hashPassword } from '../../src/lib/password.ts'
import { DAY } from '../../src/lib/time.ts'
import { writeExports } from '../../src/lists/exports/write-exports-job.ts'
import { filesOf } from '../account-exports.ts'
import { PASSWORD } from '../logins.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { dialog, press, wide } from './hands.ts'
import { requireForgotten } from './kept.ts'
import { joinTeam, startSellerApp, type SellerApp } from './seller.ts'

const password = 'Current password'

describe('the whole account as a file', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_account_export')
    const password_hash = await hashPassword(PASSWORD, app.ctx.passwordCost)
    await transaction(app.ctx, ({ db }) => db.updateTable('developers').set({ password_hash }).execute())
  })
  after(async () => {
    await app.close()
  })

  const run = () => runDue(app.ctx, [writeExports])

  test('the owner exports the account by the password, sees how far it is, downloads the file by the password, and sees when it is gone', async (t) => {
    const { page, faults, allows } = await app.signedIn(t)
    await wide(page)
    await page.goto(app.pathOf('imports'))
    await page.getByRole('link', { name: 'Move away' }).click()
    await page.getByText('There is no export of the account yet.').waitFor()
    await requireAccessibleEverywhere(page, 'an account that was not exported')
    await wide(page)
    await press(page, 'Export the account')
    await dialog(page).getByLabel(password).fill(PASSWORD)
    await requireAccessibleEverywhere(page, 'what an export of the account is')
    await wide(page)
    await dialog(page).getByRole('button', { name: 'Export the account' }).click()
    await page.getByText('It begins in a moment.').waitFor()
    await dialog(page).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('button', { name: /Export/ }).count(), 0, 'it is under way')
    await requireAccessibleEverywhere(page, 'an account that is being exported')
    await wide(page)
    await run()
    await page.getByText(/^[\d,]+ rows, [\d.]+ [kM]B\.$/).waitFor()
    await requireAccessibleEverywhere(page, 'an account that was exported')
    await wide(page)
    await press(page, 'Download')
    await dialog(page).getByLabel(password).fill(PASSWORD)
    await press(page, 'Continue')
    const link = dialog(page).getByRole('link', { name: 'Download' })
    await link.waitFor()
    const address = (await link.getAttribute('href')) ?? ''
    assert.match(address, /\?token=/)
    await requireAccessibleEverywhere(page, 'where the file of an account is')
    await wide(page)
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    const files = await filesOf(await readFile(await download.path()))
    assert.ok(files.has('manifest.json') && files.has('licenses.jsonl'))
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
    await dialog(page).waitFor({ state: 'detached' })
    await requireForgotten(page, PASSWORD)
    await requireForgotten(page, address)
    await page.getByRole('link', { name: 'Exports', exact: true }).click()
    await page.getByRole('row', { name: /The whole account \(jsonl\) Written/ }).waitFor()
    await page.getByRole('link', { name: /^Show the export of the account #/ }).click()
    await page.getByRole('heading', { level: 1, name: 'The whole account' }).waitFor()
    // The first session is over then.
    allows('401')
    app.ctx.clock.advance(DAY)
    const { page: later } = await app.signedIn(t, await app.sessionOf(app.demo.developerId))
    await later.goto(app.pathOf('exports/account'))
    await later.getByText('The last file is gone.').waitFor()
    await later.getByRole('button', { name: 'Export it again' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('a member of the team is told that it is for the owner, and an export that failed says why', async (t) => {
    const admin = await app.sessionOf(await joinTeam(app, 'admin'))
    const { page, faults } = await app.signedIn(t, admin)
    await page.goto(app.pathOf('exports/account'))
    await page.getByText('Only the owner of the account can export all of it.').waitFor()
    await requireAccessibleEverywhere(page, 'an account of somebody else')
    assert.deepEqual(faults, [])
    const { page: own } = await app.signedIn(t, await app.sessionOf(app.demo.developerId))
    await app.ctx.database.transaction((db) =>
      db
        .updateTable('exports')
        .set({ state: 'failed', error: 'The server could not write it.', expires_at: null })
        .execute(),
    )
    await own.goto(app.pathOf('exports/account'))
    await own.getByText('The export failed: The server could not write it.').waitFor()
    await own.getByRole('button', { name: 'Export it again' }).waitFor()
    await requireAccessibleEverywhere(own, 'an export of an account that failed')
  })
})
