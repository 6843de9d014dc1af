import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Watched } from '../web/watched.ts'
import { heardBy, type Heard } from './called.ts'
import type { SellerApp } from './seller.ts'

export interface Walk extends Watched {
  readonly heard: Heard
  /**
   * Opens an address as a link does. Where what is asked for there was answered before, which the page keeps, it is
   * loaded anew.
   */
  go(address: string, asks: string, width?: number): Promise<void>
}

/** A page of who is signed in that one test leaves to the next, as to load it takes longer than most look at it. */
export function walksOf(app: () => SellerApp) {
  const begun: Walk[] = []
  let left: Walk | undefined
  return {
    /** Does something with the page; where that fails, the next test gets another one. */
    async walked(work: (walk: Walk) => Promise<void>): Promise<void> {
      const walk = left ?? (await begin(app()))
      if (!left) begun.push(walk)
      left = undefined
      await work(walk)
      left = walk
    },
    async close(): Promise<void> {
      for (const walk of begun) await walk.close()
    },
  }
}

/** A page of the owner, or of whose session it is, to be closed by who asks for it. */
export async function begin(
  app: SellerApp,
  options?: BrowserContextOptions,
  session = app.session,
): Promise<Walk> {
  const opened = await app.enter(session, options)
  const { page } = opened
  const heard = heardBy(page)
  let isOpen = false
  return {
    ...opened,
    heard,
    async go(address, asks, width) {
      await asAtFirst(page, width)
      const isKept = [...heard.keys()].some((path) => path.endsWith(asks))
      if (isOpen && !isKept) return void (await page.evaluate(`history.pushState({}, '', '${address}')`))
      heard.clear()
      await page.goto(address)
      isOpen = true
    },
  }
}

/** The look and the width that a page begins with. */
async function asAtFirst(page: Page, width = 1280): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width, height: 800 })
}
