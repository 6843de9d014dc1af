import { useLayoutEffect } from 'react'

const DIALOG = '[role=dialog]'

/** What had the focus when the dialogs that are open, one after the other or above each other, began to be. */
let opener: HTMLElement | null = null

/** Gives the focus back to what opened a dialog, once that is closed, also by being drawn no more. */
export function useFocusBack(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return
    const from = lasting(document.activeElement as HTMLElement | null)
    const isOfPage = from !== null && from !== document.body && from.closest(DIALOG) === null
    if (isOfPage) opener = from
    return () => {
      window.setTimeout(() => {
        const to = from?.isConnected && from !== document.body ? from : opener
        const isLost = document.activeElement === null || document.activeElement === document.body
        const isCovered = document.querySelector(DIALOG) !== null && to?.closest(DIALOG) === null
        if (isLost && !isCovered) to?.focus()
      })
    }
  }, [isOpen])
}

/** What stays of the page when a dialog is closed: an item of a menu is gone with that, and the button of the menu is left. */
function lasting(from: HTMLElement | null): HTMLElement | null {
  const menu = from?.closest('[role=menu]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : from
}
