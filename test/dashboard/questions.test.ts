// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { hasBrowser } from '../web/browser.ts'
import { callsOf, type Question } from './asking.ts'
import { dialog, press } from './hands.ts'
import { requireRoom } from './lengthened.ts'
import { heldWrites, requireSentOnce } from './once.ts'
import { questionsOfAccount } from './questions-of-account.ts'
import {
  questionsOfCatalogue,
  questionsOfLicenses,
  questionsOfPlans,
  questionsOfSales,
} from './questions-of-product.ts'
import { startSellerApp, type SellerApp } from './seller.ts'
import { questionsIn, SOURCES } from './sources.ts'

/** About what is typed, or who is signed in: they hit nothing that is counted. */
const WITHOUT_NUMBERS = ['Unsaved.tsx texts.unsaved', 'pages/profile/TwoFactor.tsx texts.twoFactorOff']

/** About many rows at once, after each was tried: `lists.test.ts` has their numbers and the name that is typed. */
const OF_MANY = ['lists/BulkUnderWay.tsx danger']

/** Deletes without a question and without Undo: who was signed in there signs in again. */
const HARMLESS = ['pages/profile/Sessions.tsx']

test('18: whatever the dashboard deletes asks before, or has Undo', () => {
  const deleting = [...SOURCES].filter(([, source]) => /method: .*'DELETE'/.test(source))
  assert.ok(deleting.length > 10, `${deleting.length} pages`)
  const careless = deleting.filter(
    (one) =>
      questionsIn(one).length === 0 && !/\b(offerUndo|useAtOnce|useSwitch|useWithUndo)[<(]/.test(one[1]),
  )
  assert.deepEqual(
    careless.map(([file]) => file),
    HARMLESS,
  )
})

describe('what cannot be undone', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_questions')
  })
  after(() => app.close())

  test('11, 18, 34: what cannot be undone says what will happen, also in longer words, with the numbers of the server, wants the name typed where it hits more than one row, and is sent once', async (t) => {
    const call = await callsOf(app)
    const questions = {
      ...(await questionsOfAccount(app, call)),
      ...(await questionsOfPlans(app, call)),
      ...(await questionsOfCatalogue(call)),
      ...(await questionsOfLicenses(app, call)),
      ...(await questionsOfSales(app, call)),
    }
    const known = [...Object.keys(questions), ...WITHOUT_NUMBERS, ...OF_MANY]
    assert.deepEqual(
      [...SOURCES].flatMap(questionsIn).toSorted(),
      known.toSorted(),
      'each question of the source is in the table',
    )
    const { page, faults, allows } = await app.signedIn(t)
    allows('502', '409')
    for (const [source, all] of Object.entries(questions))
      for (const one of all) {
        const what = `${source} at ${one.path}`
        const button = await requireAsked(page, source, one)
        await requireRoom(page, what, [375, 1280])
        await requireDoneOnce(page, what, button)
      }
    assert.deepEqual(faults, [])
  })

  /** Presses what does it: nothing of that reaches the server. */
  async function requireDoneOnce(page: Page, what: string, button: Locator): Promise<void> {
    const writes = await heldWrites(page)
    const sent = await requireSentOnce({ page, writes, what }, button)
    await sent.answer({ error: { code: 'conflict', message: 'Not today.' } }, 409)
    await dialog(page).getByRole('alert').getByText('Not today.').waitFor()
    await writes.end()
  }

  /** The button that does what is asked about, when it can be pressed. */
  async function requireAsked(page: Page, source: string, { path, by, says, typed, act }: Question) {
    const what = `${source} at ${path}`
    await page.goto(path.startsWith('/') ? app.pathOf(path.slice(1)) : `${app.product}/${path}`)
    await press(page, by)
    const asking = dialog(page)
    for (const text of says) await asking.getByText(text).first().waitFor()
    assert.doesNotMatch(await asking.innerText(), /\{\w+\}|undefined|NaN/, what)
    const button = asking.getByRole('button', { name: act, exact: true })
    const field = asking.getByLabel(/^Type “/)
    if (typed === undefined) {
      await button.and(page.locator(':enabled')).waitFor()
      assert.equal(await field.count(), 0, what)
      return button
    }
    for (const text of ['', typed.slice(1), `${typed}s`]) {
      await field.fill(text)
      assert.equal(await button.isDisabled(), true, `${what}: “${text}”`)
    }
    await field.fill(typed)
    await button.and(page.locator(':enabled')).waitFor()
    return button
  }
})
