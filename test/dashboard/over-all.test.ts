// Runs on sqlite, in a browser, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { transaction } from '../../src/context.ts'
import { hasBrowser } from '../web/browser.ts'
import { createImport } from '../wholes.ts'
import { buttonsOn, HARMLESS } from './buttons.ts'
import { PAGES, type Shown } from './every-page.ts'
import { germanWords, readOn, requireOneEnvironment, UNLINKED, withoutCurrency } from './read-pages.ts'
import { startSellerApp, type SellerApp } from './seller.ts'
import { lostStops } from './stops.ts'
import { begin } from './walks.ts'

/** Of pages of one thing, one of the sandbox, or one that has both. */
const OF_SANDBOX: Readonly<Record<string, Pick<Shown, 'path' | 'asks'>>> = {
  Customer: { path: '{product}/customers/2', asks: '/users/2.json' },
  License: { path: '{product}/licenses/11', asks: '/licenses/11.json' },
  Explain: { path: '{product}/explain?license=11', asks: '/licenses/explain.json' },
}

/** Pages of what is of the sandbox, where it is changed. */
const OF_SANDBOX_ALONE = new Set(['License', 'Licenses', 'Mail', 'Payment', 'Subscription', 'Sandbox'])

/** What takes the right to write, and changes nothing. */
const IS_READ = /^(Show secret key|Export the account|Download the (data|report))$/

/** Names of programs, of other platforms and of headers, and what is an example. */
const OF_NO_LANGUAGE =
  /^(PDF|Lemon Squeezy|Easy Digital Downloads|WooCommerce|Gumroad|Keygen|Paddle|Polar|JavaScript|PHP|Python|Go|webhook-(id|timestamp|signature)|whsec_…|evt_1|USD|EUR|GBP|developer:\d+|#\d+)$/

describe('all pages of the dashboard', { skip: !hasBrowser && 'no browser here' }, () => {
  let app: SellerApp
  before(async () => {
    app = await startSellerApp('dashboard_over_all')
    await transaction(app.ctx, async (tx) => {
      await createImport(tx, app.demo, 'finished')
      await tx.db.updateTable('mails').set({ environment: 0 }).where('id', '>', 4).execute()
    })
  })
  after(() => app.close())

  /** What is read on each page in the sandbox, all that it was answered, and how many things it leads to. */
  async function readAll(locale: string) {
    const walk = await begin(app, { locale })
    const { page, faults } = walk
    await page.emulateMedia({ forcedColors: 'active' })
    const told: string[] = []
    page.on('response', (response) => {
      if (!response.url().includes('.json')) return
      response.text().then(
        (text) => told.push(text),
        () => undefined,
      )
    })
    const read: Record<string, readonly string[]> = {}
    const banded: Record<string, readonly [tab: string, band: string]> = {}
    const free: Record<string, string[]> = {}
    const unlinked: Record<string, readonly string[]> = {}
    const stops: Record<string, Awaited<ReturnType<typeof lostStops>>> = {}
    let linked = 0
    for (const [name, shown] of Object.entries(PAGES)) {
      const { path, asks } = OF_SANDBOX[name] ?? shown
      const address = new URL(app.pathOf(path.replace('{product}', String(app.demo.productId))))
      address.searchParams.set('mode', 'test')
      const answered = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(asks))
      await walk.go(address.href)
      await answered
      await page.locator('main h1').waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      const band = await page.locator('.band').allInnerTexts()
      banded[name] = [await page.title(), band.join()]
      const isTest = banded[name]?.[0].startsWith('Test · ')
      for (const { name: button, isDisabled } of isTest ? await buttonsOn(page, name) : [])
        if (!isDisabled && !HARMLESS.test(button)) (free[name] ??= []).push(button)
      linked += await requireOneEnvironment(page, app, name)
      unlinked[name] = await page.evaluate(UNLINKED)
      read[name] = await readOn(page)
      stops[name] = await lostStops(page)
    }
    assert.deepEqual(faults, [])
    await walk.close()
    return { read, told: told.join('\n'), linked, unlinked, banded, free, stops }
  }

  let english: ReturnType<typeof readAll> | undefined
  const inEnglish = () => (english ??= readAll('en-US'))

  test('27: in the sandbox every page says so in words, in its tab, and what time its clock tells, but where one thing is looked at that is live', async () => {
    const { banded } = await inEnglish()
    const live = Object.keys(banded).filter((name) => banded[name]?.[0].startsWith('Test · ') !== true)
    assert.deepEqual(live, ['Install'])
    for (const [name, [, band]] of Object.entries(banded)) {
      const isOfProduct = PAGES[name]?.path.startsWith('{product}')
      const told = isOfProduct ? /^Test mode .+ Its clock says .+ UTC\.$/ : /^Test mode /
      assert.match(band, name === 'Install' ? /^$/ : told, name)
    }
  })

  test('29: in the sandbox no page has a button that changes what counts live', async () => {
    const { free } = await inEnglish()
    for (const [name, buttons] of Object.entries(free))
      assert.deepEqual(
        OF_SANDBOX_ALONE.has(name) ? [] : buttons.filter((button) => !IS_READ.test(button)),
        [],
        name,
      )
    assert.ok(free['License']?.includes('Cancel license'), 'what is of the sandbox is changed there')
  })

  test('5, 32: in forced colours each stop of Tab of every page is in view, uncovered and has a ring, and fields keep their borders', async () => {
    const { stops } = await inEnglish()
    for (const [name, { count, lost }] of Object.entries(stops)) {
      assert.ok(count > 20, `${name}: ${count} stops`)
      assert.deepEqual(lost, [], name)
    }
  })

  test('16: on no page the number of a thing is no link', async () => {
    const { unlinked } = await inEnglish()
    for (const [name, texts] of Object.entries(unlinked)) assert.deepEqual(texts, [], name)
  })

  test('28: in the sandbox no page leads to anything that is live, but where one thing is looked at that is', async () => {
    const english = await inEnglish()
    assert.ok(english.linked > 60, `${english.linked} things`)
  })

  test('22: no page has an amount without its currency', async () => {
    const english = await inEnglish()
    for (const [name, texts] of Object.entries(english.read))
      assert.deepEqual(withoutCurrency(texts), [], name)
    const amounts = Object.values(english.read).filter((texts) =>
      texts.some((text) => /^[$€£][\d,]+\.\d\d$/.test(text)),
    )
    assert.ok(amounts.length > 6, `${amounts.length} pages with amounts`)
    assert.deepEqual(withoutCurrency(['9.99', '1,204.50 left', '$9.99', '9.99 USD', '2.6.0', '12.50 %']), [
      '9.99',
      '1,204.50 left',
    ])
  })

  test('34: in German no page has a word of English that is not of what the server answered', async () => {
    const english = await inEnglish()
    const german = await readAll('de-DE')
    const isGerman = await germanWords()
    const told = `${english.told}\n${german.told}`
    const isKnown = (word: string) =>
      OF_NO_LANGUAGE.test(word) || isGerman(word) || told.includes(JSON.stringify(word).slice(1, -1))
    const isTold = (text: string) =>
      text.split(/[\s,•·()]+/).every((word) => isKnown(word) || isKnown(word.replace(/:$/, '')))
    for (const [name, texts] of Object.entries(german.read)) {
      const known = new Set(english.read[name])
      const same = texts.filter((text) => known.has(text) && /[a-z]{3}/i.test(text))
      assert.deepEqual(
        same.filter((text) => !isGerman(text) && !isTold(text) && !OF_NO_LANGUAGE.test(text)),
        [],
        name,
      )
    }
  })
})
