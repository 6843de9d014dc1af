// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { transaction } from '../../src/context.ts'
import { createImport } from '../wholes.ts'
import { hasBrowser } from '../web/browser.ts'
import type { Locator } from 'playwright-core'
import { requireEachState, requireStays } from '../web/failing-first.ts'
import { requireSameAnswer, requireServed, servedAt, tokenOfAccount, type Served } from './called.ts'
import { PAGES, SIGNED_OUT } from './every-page.ts'
import { requireRoom } from './lengthened.ts'
import { ROUTES } from './routed.ts'
import { startSellerApp, type SellerApp } from './seller.ts'
import { walksOf } from './walks.ts'

/** What only others bring: a bank disputes, an event is sent, rows are chosen in their lists, something is done. */
const NO_BUTTON = new Set(['Disputes', 'Deliveries', 'Bulks', 'Audit'])
/** And what no token may call. */
const NO_CALL = new Set(['Disputes', 'Deliveries', 'WholeAccount'])

/** About the person, whom no token is of: its sessions are asked for by one of them, and all of its account. */
const OF_PERSON = new Set(['Profile', 'WholeAccount'])

/** What these tell is another thing each time that it is asked for. */
const MOVING = new Set(['Audit', 'Server', 'Tokens'])

test('no page of the dashboard is forgotten', () => {
  const routed = [...ROUTES.matchAll(/lazyRouteComponent\(\(\) => import\('[^']+'\), '(\w+)'\)/g)]
  assert.deepEqual(
    [...new Set(routed.map(([, name]) => name))].toSorted(),
    [...Object.keys(PAGES), ...SIGNED_OUT].toSorted(),
  )
})

describe('every page of the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  let token: string
  let served: Served
  before(async () => {
    app = await startSellerApp('dashboard_pages')
    token = await tokenOfAccount(app)
    served = await servedAt(app.address)
    await transaction(app.ctx, (tx) => createImport(tx, app.demo, 'finished'))
  })
  after(async () => {
    await walks.close()
    await app.close()
  })

  /** One page for all, which goes from one to the next as by links. */
  const walks = walksOf(() => app)
  const { walked } = walks
  const addressOf = (path: string) => app.pathOf(path.replace('{product}', String(app.demo.productId)))

  /** An empty list has the button that begins to fill it, and the call that does the same. */
  async function requireWayOut(name: string, blank: Locator): Promise<void> {
    if (!NO_BUTTON.has(name)) await blank.locator('.actions button, .actions a').first().waitFor()
    if (!NO_CALL.has(name)) requireServed(await blank.locator('.api-call code').first().textContent(), served)
  }

  for (const [name, { path, title, asks, items }] of Object.entries(PAGES)) {
    const empty = items === undefined ? '' : 'with nothing in it, '
    test(`6, 7, 25, 31, 33, 34, 35: ${name}: while it loads, when that fails, ${empty}and filled in both looks, at each width, with longer words either way, with its call, and what of it moves`, () =>
      walked(async ({ page, faults, allows, heard, go }) => {
        allows('500')
        const opened = {
          name,
          go: (width?: number) => go(addressOf(path), width),
          title,
          asks,
          items,
          seen: (blank: Locator) => requireWayOut(name, blank),
        }
        await requireEachState(page, opened)
        if (!OF_PERSON.has(name)) await requireSameAnswer(page, heard, token, MOVING.has(name))
        await requireRoom(page, name)
        await requireStays(page, opened)
        assert.deepEqual(faults, [])
      }))
  }
})
