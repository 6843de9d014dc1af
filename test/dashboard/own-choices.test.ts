// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test, type TestContext as T } from 'node:test'
import type { Page } from 'playwright-core'
import { transaction } from '../../src/context.ts'
import { hasBrowser } from '../web/browser.ts'
import { intercepted } from '../web/intercepted.ts'
import { requireAccessibleEverywhere } from '../web/watched.ts'
import { dialog, press } from './hands.ts'
import { joinTeam, startSellerApp, type SellerApp } from './seller.ts'

const MINUTE = 60_000

describe('the language and the time zone of a person', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  let member = ''
  before(async () => {
    app = await startSellerApp('dashboard_own_choices')
    member = await app.sessionOf(await joinTeam(app, 'support'))
  })
  after(() => app.close())
  afterEach(() => chosen({ language: null, zone: null }))

  /** As every person has chosen it in another browser. */
  const chosen = (choices: { readonly language?: 'en' | 'de' | null; readonly zone?: string | null }) =>
    transaction(app.ctx, ({ db }) => db.updateTable('developers').set(choices).execute())
  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const zone = (page: Page) => page.getByLabel(/^(Time zone|Zeitzone)$/)
  const shownIn = (page: Page) => page.locator('html').getAttribute('lang')

  async function at(t: T, title: string, session?: string) {
    const opened = await app.signedIn(t, session)
    await opened.page.goto(app.pathOf('profile'))
    await heading(opened.page, title)
    return opened
  }

  async function choose(page: Page, label: string, value: string, title: string): Promise<void> {
    await Promise.all([page.waitForEvent('load'), page.getByLabel(label).selectOption(value)])
    await heading(page, title)
  }

  test('another browser shows what a person has chosen in one, and from then on before it is known who is there', async (t) => {
    const { page, faults } = await at(t, 'Profile')
    await choose(page, 'Time zone', 'Pacific/Auckland', 'Profile')
    await choose(page, 'Language', 'de', 'Profil')
    const other = await at(t, 'Profil')
    assert.deepEqual(
      [await shownIn(other.page), await zone(other.page).inputValue()],
      ['de', 'Pacific/Auckland'],
    )
    await requireAccessibleEverywhere(other.page, 'profile')

    const known = Promise.withResolvers<void>()
    const end = await intercepted(other.page, '/session.json', async ({ pass }) => {
      await known.promise
      // What the page before has asked is given up.
      await pass().catch(() => undefined)
    })
    await other.page.reload({ waitUntil: 'commit' })
    await other.page.locator('html[lang=de]').waitFor({ state: 'attached' })
    known.resolve()
    await end()
    await heading(other.page, 'Profil')

    await choose(other.page, 'Sprache', '', 'Profile')
    await page.reload()
    await heading(page, 'Profile')
    assert.equal(await zone(page).inputValue(), 'Pacific/Auckland')
    assert.deepEqual([faults, other.faults], [[], []])
  })

  test('another person in the same browser is shown the own language and zone, or those of the browser', async (t) => {
    const { page, faults } = await at(t, 'Profile')
    await choose(page, 'Time zone', 'Pacific/Auckland', 'Profile')
    await choose(page, 'Language', 'de', 'Profil')
    const enter = async (value: string, title: string) => {
      await page.context().addCookies([{ name: 'keywright_session', value, url: app.address }])
      await page.goto(app.pathOf('profile'))
      await heading(page, title)
    }
    await enter(member, 'Profile')
    assert.deepEqual([await shownIn(page), await zone(page).inputValue()], ['en-US', ''])
    await choose(page, 'Time zone', 'UTC', 'Profile')
    await enter(app.session, 'Profil')
    assert.equal(await zone(page).inputValue(), 'Pacific/Auckland')
    await enter(member, 'Profile')
    assert.equal(await zone(page).inputValue(), 'UTC')
    assert.deepEqual(faults, [])
  })

  test('a choice that the server refuses is not shown, and its field says why', async (t) => {
    const { page, faults, allows } = await at(t, 'Profile')
    allows('400 /person.json')
    const details = [{ field: 'zone', message: 'is not known there' }]
    const error = { code: 'invalid_argument', message: 'The zone is wrong.', details }
    const end = await intercepted(page, '/person.json', ({ answer }) => answer({ error }, 400))
    await zone(page).selectOption('UTC')
    await page.getByText('is not known there').waitFor()
    assert.deepEqual(
      [await zone(page).inputValue(), await zone(page).getAttribute('aria-invalid')],
      ['', 'true'],
    )
    await requireAccessibleEverywhere(page, 'refused')
    await end()
    assert.deepEqual(faults, [])
  })

  test('what is typed in a page that is open stays when another language is chosen elsewhere', async (t) => {
    const { page, faults } = await at(t, 'Profile')
    await press(page, 'Change name')
    await dialog(page).getByLabel('First name').fill('Typed')
    await chosen({ language: 'de' })
    await page.clock.setFixedTime(app.ctx.clock.real() + 2 * MINUTE)
    const asked = page.waitForResponse((response) => response.url().endsWith('/v1/session.json'))
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
    await (await asked).finished()
    await page.waitForFunction(`localStorage.getItem('keywright-language') === 'de'`)
    assert.equal(await dialog(page).getByLabel('First name').inputValue(), 'Typed')
    const open = await page.context().newPage()
    await open.goto(app.pathOf('profile'))
    await heading(open, 'Profil')
    assert.deepEqual(faults, [])
  })
})
