import type { TestContext } from 'node:test'
import type { Browser, Frame, FrameLocator, Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { changeShop, type ChangeShop } from '../license-changes.ts'
import { startShop } from './shop.ts'
import type { Site } from './site.ts'
import { watched, type Watched } from './watched.ts'

interface Sells {
  readonly options?: object
  /** The script of the server in the place of the package. */
  readonly script?: string
  readonly query?: string
  readonly dark?: true
  readonly own?: true
}

export interface OpenShop extends Watched {
  readonly frame: FrameLocator
  readonly site: Site
}

export interface OverlayShop {
  readonly shop: ChangeShop
  /** A shop whose button opens the checkout of the dearer plan, in a page of the test. */
  open(t: TestContext, more?: Sells): Promise<OpenShop>
}

/** Shops that sell the first product with the overlay, in the sandbox. */
export async function overlayShop(app: TestApp, browser: Browser, made?: ChangeShop): Promise<OverlayShop> {
  const shop = made ?? (await changeShop(app))
  const optionsOf = () => {
    const { s_ctx_ts: ctx, sandbox: token } = shop.sandbox()
    return { product_id: String(app.seller.product.id), plan_id: shop.plans.pro, sandbox: { ctx, token } }
  }
  return {
    shop,
    async open(t, { options, script, query = '', dark, own } = {}) {
      const site = await startShop(app, {
        options: { ...optionsOf(), ...options },
        ...(script !== undefined && { script }),
      })
      const opened = await watched(browser, {
        origins: [app.address, site.address],
        ...(own && { own }),
        ...(dark && { colorScheme: 'dark' as const }),
      })
      t.after(async () => {
        await opened.close()
        await site.close()
      })
      await opened.page.goto(`${site.address}/${query}`)
      return { ...opened, site, frame: frameIn(opened.page) }
    },
  }
}

/** The checkout over a shop. */
export const frameIn = (page: Page): FrameLocator => page.frameLocator('iframe[id^="fs-checkout-page"]')

/** The same, to run something in it. */
export const innerOf = (page: Page, { address }: TestApp): Frame | undefined =>
  page.frames().find((one) => one.url().startsWith(address))

type Heard = readonly [string, ...unknown[]]

/** What the shop was told, each with its data, in order. */
export const heardBy = (page: Page): Promise<Heard[]> => page.evaluate('window.heard')

export const namesOf = (heard: readonly Heard[]): string[] =>
  heard.map(([name, data]) => (name === 'track' ? `track ${String(data)}` : name))

/** What the shop was told of `names`, in order. */
export const told = async (page: Page, names: RegExp): Promise<string[]> =>
  namesOf(await heardBy(page)).filter((name) => names.test(name))

export const hasHeard = (page: Page, name: string) =>
  page.waitForFunction(`window.heard.some(([name]) => name === '${name}')`)

/** Opens the overlay, with what is loaded after its form, and moves what stands in the box. */
export async function openIt(page: Page, frame: FrameLocator): Promise<void> {
  await page.click('#buy')
  await frame.getByRole('button', { name: 'Prefill the form' }).waitFor()
}

export const prefill = (frame: FrameLocator) =>
  frame.getByRole('button', { name: 'Prefill the form' }).click()

export const pay = (frame: FrameLocator) => frame.getByRole('button', { name: /^Pay/ }).click()

export const thankedIn = (frame: FrameLocator, name = 'Ada') =>
  frame.getByRole('heading', { name: `Thank you, ${name}` }).waitFor()

/** Where mails about carts and renewals lead, set as a seller does. */
export async function leadMailsTo(app: TestApp, page: string): Promise<void> {
  const { status, text } = await app.call('PUT', `/products/${app.seller.product.id}/settings.json`, {
    body: { setting_type: 7, data: JSON.stringify({ recovery_url: page }) },
  })
  if (status !== 200) throw new Error(`settings: ${status} ${text}`)
}

/** Presses Escape, which the browser may never answer for a frame that goes away by it. */
export const escape = (page: Page): void => void page.keyboard.press('Escape').catch(() => {})

/** Presses a button by which the checkout goes away, which the browser may never answer either. */
export const pressAway = (frame: FrameLocator, name: string): void =>
  void frame
    .getByRole('button', { name })
    .click({ noWaitAfter: true })
    .catch(() => {})

export const pressClose = (frame: FrameLocator): void => pressAway(frame, 'Close')
