// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { RIGHTS, ROLES, type Role } from '../../src/access/roles.ts'
import { transaction } from '../../src/context.ts'
import { hasBrowser } from '../web/browser.ts'
import { createImport } from '../wholes.ts'
import { buttonsOn, HARMLESS } from './buttons.ts'
import { PAGES } from './every-page.ts'
import { joinTeam, startSellerApp, type SellerApp } from './seller.ts'
import { begin } from './walks.ts'

/** What is read where something failed, or where what was not answered is shown all the same. */
const BROKEN = /\b(NaN|undefined|role_not_allowed)\b|^Try again$/

describe('each role on each page of the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_roles_of_pages')
    await transaction(app.ctx, (tx) => createImport(tx, app.demo, 'finished'))
  })
  after(() => app.close())

  const mayWrite = (role: Role, group: string) =>
    (RIGHTS[role] as Readonly<Record<string, string>>)[group] === 'write'

  for (const role of ROLES.filter((one) => one !== 'admin')) {
    test(`19: ${role}: what it may not do is disabled on every page, which says why, and nothing fails or is missing`, async () => {
      const walk = await begin(app, {}, await app.sessionOf(await joinTeam(app, role)))
      const { page, faults, allows } = walk
      // Pages that it may not see are opened all the same.
      allows('401')
      const why = page.getByText(`Your role (${role}) may not do this.`, { exact: true })
      const unseen = page.getByText(`Your role (${role}) may not see this.`)
      let barred = 0
      for (const [name, { path, title }] of Object.entries(PAGES)) {
        await walk.go(app.pathOf(path.replace('{product}', String(app.demo.productId))))
        await page.getByRole('heading', { level: 1, name: title }).or(unseen).first().waitFor()
        await page.locator('.skeleton').first().waitFor({ state: 'detached' })
        const read = await page.locator('main').innerText()
        const broken = read.split('\n').filter((line) => BROKEN.test(line))
        assert.deepEqual(broken, [], name)
        const buttons = await buttonsOn(page, name)
        const free = buttons.filter(({ isDisabled }) => !isDisabled)
        for (const { name: button, group } of free)
          assert.ok(
            HARMLESS.test(button) || (group !== undefined && mayWrite(role, group)),
            `${button} at ${name}`,
          )
        const saying = buttons.filter(({ title: said }) => said.includes(`(${role}) may not do this`))
        barred += saying.length
        if (saying.length > 0) assert.ok((await why.or(unseen).count()) > 0, `${name} says why`)
      }
      assert.ok(barred > 20, `${barred} buttons`)
      assert.deepEqual(faults, [])
      await walk.close()
    })
  }
})
