// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { transaction } from '../../src/context.ts'
import { hasBrowser } from '../web/browser.ts'
import { requireEachState } from '../web/failing-first.ts'
import { requireAccessible, requireAccessibleEverywhere } from '../web/watched.ts'
import { startBuyerApp, type BuyerApp } from './buyer.ts'

interface Shown {
  readonly path: (app: BuyerApp) => string
  readonly title: RegExp
  /** What the page asks for, so that it can be kept waiting and refused. */
  readonly asks: (app: BuyerApp) => string
}

/** Every page of who is in, by the component that shows it. */
const PAGES: Readonly<Record<string, Shown>> = {
  Home: { path: ({ productId }) => `${productId}`, title: /^Aurora Forms$/, asks: () => '/licenses.json' },
  License: {
    path: ({ productId, bought }) => `${productId}/licenses/${bought.license_id}`,
    title: /^License #\d+$/,
    asks: ({ bought }) => `/licenses/${bought.license_id}.json`,
  },
  Subscription: {
    path: ({ productId, bought }) => `${productId}/subscriptions/${bought.id}`,
    title: /^Subscription #\d+$/,
    asks: ({ bought }) => `/subscriptions/${bought.id}.json`,
  },
  Profile: {
    path: () => 'profile',
    title: /^Profile$/,
    asks: ({ bought }) => `/users/${bought.user_id}.json`,
  },
}

/** What is shown to whom nobody knows, and asks for nothing. */
const WITHOUT_QUESTION = ['Erased']

const ROUTES = readFileSync(join(import.meta.dirname, '../../web/portal/router.tsx'), 'utf8')

test('no page of the portal is forgotten', () => {
  const routed = [...ROUTES.matchAll(/lazyRouteComponent\(\(\) => import\('[^']+'\), '(\w+)'\)/g)]
  const known = [...Object.keys(PAGES), ...WITHOUT_QUESTION]
  assert.deepEqual(routed.map(([, name]) => name).toSorted(), known.toSorted())
})

describe('every page of the portal', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: BuyerApp
  before(async () => {
    app = await startBuyerApp('portal_pages')
  })
  after(() => app.close())

  test('Ask: in both looks, at each width', async (t) => {
    const { page, faults } = await app.page(t)
    await page.goto(app.pathOf(`?product_id=${app.productId}`))
    await page.getByRole('heading', { level: 1, name: 'Your purchases' }).waitFor()
    await requireAccessibleEverywhere(page, 'Ask')
    assert.deepEqual(faults, [])
  })

  test('Erased: in both looks, at each width', async (t) => {
    const { page, faults } = await app.page(t)
    await page.goto(app.pathOf('erased'))
    await page.getByRole('heading', { level: 1, name: 'Your data is erased' }).waitFor()
    await requireAccessibleEverywhere(page, 'Erased')
    assert.deepEqual(faults, [])
  })

  for (const [name, { path, title, asks }] of Object.entries(PAGES)) {
    test(`${name}: while it loads, when that fails, and filled in both looks, at each width`, async (t) => {
      const { page, faults, allows } = await app.entered(t, { path: null })
      allows('500')
      const go = () => page.goto(app.pathOf(path(app)))
      await requireEachState(page, { name, go, title, asks: asks(app) })
      assert.deepEqual(faults, [])
    })
  }

  test('the first page asks who is in once, then for all its lists at once, and for each of them once', async (t) => {
    const { page, faults } = await app.entered(t, { path: null })
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/v1/')) asked.push(pathname.split('/').at(-1) ?? '')
    })
    const lists = ['licenses.json', 'payments.json', 'plans.json', 'subscriptions.json', 'trials.json']
    const others = Promise.all(
      lists.slice(1).map((name) => page.waitForRequest((request) => request.url().includes(`/${name}`))),
    )
    // Answered when all others have been asked for.
    await page.route(
      (url) => url.pathname.endsWith('/licenses.json'),
      (route) => others.then(() => route.continue()),
    )
    await page.goto(app.pathOf(`${app.productId}`))
    await page.getByRole('button', { name: 'Show', exact: true }).first().click({ trial: true })
    assert.deepEqual(asked.slice(0, 1), ['session.json'])
    assert.deepEqual(asked.slice(1).toSorted(), lists)
    assert.deepEqual(faults, [])
  })

  test('a product of which nothing was bought says so', async (t) => {
    const { page, faults } = await app.entered(t, { path: null })
    for (const items of ['licenses', 'subscriptions', 'payments'])
      await page.route(
        (url) => url.pathname.endsWith(`/${items}.json`),
        (route) => route.fulfill({ json: { [items]: [] } }),
      )
    await page.goto(app.pathOf(`${app.productId}`))
    await page.getByText('You have no license of this product.').waitFor()
    await page.getByText('Nothing renews itself.').waitFor()
    await requireAccessible(page, 'Home, empty')
    assert.deepEqual(faults, [])
  })

  test('an address that leads nowhere, and a product that is not the buyer’s, say so', async (t) => {
    const { page } = await app.entered(t, { path: null })
    for (const path of ['999999', `${app.productId}/nowhere`]) {
      await page.goto(app.pathOf(path))
      await page.getByRole('heading', { name: 'There is nothing at this address.' }).waitFor()
    }
  })

  test('a license that is not there, or whose id is none, is told in the language of the page', async (t) => {
    const { page, faults, allows } = await app.entered(t, { path: null })
    allows('404 /licenses/987654321.json', '400 /licenses/abc.json')
    const readNotThere = async (language: 'de' | null, said: string) => {
      await transaction(app.ctx, ({ db }) =>
        db.updateTable('users').set({ language }).where('id', '=', app.bought.user_id).execute(),
      )
      for (const id of ['987654321', 'abc']) {
        await page.goto(app.pathOf(`${app.productId}/licenses/${id}`))
        await page.getByRole('alert').getByText(said, { exact: true }).waitFor()
      }
    }
    await readNotThere('de', 'Diese Lizenz gibt es nicht.')
    await readNotThere(null, 'There is no such license.')
    assert.deepEqual(faults, [])
  })

  test('a long list comes a page at a time', async (t) => {
    await transaction(app.ctx, async ({ db }) => {
      const { id: _, ...paid } = await db
        .selectFrom('payments')
        .selectAll()
        .where('user_id', '=', app.bought.user_id)
        .where('product_id', '=', app.productId)
        .limit(1)
        .executeTakeFirstOrThrow()
      const more = Array.from({ length: 30 }, (_one, n) => ({ ...paid, external_id: `more-${n}` }))
      await db.insertInto('payments').values(more).execute()
    })
    const { page, faults } = await app.entered(t)
    const rows = page.getByRole('table', { name: 'Payments' }).getByRole('row')
    await rows.nth(25).waitFor()
    assert.equal(await rows.count(), 26, 'with their head')
    await page.getByRole('button', { name: 'Show more' }).click()
    await rows.nth(30).waitFor()
    await requireAccessible(page, 'a list of two pages')
    assert.deepEqual(faults, [])
  })
})
