import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Browser, FrameLocator } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { html, startSite } from './site.ts'
import { PATIENCE, watched } from './watched.ts'

/** A dashboard as the WordPress SDK makes it: a frame that does not scroll, as high as the page says. */
const PARENT = `<!doctype html><html lang="en"><head><title>Dashboard</title></head><body style="margin: 0">
<iframe id="fs-frame" scrolling="no" style="width: 100%; height: 800px; border: 0"></iframe>
<script>
  const frame = document.getElementById('fs-frame')
  const address = new URL(location.hash.slice(1))
  window.heard = []
  window.addEventListener('message', ({ data, origin }) => {
    if (origin !== address.origin) return
    const message = JSON.parse(data)
    window.heard.push([message.type, message.data])
    const tell = (type, data) => frame.contentWindow.postMessage(JSON.stringify({ type, data }), address.origin)
    const place = () => ({ top: scrollY - frame.offsetTop, height: innerHeight })
    if (message.type === 'height') {
      frame.style.height = message.data.height + 'px'
      tell('scroll', place())
    }
    if (message.type === 'get_dimensions') tell('dimensions', { height: innerHeight, scrollTop: scrollY })
    if (message.type === 'forward') window.forwarded = message.data.url
    if (message.type === 'get_context' && window.site) tell('context', window.site)
    if (message.type === 'install' || message.type === 'pending_activation') window.connected = message
  })
  frame.src = address.href + '#' + encodeURIComponent(location.origin + '/wp-admin/')
</script></body></html>`

/** How many pixels of a page in a frame that does not scroll cannot be reached. */
const CUT = 'document.documentElement.scrollHeight - document.documentElement.clientHeight'

/** Waits until all of a page in a frame that does not scroll can be reached, once its dashboard has heard how high it is. */
export const requireReach = (t: TestContext, frame: FrameLocator): Promise<void> =>
  t.waitFor(async () => {
    const cut = Number(await frame.locator('html').evaluate(CUT))
    assert.ok(cut <= 1, `${cut} pixels cannot be reached`)
  }, PATIENCE)

interface Shown {
  readonly browser: Browser
  readonly app: Pick<TestApp, 'address'>
  /** Of the page in the frame, with its query; or what says it by the address of the dashboard. */
  readonly path: string | ((admin: string) => string)
}

/** A page of the server in the dashboard of a site, which notes all that it is told. */
export async function dashboard(t: TestContext, { browser, app, path }: Shown) {
  const { address: admin, close: stop } = await startSite({ '/': html(PARENT) })
  const { page, faults, allows, close } = await watched(browser, { origins: [app.address, admin] })
  t.after(async () => {
    await close()
    await stop()
  })
  await page.goto(`${admin}/#${app.address}${typeof path === 'string' ? path : path(admin)}`)
  const heard = () => page.evaluate('window.heard') as Promise<[string, unknown][]>
  return { page, frame: page.frameLocator('#fs-frame'), faults, allows, admin, heard }
}
