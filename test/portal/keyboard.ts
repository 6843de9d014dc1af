import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** More than any page has places that one can be at. */
const MOST = 150

const isFocused = (place: Locator): Promise<boolean> =>
  place.evaluate((one) => (one as unknown as { matches(of: string): boolean }).matches(':focus'))

/** Goes on by Tab until a place has the focus, and presses Enter there. */
export async function pressByTab(page: Page, place: Locator): Promise<void> {
  await place.waitFor()
  for (let tabs = 0; !(await isFocused(place)); tabs++) {
    assert.ok(tabs < MOST, `${String(place)} is reached by no Tab`)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
}
