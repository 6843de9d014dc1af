import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

type Json = Readonly<Record<string, unknown>>

/** Hears what a page is answered, by what was asked for: by it the call that the page shows is judged. */
export function heardBy(page: Page): ReadonlyMap<string, () => Promise<Json>> {
  const heard = new Map<string, () => Promise<Json>>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.ok() && pathname.endsWith('.json'))
      heard.set(pathname, async () => (await response.json()) as Json)
  })
  return heard
}

/** The call that a page shows, run with a token, is answered what the page was. A list asks for one row beyond its page. */
export async function requireSameAnswer(
  page: Page,
  heard: ReadonlyMap<string, () => Promise<Json>>,
  token: string,
  isWrittenMeanwhile: boolean,
): Promise<void> {
  const shown = page.locator('.api-call', { has: page.getByText('API call', { exact: true }) }).first()
  const curl = String(await shown.locator('code').textContent())
  const [, name = '', value = '', url = ''] = /curl -H "([\w-]+): (.+)" \\\n {2}'(.+)'$/.exec(curl) ?? []
  assert.ok(curl.startsWith(`GET ${url.slice(new URL(url).origin.length)}\n`), curl)
  const reply = await fetch(url, { headers: { [name]: value.replace('$KEYWRIGHT_TOKEN', token) } })
  assert.equal(reply.status, 200, curl)
  const answer = (await reply.json()) as Json
  const before = await heard.get(new URL(url).pathname)?.()
  assert.ok(before, `the page asked for ${url}`)
  assert.deepEqual(Object.keys(answer), Object.keys(before), url)
  if (isWrittenMeanwhile) return
  for (const [key, found] of Object.entries(answer)) {
    const told = before[key]
    const same = Array.isArray(found) && Array.isArray(told) ? told.slice(0, found.length) : told
    assert.deepEqual(found, same, `${key} of ${url}`)
  }
}
