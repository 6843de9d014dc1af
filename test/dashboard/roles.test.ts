// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Role } from '../../src/access/roles.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { joinTeam, startSellerApp, type SellerApp } from './seller.ts'

describe('what a role may do in the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_selling')
  })
  after(async () => {
    await app.close()
  })

  const at: SellerApp['at'] = (...asked) => app.at(...asked)
  /** The member that another test has made. */
  const roleOf = async (role: Role): Promise<number> => {
    const found = await app.ctx.db
      .selectFrom('members')
      .select('person_id')
      .where('role', '=', role)
      .where('can_refund', '=', false)
      .executeTakeFirst()
    return found?.person_id ?? joinTeam(app, role)
  }

  /** A payment of which nothing was given back. */
  const paidInFull = async (): Promise<string> => {
    const { id } = await app.ctx.db
      .selectFrom('payments')
      .select('id')
      .where('product_id', '=', app.demo.productId)
      .where('type', '=', 'payment')
      .where('gross', '>', 0)
      .where('refunded_gross', '=', 0)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    return String(id)
  }

  const BARRED: readonly (readonly [Role, string, string, RegExp, string])[] = [
    ['support', 'payments/{paid}', 'Refund', /./, 'support'],
    ['developer', 'licenses/1', 'Cancel license', /^License/, 'developer'],
    ['support', 'customers/1', 'Erase this customer', /^Amara Okafor$/, 'support'],
    ['support', 'reviews/1', 'Hide', /^Review/, 'support'],
    ['support', 'versions', 'Upload a version', /^Versions$/, 'support'],
    ['accountant', 'licenses/1', 'Change', /^License/, 'accountant'],
    ['support', '../imports', 'New import', /^Imports$/, 'support'],
    ['support', 'mail-texts/receipt', 'Save changes', /^Receipt$/, 'support'],
    ['developer', 'licenses', 'Change all that match', /^Licenses$/, 'developer'],
    ['accountant', 'customers', 'Change all that match', /^Customers$/, 'accountant'],
  ]
  for (const [role, path, button, title, named] of BARRED) {
    test(`19: ${role} may not press ${button}, and is told why`, async (t) => {
      const person = await roleOf(role)
      const there = path.replace('{paid}', await paidInFull())
      const { page } = await at(t, there, title, await app.sessionOf(person))
      await page.getByRole('button', { name: button, exact: true }).waitFor()
      assert.equal(await page.getByRole('button', { name: button, exact: true }).isDisabled(), true)
      await page.getByText(`Your role (${named}) may not do this.`).first().waitFor()
      await requireAccessibleEverywhere(page, `${role} at ${path}`)
    })
  }

  test('a role that may not see sales is told so in the place of the list', async (t) => {
    const developer = await roleOf('developer')
    const { page } = await at(t, 'payments', 'Payments', await app.sessionOf(developer))
    await page.getByText('Your role (developer) may not see this.').waitFor()
  })

  test('of several accounts the one is opened that was open last, at first that of the team', async (t) => {
    const person = await roleOf('support')
    const { page } = await app.signedIn(t, await app.sessionOf(person))
    const opens = async (account: number) => {
      await page.goto(`${app.address}/dashboard/`)
      await page.waitForURL(`${app.address}/dashboard/${account}`)
    }
    await opens(app.demo.developerId)
    await page.goto(`${app.address}/dashboard/${person}`)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await opens(person)
    await page.goto(`${app.address}/dashboard/${app.demo.developerId}`)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await opens(app.demo.developerId)
  })
})
