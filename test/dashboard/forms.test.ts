// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hasBrowser } from '../web/browser.ts'
import { requireForm, type Form } from './forms.ts'
import { FORMS_OF_ACCOUNT, FORMS_OF_PEOPLE, prepareAccount } from './forms-of-account.ts'
import {
  FORMS_OF_CATALOGUE,
  FORMS_OF_CUSTOMERS,
  FORMS_OF_LICENSES,
  FORMS_OF_PLANS,
  FORMS_OF_SETTINGS,
} from './forms-of-product.ts'
import { startSellerApp, type SellerApp } from './seller.ts'
import { formsIn, SOURCES } from './sources.ts'
import { walksOf } from './walks.ts'

const FORMS = {
  ...FORMS_OF_CATALOGUE,
  ...FORMS_OF_PLANS,
  ...FORMS_OF_SETTINGS,
  ...FORMS_OF_CUSTOMERS,
  ...FORMS_OF_LICENSES,
  ...FORMS_OF_ACCOUNT,
  ...FORMS_OF_PEOPLE,
}

/** They write nothing. */
const READING = [
  'lists/Narrowing.tsx form',
  'pages/audit/Narrowing.tsx form',
  'pages/explain/Explain.tsx form',
  'pages/licenses/FileCheck.tsx texts.checkFile',
  'pages/webhooks/Verify.tsx form',
  // Asks first: `questions.test.ts` has what it asks.
  'pages/sandbox/Move.tsx form',
]

/** Of who is not signed in: `sign-in.test.ts` has them. */
const SIGNING_IN = ['pages/sign-in/Forgotten.tsx form', 'pages/sign-in/SignInForm.tsx form']

/** Closed as soon as it is sent: `follow.test.ts` has it. */
const AT_ONCE = ['pages/notes/Note.tsx form']

/** What forms are made of. */
const PARTS = ['form.tsx form', 'form.tsx title', 'Unsaved.tsx texts.unsaved']

test('no form of the dashboard is forgotten', () => {
  assert.deepEqual(
    [...SOURCES].flatMap(formsIn).toSorted(),
    [...Object.keys(FORMS), ...READING, ...SIGNING_IN, ...AT_ONCE, ...PARTS].toSorted(),
  )
})

describe('each form of the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_forms')
    await prepareAccount(app)
  })
  after(async () => {
    await walks.close()
    await app.close()
  })

  /** One page for all, which goes from one to the next as by links. */
  const walks = walksOf(() => app)

  for (const [source, all] of Object.entries<readonly Form[]>(FORMS))
    test(`11, 12, 13, 34: ${source} has room for longer words, is sent once, says all that is wrong where it is, and asks before it is left`, () =>
      walks.walked(async ({ page, faults, allows, go }) => {
        // What is written is lost once, and then refused.
        allows('502', '400')
        for (const form of all) {
          const { path } = form
          await go(path.startsWith('/') ? app.pathOf(path.slice(1)) : `${app.product}/${path}`)
          if (form.prepare) {
            await form.prepare(app)
            await page.reload()
          }
          await requireForm({ page, what: `${source} at ${path}`, form })
        }
        assert.deepEqual(faults, [])
      }))
})
