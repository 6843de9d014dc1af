import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { inList } from '../../src/db/in-list.ts'
import type { SellerApp } from './seller.ts'

/** What has an environment, by the name of its page, which is that of its table. */
const OF_ONE = [
  'licenses',
  'installs',
  'payments',
  'subscriptions',
  'trials',
  'carts',
  'events',
  'mails',
] as const

/** The things that a page leads to, as `licenses/12`, each once. */
const LINKED = `[...new Set([...document.querySelectorAll('main a[href]')].flatMap(({ pathname }) =>
  /^\\/dashboard\\/\\d+\\/\\d+\\/(${OF_ONE.join('|')})\\/(\\d+)$/.exec(pathname)?.slice(1).join('/') ?? []))]`

/** Fails where a page leads to what is of the other environment than the one that it says it shows. */
export async function requireOneEnvironment(page: Page, app: SellerApp, name: string): Promise<number> {
  const environment = (await page.title()).startsWith('Test · ') ? 1 : 0
  const linked = (await page.evaluate(LINKED)) as readonly string[]
  for (const table of OF_ONE) {
    const ids = linked.filter((one) => one.startsWith(`${table}/`)).map((one) => Number(one.split('/')[1]))
    const others = await app.ctx.db
      .selectFrom(table)
      .select('id')
      .where('id', 'in', inList(ids))
      .where('environment', '<>', environment)
      .execute()
    assert.deepEqual(
      others.map(({ id }) => `${table}/${id}`),
      [],
      `${name}, environment ${environment}`,
    )
  }
  return linked.length
}

/** What is read on a page, one text a part of it; times, what is written for machines and choices are left out. */
const READ = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const all = []
  while (walker.nextNode()) {
    const { parentElement: of, data } = walker.currentNode
    if (of.checkVisibility() && !of.closest('[aria-hidden=true], script, style, pre, code, time, option')) all.push(data.trim())
  }
  for (const one of document.querySelectorAll('[aria-label], [title]:not(time), [placeholder]')) {
    if (one.closest('[aria-hidden=true]')) continue
    for (const name of ['aria-label', 'title', 'placeholder']) all.push(one.getAttribute(name) ?? '')
  }
  return [...new Set(all)].filter((text) => /[a-z]{2}/i.test(text) || /\\d/.test(text))
})()`

export const readOn = async (page: Page): Promise<readonly string[]> =>
  (await page.evaluate(READ)) as string[]

/** An amount: two places after the point, in no version, address or share. */
const AMOUNT = /(?<![\w.,:-])−?[\d,]*\d\.\d\d(?![\w.:%-]| %)/

/** Amounts of an English page that do not say of which currency they are. */
export const withoutCurrency = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => AMOUNT.test(text) && !/[$€£]|USD|EUR|GBP/.test(text))

const WEB = join(import.meta.dirname, '../../web')

/** All texts of what words are kept in, whatever is between. */
const textsIn = (words: unknown): readonly string[] =>
  typeof words === 'string'
    ? [words]
    : typeof words === 'object' && words !== null
      ? Object.values(words).flatMap(textsIn)
      : []

/** Tells whether a text is one of the German words of the dashboard, with whatever values in it. */
export async function germanWords(): Promise<(text: string) => boolean> {
  const files = globSync('{dashboard,ui}/**/{de,de-*,words-de}.ts', { cwd: WEB })
  const loaded = await Promise.all(files.map(async (file) => (await import(join(WEB, file))) as unknown))
  const all = loaded.flatMap(textsIn)
  assert.ok(all.length > 1_000, `${all.length} texts`)
  const plain = new Set(all)
  const filled = all.filter((text) => text.includes('{')).map((text) => text.split(/\{\w+\}/))
  return (text) =>
    plain.has(text) ||
    filled.some((parts) => parts.some((part) => /[a-zäöüß]{3}/i.test(part)) && fits(text, parts))
}

/** Whether a text has these parts in their order, the first at its start and the last at its end. */
function fits(text: string, parts: readonly string[]): boolean {
  let at = 0
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found === -1 || (at === 0 && found !== 0)) return false
    at = found + part.length
  }
  return text.endsWith(parts.at(-1) ?? '')
}

/** Numbers of things, as `#12`, that lead nowhere; what the page itself is about is none of them. */
export const UNLINKED = `[...document.querySelectorAll('main *')].flatMap((one) => {
  if (one.closest('a, h1, pre, .copied, nav')) return []
  const text = [...one.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data).join('')
  return /#\\d/.test(text) ? [text] : []
})`

/** Each figure of a page says what it means, and what it shows. */
export async function requireSentences(page: Page): Promise<void> {
  await page.getByRole('slider').nth(5).waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  for (const chart of await page.getByRole('slider').all()) {
    const name = String(await chart.getAttribute('aria-label'))
    const [meaning, ...said] = await page
      .getByRole('region', { name, exact: true })
      .locator('p')
      .allInnerTexts()
    assert.match(meaning ?? '', /\w/, `${name} has a meaning`)
    assert.ok(said.length > 0 && said.every((text) => /\w/.test(text)), `${name} says ${said.join(' | ')}`)
  }
}
