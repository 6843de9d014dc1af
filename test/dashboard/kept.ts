import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Finds by what React hung on the root what the page keeps of its calls: what was answered, and what was sent. */
const KEPT = `(() => {
  const root = document.querySelector('#app')
  const key = Object.keys(root).find((name) => name.startsWith('__reactContainer$'))
  const look = (fiber) => {
    for (let one = fiber; one; one = one.sibling) {
      const client = one.memoizedProps?.client
      if (client?.getMutationCache) return client
      const below = look(one.child)
      if (below) return below
    }
  }
  const client = look(root[key].stateNode.current)
  return JSON.stringify([
    client.getQueryCache().getAll().map(({ queryKey, state }) => [queryKey, state.data]),
    client.getMutationCache().getAll().map(({ state }) => [state.data, state.variables]),
  ])
})()`

/** What a page keeps of what it asked for and sent, as text. */
export const keptBy = (page: Page): Promise<string> => page.evaluate(KEPT)

/** Frames that are waited for, some ten seconds. */
const PATIENCE = 600

/** Waits until a secret is neither in what the page shows nor in what it keeps. */
export async function requireForgotten(page: Page, secret: string): Promise<void> {
  const isKept = `(${KEPT} + document.documentElement.outerHTML).includes(${JSON.stringify(secret)})`
  const isGone = await page.evaluate(`(async () => {
    for (let frame = 0; frame < ${PATIENCE}; frame++) {
      if (!${isKept}) return true
      await new Promise(requestAnimationFrame)
    }
    return false
  })()`)
  assert.equal(isGone, true, 'a secret is kept in the page')
}
