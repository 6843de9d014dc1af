import type { Page } from 'playwright-core'

/** What changes nothing of the account: it looks, copies, exports what is read, or is about the person alone. */
export const HARMLESS =
  /^(Copy .+|Details: .+|Choose: .+|Choose this page|Next page|Export|Filter|Pause|Show older|Check( an offline file)?|Show( the secret)?|Change (name|email address|password)|Switch two-factor on|\{\{.+\}\})$/

/** The group of a page whose parts are told whether they are barred, and not by what. */
const GROUP_OF: Readonly<Record<string, string>> = { Plans: 'catalogue' }

export interface Pressed {
  readonly name: string
  /** The group of operations that it is about, as the page has it; absent: none is said. */
  readonly group?: string
  readonly isDisabled: boolean
  readonly title: string
}

/** Every button of the page with the group of the nearest part around it that names one, by what React hung on it. */
const BUTTONS = `[...document.querySelectorAll('main button:not([aria-pressed]), main input[type=checkbox]')]
  .filter((one) => one.checkVisibility())
  .map((one) => {
    const key = Object.keys(one).find((name) => name.startsWith('__reactFiber$'))
    let fiber = one[key]
    while (fiber && !(typeof fiber.memoizedProps?.group === 'string')) fiber = fiber.return
    const name = one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent
    return { name, group: fiber?.memoizedProps.group, isDisabled: one.matches(':disabled'), title: one.title }
  })`

/** The buttons and boxes of a page, each with the group that it is about. */
export async function buttonsOn(page: Page, name: string): Promise<readonly Pressed[]> {
  const found = (await page.evaluate(BUTTONS)) as readonly Pressed[]
  const ofPage = GROUP_OF[name]
  return ofPage === undefined ? found : found.map((one) => ({ ...one, group: one.group ?? ofPage }))
}
