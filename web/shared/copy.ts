/** Copies text that stands in an element or field; where the clipboard is not to be had, the old way works. */
export async function copyText(text: string, shown: HTMLElement | null): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    if (shown instanceof HTMLInputElement) shown.select()
    else if (shown) getSelection()?.selectAllChildren(shown)
    document.execCommand('copy')
  }
}
