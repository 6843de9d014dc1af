import type { Page } from 'playwright-core'

/** A request that a page has made, and that waits for what a test does with it. */
export interface Paused {
  readonly method: string
  readonly url: string
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty where the request has none, or one with a file. */
  readonly body: string
  /** Lets it on to the server. */
  pass(): Promise<unknown>
  /** Answers in the place of the server. */
  answer(json: object, status?: number, headers?: Readonly<Record<string, string>>): Promise<unknown>
}

/**
 * Does something with each request of a page whose path ends so, until what it returns is called. A `route` of Playwright
 * takes every request of the page to the test and back, and keeps the browser from its cache: a page takes thrice as
 * long to load.
 */
export async function intercepted(
  page: Page,
  ending: string,
  work: (paused: Paused) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const underWay = new Set<Promise<unknown>>()
  session.on('Fetch.requestPaused', ({ requestId, request: { method, url, headers, postData = '' } }) => {
    const done = work({
      method,
      url,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      body: postData,
      pass: () => session.send('Fetch.continueRequest', { requestId }),
      answer: (json, status = 200, headers = {}) =>
        session.send('Fetch.fulfillRequest', {
          requestId,
          responseCode: status,
          responseHeaders: Object.entries({ 'content-type': 'application/json', ...headers }).map(
            ([name, value]) => ({ name, value }),
          ),
          body: Buffer.from(JSON.stringify(json)).toString('base64'),
        }),
    })
    underWay.add(done)
    void done.finally(() => underWay.delete(done))
  })
  const patterns = [`*${ending}`, `*${ending}?*`].map((urlPattern) => ({ urlPattern }))
  await session.send('Fetch.enable', { patterns })
  return async () => {
    await Promise.all(underWay)
    await session.detach()
  }
}
