// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { hasBrowser } from '../web/browser.ts'
import { callsOf, type Question } from './asking.ts'
import { dialog, press } from './hands.ts'
import { questionsOfAccount } from './questions-of-account.ts'
import {
  questionsOfCatalogue,
  questionsOfLicenses,
  questionsOfPlans,
  questionsOfSales,
} from './questions-of-product.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

const WEB = join(import.meta.dirname, '../../web/dashboard')
const SOURCES = new Map(
  globSync('**/*.tsx', { cwd: WEB }).map((file) => [file, readFileSync(join(WEB, file), 'utf8')] as const),
)

/** What a source asks before it is done, as `file title`: each `Confirm`, and each form whose button is dangerous. */
function questionsIn([file, source]: readonly [string, string]): readonly string[] {
  const forms = source.split('<Dialog').slice(1)
  const dangerous = forms.filter((form) => /^\s*isDangerous$/m.test(form.split(/^\s*>$/m)[0] ?? ''))
  return [...source.split('<Confirm').slice(1), ...dangerous].map((one) => {
    const [attributes = ''] = one.split('/>')
    return `${file} ${/\stitle=\{(.+)\}$/m.exec(attributes)?.[1] ?? '…'}`
  })
}

/** About what is typed, or who is signed in: they hit nothing that is counted. */
const WITHOUT_NUMBERS = ['Unsaved.tsx texts.unsaved', 'pages/profile/TwoFactor.tsx texts.twoFactorOff']

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

  test('18: what cannot be undone says what will happen, with the numbers of the server, and wants the name typed where it hits more than one row', async (t) => {
    const call = await callsOf(app)
    const questions = {
      ...(await questionsOfAccount(app, call)),
      ...(await questionsOfPlans(app, call)),
      ...(await questionsOfCatalogue(call)),
      ...(await questionsOfLicenses(app, call)),
      ...(await questionsOfSales(app, call)),
    }
    const known = [...Object.keys(questions), ...WITHOUT_NUMBERS]
    assert.deepEqual(
      [...SOURCES].flatMap(questionsIn).toSorted(),
      known.toSorted(),
      'each question of the source is in the table',
    )
    const { page, faults } = await app.signedIn(t)
    for (const [source, all] of Object.entries(questions))
      for (const one of all) await requireAsked(page, source, one)
    assert.deepEqual(faults, [])
  })

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
      return assert.equal(await field.count(), 0, what)
    }
    for (const text of ['', typed.slice(1), `${typed}s`]) {
      await field.fill(text)
      assert.equal(await button.isDisabled(), true, `${what}: “${text}”`)
    }
    await field.fill(typed)
    await button.and(page.locator(':enabled')).waitFor()
  }
})
