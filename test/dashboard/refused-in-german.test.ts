// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext as T } from 'node:test'
import type { Page } from 'playwright-core'
import { hasBrowser } from '../web/browser.ts'
import { requireAccessibleEverywhere, type Watched } from '../web/watched.ts'
import { dialog, press, wide } from './hands.ts'
import { startSellerApp, type SellerApp } from './seller.ts'

describe('what the server refuses, on a German page', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_refused_in_german')
  })
  after(async () => {
    await app.close()
  })

  /** A page of the product in a language. */
  async function opened(t: T, path: string, locale: string): Promise<Watched> {
    const entered = await app.enter(app.session, { locale })
    t.after(entered.close)
    await entered.page.goto(`${app.product}/${path}`)
    return entered
  }

  const inDialog = (page: Page, text: string) => dialog(page).getByText(text, { exact: true }).waitFor()

  test('a field that is refused says so in German, and so does what stands above a form', async (t) => {
    const { page, faults, allows } = await opened(t, 'licenses', 'de-DE')
    allows('400')
    await press(page, 'Lizenz ausstellen')
    await dialog(page).getByLabel('E-Mail-Adresse').fill('keine Adresse')
    await dialog(page).getByRole('button', { name: 'Lizenz ausstellen' }).click()
    await inDialog(page, 'muss eine gültige E-Mail-Adresse sein')
    await requireAccessibleEverywhere(page, 'a form that was refused, in German')
    await wide(page)

    await page.goto(`${app.product}/customers`)
    await press(page, 'Kunden anlegen')
    await dialog(page).getByLabel('E-Mail-Adresse').fill('buyer@example.com')
    await dialog(page).getByLabel('Name', { exact: true }).fill('x'.repeat(101))
    await dialog(page).getByRole('button', { name: 'Kunden anlegen' }).click()
    await inDialog(page, 'muss mit einem Vornamen von höchstens 100 Zeichen beginnen')

    const { name, title } = await app.ctx.db
      .selectFrom('licenses')
      .innerJoin('plans', 'plans.id', 'licenses.plan_id')
      .select(['plans.name', 'plans.title'])
      .where('licenses.product_id', '=', app.demo.productId)
      .where('licenses.pricing_id', 'is not', null)
      .executeTakeFirstOrThrow()
    await page.goto(`${app.product}/plans`)
    await press(page, 'Tarif anlegen')
    await dialog(page).getByLabel('Titel').fill('Another')
    await dialog(page).getByLabel('Name', { exact: true }).fill(name)
    await dialog(page).getByRole('button', { name: 'Tarif anlegen' }).click()
    await inDialog(page, 'Das Produkt hat schon einen Tarif mit diesem Namen.')

    await page.goto(`${app.product}/plans`)
    await press(page, `Tarif entfernen: ${title}`)
    await dialog(page).getByRole('textbox').fill(title)
    await dialog(page).getByRole('button', { name: 'Tarif entfernen' }).click()
    const alert = dialog(page).getByRole('alert')
    await alert.waitFor()
    assert.equal(await alert.innerText(), 'Dieser Tarif wurde verkauft. Verbergen Sie ihn stattdessen.')
    assert.deepEqual(faults, [])
  })

  /** Opens pages of licenses that are not there, and answers whether that has loaded German for them. */
  async function readNotThere(t: T, locale: string, said: string): Promise<boolean> {
    const { page, faults, allows } = await opened(t, 'licenses', locale)
    allows('404 /licenses/987654321.json', '400 /licenses/abc.json')
    let hasGerman = false
    page.on('request', (request) => (hasGerman ||= request.url().includes('/refusal-')))
    for (const id of ['987654321', 'abc']) {
      await page.goto(`${app.product}/licenses/${id}`)
      await page.getByRole('alert').getByText(said, { exact: true }).waitFor()
    }
    assert.deepEqual(faults, [])
    return hasGerman
  }

  test('a page of a thing that is not there says so, also where its id is none, in German, which a page in English does not load', async (t) => {
    assert.equal(await readNotThere(t, 'de-DE', 'Diese Lizenz gibt es nicht.'), true)
    assert.equal(await readNotThere(t, 'en-US', 'There is no such license.'), false)
  })
})
