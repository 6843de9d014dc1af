// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext as T } from 'node:test'
import { hashPassword } from '../../src/lib/password.ts'
import { transaction } from '../../src/context.ts'
import { codeAt, PASSWORD } from '../logins.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { dialog, press, wide } from './hands.ts'
import { keptBy, requireForgotten } from './kept.ts'
import { requireScanned } from './scanned.ts'
import { joinTeam, startSellerApp, type SellerApp } from './seller.ts'

describe('what a seller does with the account', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_account')
    const password_hash = await hashPassword(PASSWORD, app.ctx.passwordCost)
    await transaction(app.ctx, ({ db }) => db.updateTable('developers').set({ password_hash }).execute())
  })
  after(async () => {
    await app.close()
  })

  async function at(t: T, path: string, title: string, session?: string) {
    const opened = await app.signedIn(t, session)
    await opened.page.goto(app.pathOf(path))
    await opened.page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    return opened
  }
  const statusBy = async (token: string, path: string) => {
    const address = `${app.address}/v1/developers/${app.demo.developerId}${path}`
    return (await fetch(address, { headers: { authorization: `Bearer ${token}` } })).status
  }

  test('54: a token is made with some rights, shown once, opens what it may, and nothing once it is revoked', async (t) => {
    const { page, faults } = await at(t, 'tokens', 'API tokens')
    await press(page, 'Create token')
    await dialog(page).getByLabel('Name').fill('Back office')
    await dialog(page).getByLabel('Rights').selectOption('Only what I choose')
    await dialog(page).getByLabel('Customers').selectOption('Read')
    await requireAccessibleEverywhere(page, 'create a token')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog(page).getByRole('button', { name: 'Create token' }).click()
    await dialog(page).getByText('it is not shown again').waitFor()
    const token = String(await dialog(page).locator('code').textContent())
    assert.match(token, /^kw_/)
    await press(page, 'Close')
    const row = page.getByRole('row', { name: /Back office/ })
    await row.getByText('Customers (read)').waitFor()
    await requireForgotten(page, token)
    assert.equal(await statusBy(token, '/users.json'), 200)
    assert.equal(await statusBy(token, '/payments.json'), 401)
    await press(page, 'Revoke: Back office')
    await dialog(page).getByRole('button', { name: 'Revoke token' }).click()
    await row.getByText('Revoked').waitFor()
    assert.equal(await statusBy(token, '/users.json'), 401)
    assert.deepEqual(faults, [])
  })

  test('a token is made of some products, and of one product alone', async (t) => {
    const { page } = await at(t, 'tokens', 'API tokens')
    const make = async (opens: string, name: string) => {
      await press(page, 'Create token')
      await dialog(page).getByLabel('Name').fill(name)
      await dialog(page).getByLabel('Opens').selectOption(opens)
    }
    const finish = async () => {
      await dialog(page).getByRole('button', { name: 'Create token' }).click()
      await dialog(page).getByText('it is not shown again').waitFor()
      await press(page, 'Close')
    }
    await make('Some products of the account', 'For some')
    await dialog(page).getByRole('button', { name: 'Create token' }).click()
    await dialog(page).getByText('must be ids of products').waitFor()
    await dialog(page).getByLabel('Aurora Forms').check()
    await finish()
    await make('Only Aurora Forms', 'For one')
    await finish()
    const opens = (name: RegExp, what: string) =>
      page.getByRole('row', { name }).getByRole('cell', { name: what, exact: true }).waitFor()
    await opens(/For some/, 'Aurora Forms')
    await opens(/For one/, 'Only Aurora Forms')
  })

  test('somebody is invited to the team, gets another role, and is removed', async (t) => {
    const { page, faults } = await at(t, 'team', 'Team')
    await press(page, 'Invite somebody')
    await dialog(page).getByLabel('Email address').fill('nora@example.com')
    await dialog(page).getByLabel('First name').fill('Nora')
    await dialog(page).getByLabel('Last name').fill('New')
    await dialog(page).getByLabel('May give payments back').check()
    await requireAccessibleEverywhere(page, 'invite somebody')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog(page).getByRole('button', { name: 'Send invitation' }).click()
    const row = page.getByRole('row', { name: /nora@example\.com/ })
    await row.getByText('Support, may refund').waitFor()
    await row.getByText('Invited').waitFor()
    await press(page, 'Change role: Nora New')
    await dialog(page).getByLabel('Role').selectOption('Accountant')
    await dialog(page).getByRole('button', { name: 'Save changes' }).click()
    await row.getByText('Accountant').waitFor()
    await press(page, 'Remove: Nora New')
    await dialog(page).getByRole('button', { name: 'Remove from the team' }).click()
    await row.waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  })

  test('what each role may is the table of the server', async (t) => {
    const { page } = await at(t, 'team', 'Team')
    const row = page.getByRole('row', { name: /^Refunds/ })
    await row.waitFor()
    assert.deepEqual(await row.getByRole('cell').allTextContents(), [
      'Refunds',
      'Read and write',
      'Nothing',
      'Where it is given',
      'Read and write',
    ])
  })

  test('the audit log tells who made a token, is narrowed to it, and says that the chain holds', async (t) => {
    const { page, faults } = await at(t, 'audit', 'Audit log')
    await page.getByRole('search').getByLabel('Action').fill('keywright/create-developer-token')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.waitForURL(/action=keywright/)
    const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr')
    await rows.first().getByText('keywright/create-developer-token').waitFor()
    await page
      .getByRole('button', { name: /^Details: / })
      .first()
      .click()
    await dialog(page).getByText('"name"').waitFor()
    await requireAccessibleEverywhere(page, 'details of the log')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.keyboard.press('Escape')
    await page.getByText(/^(Unchanged up to #\d+|Not chained yet)$/).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Older' }).isDisabled(), true)
    assert.deepEqual(faults, [])
  })

  test('a role that may not make tokens or see the team is told so', async (t) => {
    const session = await app.sessionOf(await joinTeam(app, 'developer'))
    const { page } = await at(t, 'tokens', 'API tokens', session)
    assert.equal(await page.getByRole('button', { name: 'Create token' }).isDisabled(), true)
    await page.getByText('Your role (developer) may not do this.').first().waitFor()
    await page.goto(app.pathOf('team'))
    await page.getByText('Your role (developer) may not see this.').waitFor()
  })

  test('name and language are changed, and another address is asked for with the password', async (t) => {
    const { page, faults, allows } = await at(t, 'profile', 'Profile')
    allows('401 /person.json')
    await press(page, 'Change name')
    await dialog(page).getByLabel('First name').fill('Dana Maria')
    await dialog(page).getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Dana Maria Demo' }).waitFor()
    await press(page, 'Change email address')
    await dialog(page).getByLabel('New email address').fill('dana.demo@example.com')
    await dialog(page).getByRole('textbox', { name: 'Current password' }).fill('wrong')
    await requireAccessibleEverywhere(page, 'change the address')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog(page).getByRole('button', { name: 'Mail the link' }).click()
    await dialog(page).getByText('The email address or the password is wrong.').waitFor()
    await dialog(page).getByRole('textbox', { name: 'Current password' }).fill(PASSWORD)
    await dialog(page).getByRole('button', { name: 'Mail the link' }).click()
    await page.getByText('Follow the link in the mail').waitFor()
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('heading', { level: 1, name: 'Profil', exact: true }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await press(page, 'Namen ändern')
    await dialog(page).getByRole('button', { name: 'Schließen' }).first().click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByLabel('Sprache').selectOption('Wie der Browser')
    await page.getByRole('heading', { level: 1, name: 'Profile', exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('54: two-factor is switched on by a code, shows backup codes once, and is switched off by one', async (t) => {
    const { page, faults } = await at(t, 'profile', 'Profile')
    await press(page, 'Switch two-factor on')
    await dialog(page).getByRole('textbox', { name: 'Current password' }).fill(PASSWORD)
    const answered = page.waitForResponse((one) => one.url().endsWith('/two_factor.json'))
    await press(page, 'Continue')
    const { secret, otpauth_url: url } = (await (await answered).json()) as Record<string, string>
    await dialog(page).getByText(String(secret), { exact: true }).waitFor()
    await requireScanned(page, String(url))
    await requireAccessibleEverywhere(page, 'QR code')
    await wide(page)
    assert.ok((await keptBy(page)).includes(String(secret)))
    await dialog(page)
      .getByLabel('Code of your authenticator app')
      .fill(codeAt(String(secret), app.ctx.clock.real()))
    await dialog(page).getByRole('button', { name: 'Switch two-factor on' }).click()
    const shown = dialog(page).locator('.codes')
    await shown.waitFor()
    const codes = String(await shown.textContent())
      .trim()
      .split('\n')
    assert.equal(codes.length, 10)
    await requireAccessibleEverywhere(page, 'backup codes')
    await wide(page)
    await requireForgotten(page, String(secret))
    await press(page, 'I have kept them')
    await page.getByText('Two-factor is on.').waitFor()
    await requireForgotten(page, String(codes[0]))
    await press(page, 'Switch two-factor off')
    await dialog(page)
      .getByLabel('Code of your authenticator app')
      .fill(codes[3] ?? '')
    await dialog(page).getByRole('button', { name: 'Switch two-factor off' }).click()
    await page.getByText('Two-factor is off.').waitFor()
    assert.deepEqual(faults, [])
  })

  test('another session is seen and ended, and the password is changed', async (t) => {
    const other = await app.sessionOf(app.demo.developerId)
    const statusOf = async (session: string) =>
      (await fetch(`${app.address}/v1/session.json`, { headers: { 'x-keywright-session': session } })).status
    assert.equal(await statusOf(other), 200)
    const { page } = await at(t, 'profile', 'Profile')
    const end = page.getByRole('button', { name: /^Sign out there: / })
    await end.first().waitFor()
    while ((await end.count()) > 0) {
      const count = await end.count()
      await end.first().click()
      await end.nth(count - 1).waitFor({ state: 'detached' })
    }
    assert.equal(await statusOf(other), 401)
    await press(page, 'Change password')
    await dialog(page).getByRole('textbox', { name: 'Current password' }).fill(PASSWORD)
    await dialog(page).getByRole('textbox', { name: 'New password' }).fill('short')
    await dialog(page).getByRole('button', { name: 'Change password' }).click()
    await dialog(page).getByText('must have at least 8 characters').waitFor()
    await dialog(page).getByRole('textbox', { name: 'New password' }).fill('another quite long pass phrase')
    await dialog(page).getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Your password is changed.').waitFor()
  })

  test('55: who signs out in one tab is signed out in the others', async (t) => {
    const { page } = await at(t, 'tokens', 'API tokens', await app.sessionOf(app.demo.developerId))
    const beside = await page.context().newPage()
    await beside.goto(app.pathOf('team'))
    await beside.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
    await page.getByRole('button', { name: /^Dana/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await beside.getByRole('button', { name: 'Sign in' }).waitFor({ timeout: 2_000 })
    assert.match(beside.url(), /sign-in/)
  })
})
