import type { Page } from 'playwright-core'

/** Presses the button of this name. */
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** The dialog that is open. */
export const dialog = (page: Page) => page.getByRole('dialog')

/** Makes the window as wide as a desk has it. */
export const wide = (page: Page) => page.setViewportSize({ width: 1280, height: 800 })
