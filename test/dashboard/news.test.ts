// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { EventType } from '../../src/db/tables/event-types.ts'
import { hasBrowser } from '../web/browser.ts'
import { happenIn } from './happening.ts'
import { startSellerApp, type SellerApp } from './seller.ts'
import { SOURCES } from './sources.ts'

/** Lists that say what has come, by the name of their rows in the reply, and two events that bring a row. */
const LISTS: Readonly<Record<string, readonly [title: string, first: EventType, second: EventType]>> = {
  carts: ['Carts', 'cart.created', 'cart.created'],
  events: ['Events', 'coupon.updated', 'license.created'],
  installs: ['Installs', 'install.installed', 'install.installed'],
  licenses: ['Licenses', 'license.created', 'license.created'],
  payments: ['Payments', 'payment.created', 'payment.refund'],
  subscriptions: ['Subscriptions', 'subscription.created', 'subscription.created'],
  users: ['Customers', 'user.created', 'user.created'],
}

/** Brings a row to the list of events alone. */
const ELSEWHERE = 'coupon.updated'

describe('what has come to a list', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_news')
  })
  after(() => app.close())

  const happen = (...types: EventType[]) => happenIn(app, ...types)

  test('37: each list of what comes by itself says how many rows have come, and shows them when that is pressed', async (t) => {
    const { page, faults } = await app.signedIn(t)
    for (const [items, [title, first, second]] of Object.entries(LISTS)) {
      const streamed = page.waitForResponse((response) => response.url().includes('/events/stream'))
      await page.goto(`${app.product}/${title.toLowerCase()}`)
      await streamed
      const table = page.getByRole('table', { name: title })
      await table.getByRole('row').nth(1).waitFor()
      const before = await table.innerText()
      await happen(ELSEWHERE, first, second)
      const said = page.getByRole('button', { name: items === 'events' ? '3 new' : '2 new', exact: true })
      await said.waitFor()
      assert.equal(await table.innerText(), before, title)
      const asked = page.waitForRequest((request) =>
        new URL(request.url()).pathname.endsWith(`/${items}.json`),
      )
      await said.click()
      await asked
      await page.getByRole('button', { name: / new$/ }).waitFor({ state: 'detached' })
    }
    assert.deepEqual(faults, [])
  })

  test('37: every list that is told of events is in the table', () => {
    const told = [...SOURCES.values()].filter((source) => /^\s+news=/m.test(source))
    const items = told.map((source) => /^\s+items="(\w+)"/m.exec(source)?.[1])
    assert.deepEqual(items.toSorted(), Object.keys(LISTS).toSorted())
  })

  test('36: a stream that broke off goes on where it was: nothing is missed, and nothing is told twice', async (t) => {
    const { page } = await app.signedIn(t)
    const isStream = (url: string) => url.includes('/events/stream')
    const streamed = page.waitForResponse((response) => isStream(response.url()))
    await page.goto(`${app.product}/events`)
    await streamed
    await page.getByRole('table', { name: 'Events' }).waitFor()
    await happen('cart.created')
    await page.getByRole('button', { name: '1 new', exact: true }).waitFor()
    const broken = page.waitForEvent('requestfailed', (request) => isStream(request.url()))
    app.breakOff()
    await broken
    await happen('license.created', 'subscription.cancelled')
    await page.getByRole('button', { name: '3 new', exact: true }).waitFor()
    await happen('cart.created')
    const said = page.getByRole('button', { name: '4 new', exact: true })
    await said.click()
    await page
      .getByRole('table', { name: 'Events' })
      .getByRole('row')
      .nth(1)
      .getByText('cart.created')
      .waitFor()
  })
})
