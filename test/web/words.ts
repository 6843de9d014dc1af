import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Words of products that run on sites, in English and German. */
const SITES = /\b(?:web)?sites?\b/i

/** Fails where a page, or a field of it, speaks of sites; addresses that stand on it do not count. */
export async function saysNoSite(page: Page, name: string): Promise<void> {
  const said = await page.evaluate(() => {
    const labels = [...document.querySelectorAll('[placeholder], [aria-label], [title]')].flatMap((one) =>
      ['placeholder', 'aria-label', 'title'].map((attribute) => one.getAttribute(attribute) ?? ''),
    )
    return [document.body.innerText, ...labels].join('\n')
  })
  const lines = said.split('\n').filter((line) => SITES.test(line.replaceAll(/\S+\.\S+/g, '')))
  assert.deepEqual(lines, [], name)
}
