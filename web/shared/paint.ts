import { buttonColours } from './accent.ts'

/** Gives the page the seller's colour, where it can be one. */
export function paint(accent: string | null): void {
  const colours = buttonColours(accent)
  if (!colours) return
  const { style } = document.documentElement
  style.setProperty('--button', colours.ground)
  style.setProperty('--on-button', colours.text)
}
