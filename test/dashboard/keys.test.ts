// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext as T } from 'node:test'
import type { Page } from 'playwright-core'
import { transaction } from '../../src/context.ts'
import { hashPassword } from '../../src/lib/password.ts'
import { PASSWORD } from '../logins.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { dialog, wide } from './hands.ts'
import { keptBy, requireForgotten } from './kept.ts'
import { joinTeam, startSellerApp, type SellerApp } from './seller.ts'

/** Presses the button of the dialog, which has the name of the one that opened it. */
const submit = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()

type Owner = 'products' | 'stores' | 'developers'

describe('secret keys in the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  let storeId: number
  before(async () => {
    app = await startSellerApp('dashboard_keys')
    const password_hash = await hashPassword(PASSWORD, app.ctx.passwordCost)
    await transaction(app.ctx, ({ db }) => db.updateTable('developers').set({ password_hash }).execute())
    const store = await app.ctx.db.selectFrom('stores').select('id').executeTakeFirstOrThrow()
    storeId = store.id
  })
  after(async () => {
    await app.close()
  })

  const pages = () =>
    [
      ['products', app.demo.productId, `${app.demo.productId}/settings`, 'Keys of the product', 'product'],
      ['stores', storeId, `stores/${storeId}`, 'Keys of the store', 'store'],
      ['developers', app.demo.developerId, 'tokens', 'Keys of the account', 'developer'],
    ] as const

  async function secretOf(owner: Owner, id: number): Promise<string> {
    const row = await app.ctx.db
      .selectFrom(owner)
      .select('secret_key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return app.ctx.keys.open(row.secret_key, `${owner}.secret_key`)
  }

  async function at(t: T, path: string, title: string, session?: string) {
    const opened = await app.signedIn(t, session)
    await wide(opened.page)
    await opened.page.goto(app.pathOf(path))
    const keys = opened.page.getByRole('region', { name: title })
    await keys.waitFor()
    return { ...opened, keys }
  }

  const shownTo = async (owner: string) => {
    const rows = await app.ctx.db
      .selectFrom('audit_log')
      .select('details')
      .where('action', '=', `keywright/show-${owner}-keys`)
      .execute()
    return rows.filter(({ details }) => !details.includes('refused')).length
  }

  test('54: a secret key of product, store and account is shown once, after the password again, and kept nowhere', async (t) => {
    for (const [owner, id, path, title, noun] of pages()) {
      const { page, keys, faults, allows } = await at(t, path, title)
      allows('401 /keys/show.json')
      const secret = await secretOf(owner, id)
      const isThere = async () => ((await page.content()) + (await keptBy(page))).includes(secret)
      assert.equal(await isThere(), false, title)
      await keys.getByRole('button', { name: 'Show secret key' }).click()
      await dialog(page).locator('[name=current_password]:focus').waitFor()
      await dialog(page).getByLabel('Current password').fill('another one')
      await submit(page, 'Show secret key')
      await dialog(page).getByText('The email address or the password is wrong.').waitFor()
      assert.deepEqual([await isThere(), await shownTo(noun)], [false, 0])
      await dialog(page).getByLabel('Current password').fill(PASSWORD)
      await submit(page, 'Show secret key')
      await dialog(page).getByText(secret, { exact: true }).waitFor()
      assert.equal(await shownTo(noun), 1)
      await requireAccessibleEverywhere(page, `the secret key of a ${noun}`)
      await wide(page)
      await dialog(page).getByRole('button', { name: 'Close' }).click()
      await requireForgotten(page, secret)
      await requireForgotten(page, PASSWORD)
      assert.deepEqual(faults, [])
    }
  })

  test('54: another secret key is made after the password again, shown once, and the one so far goes on for its hours', async (t) => {
    for (const [owner, id, path, title, noun] of pages()) {
      const { page, keys } = await at(t, path, title)
      const former = await secretOf(owner, id)
      await keys.getByRole('button', { name: 'Replace secret key' }).click()
      const form = dialog(page)
      await form.getByText('are taken with both keys until the hours are over').waitFor()
      await requireAccessibleEverywhere(page, `replace the key of a ${noun}`)
      await wide(page)
      await form.getByLabel('Hours that both are taken').fill('200')
      await submit(page, 'Replace secret key')
      await form.locator('[name=overlap_hours][aria-invalid=true]').waitFor()
      await form.getByLabel('Hours that both are taken').fill('2')
      await form.getByLabel('Current password').fill('another one')
      await submit(page, 'Replace secret key')
      await form.getByText('The email address or the password is wrong.').waitFor()
      assert.equal(await secretOf(owner, id), former)
      await form.getByLabel('Current password').fill(PASSWORD)
      await submit(page, 'Replace secret key')
      await dialog(page).getByText('The one so far is taken until').waitFor()
      const secret = await secretOf(owner, id)
      assert.notEqual(secret, former)
      await dialog(page).getByText(secret, { exact: true }).waitFor()
      await dialog(page).getByRole('button', { name: 'Close' }).click()
      await requireForgotten(page, secret)
      await requireForgotten(page, PASSWORD)
      const kept = await app.ctx.db.selectFrom('former_keys').selectAll().where('owner', '=', owner).execute()
      assert.equal(kept.length, 1)
    }
  })

  test('19: who may not see a secret key may not press its buttons, and is told why', async (t) => {
    const session = await app.sessionOf(await joinTeam(app, 'developer'))
    for (const [, , path, title] of pages()) {
      const { keys } = await at(t, path, title, session)
      await keys.getByText('Your role (developer) may not do this.').waitFor()
      for (const name of ['Show secret key', 'Replace secret key'])
        assert.equal(await keys.getByRole('button', { name }).isDisabled(), true, `${title}: ${name}`)
    }
  })

  test('in test mode a secret key is shown, and none is replaced', async (t) => {
    const { page, keys } = await at(t, `${app.demo.productId}/settings?mode=test`, 'Keys of the product')
    await keys.getByText('This counts live too.').waitFor()
    assert.equal(await keys.getByRole('button', { name: 'Replace secret key' }).isDisabled(), true)
    await keys.getByRole('button', { name: 'Show secret key' }).click()
    await dialog(page).getByLabel('Current password').fill(PASSWORD)
    await submit(page, 'Show secret key')
    await dialog(page)
      .getByText(await secretOf('products', app.demo.productId), { exact: true })
      .waitFor()
  })
})
