/**
 * The language that was chosen in this browser, kept under a name; empty: none was, or the browser keeps nothing, as in
 * a frame of another site.
 */
export function chosenUnder(name: string): string {
  try {
    return localStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}

/** Keeps a choice, empty for none, and shows the page in it; nothing happens where the browser keeps nothing. */
export function chooseUnder(name: string, tag: string): void {
  try {
    if (tag === '') localStorage.removeItem(name)
    else localStorage.setItem(name, tag)
  } catch {
    return
  }
  location.reload()
}
