import type { Page } from 'playwright-core'

/** What has the focus: whether it is in view and not covered, and the ring around it or its row. */
export const FOCUSED = `(() => {
  const one = document.activeElement
  const { left, right, top, bottom } = one.getBoundingClientRect()
  const y = Math.min(Math.max((top + bottom) / 2, top + 4), bottom)
  const at = document.elementFromPoint((left + right) / 2, y)
  const ring = (of) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(of)
    return outlineStyle === 'none' ? 0 : parseFloat(outlineWidth)
  }
  return {
    name: one.outerHTML.slice(0, 100),
    isBody: one === document.body,
    isSeen: at !== null && (one.contains(at) || at.contains(one)),
    ring: Math.max(...[one, one.parentElement, one.closest('tr') ?? one].map(ring)),
  }
})()`

export interface Focused {
  readonly name: string
  readonly isBody: boolean
  readonly isSeen: boolean
  readonly ring: number
}

export const isLost = ({ isSeen, ring }: Focused): boolean => !isSeen || ring < 2

/** What can be edited or pressed and has no border. */
export const BORDERLESS = `[...document.querySelectorAll('input, select, textarea, button')]
  .filter((one) => one.checkVisibility() && !one.matches('[type=radio], [type=checkbox], .icon-button'))
  .filter((one) => [one, one.parentElement].every((of) => parseFloat(getComputedStyle(of).borderTopWidth) < 1))
  .map((one) => one.outerHTML.slice(0, 100))`

/** All that the Tab key stops at, each with the focus for a moment. */
const STOPS = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0)
  .flatMap((one) => {
    one.focus()
    return document.activeElement === one ? [${FOCUSED}] : []
  })`

/** What no one sees who goes through a page by the keyboard: stops that are covered or without a ring, lost borders. */
export async function lostStops(page: Page): Promise<{ count: number; lost: string[] }> {
  // From then on what gets the focus has its ring.
  await page.keyboard.press('Tab')
  const found = (await page.evaluate(STOPS)) as Focused[]
  const borderless = (await page.evaluate(BORDERLESS)) as string[]
  return { count: found.length, lost: [...found.filter(isLost).map(({ name }) => name), ...borderless] }
}
