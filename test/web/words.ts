import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Words of products that run on sites, in English and German. */
const SITES = /\b(?:web)?sites?\b/i

/** What a page says, and what its fields and buttons say of themselves. */
const SAID = `[
  document.body.innerText,
  ...['placeholder', 'aria-label', 'title'].flatMap((name) =>
    [...document.querySelectorAll('[' + name + ']')].map((one) => one.getAttribute(name))),
].join('\\n')`

/** Fails where a page, or a field of it, speaks of sites; addresses that stand on it do not count. */
export async function saysNoSite(page: Page, name: string): Promise<void> {
  const said = await page.evaluate<string>(SAID)
  const lines = said.split('\n').filter((line) => SITES.test(line.replaceAll(/\S+\.\S+/g, '')))
  assert.deepEqual(lines, [], name)
}
