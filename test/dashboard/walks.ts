import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Watched } from '../web/watched.ts'
import { heardBy, type Heard } from './called.ts'
import type { SellerApp } from './seller.ts'

export interface Walk extends Watched {
  readonly heard: Heard
  /** Opens an address as a link does; nothing that is asked for there has been answered before. */
  go(address: string, width?: number): Promise<void>
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
    async go(address, width) {
      await asAtFirst(page, width)
      if (!isOpen) await page.goto(address)
      else {
        // What is shown would ask anew for what it has no more.
        await page.evaluate(`history.pushState({}, '', location.pathname + '/nowhere/at/all')`)
        const nowhere = page.locator('h1', {
          hasText: /^(There is no such page|Diese Seite gibt es nicht)\.$/,
        })
        await nowhere.waitFor()
        await page.evaluate(`${FORGET}; history.pushState({}, '', '${address}')`)
        await nowhere.waitFor({ state: 'detached' })
      }
      isOpen = true
    },
  }
}

/** In the page: whatever it was answered, but who is there, so it has not been, and what is shown is asked for again. */
const FORGET = `(() => {
  const root = document.querySelector('#app')
  const container = Object.keys(root).find((name) => name.startsWith('__reactContainer'))
  const answersOf = (fiber) =>
    fiber && (fiber.memoizedProps?.client ?? answersOf(fiber.child) ?? answersOf(fiber.sibling))
  const answers = answersOf(root[container].stateNode.current)
  void answers.resetQueries({ predicate: ({ queryKey: [of] }) => of !== 'session' })
})()`

/** The look and the width that a page begins with. */
async function asAtFirst(page: Page, width = 1280): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width, height: 800 })
}
