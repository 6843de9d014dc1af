/** What keeps a choice: of this browser, or of this tab alone. */
type Keeper = 'localStorage' | 'sessionStorage'

/**
 * The language that was chosen in this browser, kept under a name; empty: none was, or the browser keeps nothing, as in
 * a frame of another site.
 */
export const chosenUnder = (name: string): string => keptIn('localStorage', name) ?? ''

/** What is kept under a name; null: nothing. */
export function keptIn(keeper: Keeper, name: string): string | null {
  try {
    return globalThis[keeper].getItem(name)
  } catch {
    return null
  }
}

/** Keeps a choice, empty for none, and shows the page in it; nothing happens where the browser keeps nothing. */
export const chooseUnder = (name: string, tag: string): void =>
  keepIn('localStorage', name, tag === '' ? null : tag)

/** Keeps a text, null for none, and shows the page anew; nothing happens where the browser keeps nothing. */
export function keepIn(keeper: Keeper, name: string, text: string | null): void {
  if (isKept(keeper, name, text)) location.reload()
}

/** Keeps a choice, empty for none, for when a page is loaded; false: the browser keeps nothing. */
export const keepUnder = (name: string, tag: string): boolean =>
  isKept('localStorage', name, tag === '' ? null : tag)

function isKept(keeper: Keeper, name: string, text: string | null): boolean {
  try {
    if (text === null) globalThis[keeper].removeItem(name)
    else globalThis[keeper].setItem(name, text)
    return true
  } catch {
    return false
  }
}
