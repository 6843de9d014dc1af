import { useEffect } from 'react'
import { buttonColours } from '../shared/accent.ts'
import { language } from './texts/texts.ts'
import type { PortalSession } from './session.ts'

export type Look = PortalSession['products'][number]['look']

/** What Mantine takes the colour of a full button from, and ours for the text on it. */
const NAMES = ['--mantine-color-accent-filled', '--mantine-color-accent-filled-hover', '--on-button'] as const

/** Gives the page the colour of a seller while it is shown, where it can be read on in light and dark. */
export function usePaint(accent: string | null): void {
  useEffect(() => {
    const colours = buttonColours(accent)
    if (!colours) return
    const { style } = document.documentElement
    const { ground, text } = colours
    const hover = `color-mix(in srgb, ${ground} 88%, ${text})`
    for (const [at, value] of [ground, hover, text].entries()) style.setProperty(NAMES[at] ?? '', value)
    return () => NAMES.forEach((name) => style.removeProperty(name))
  }, [accent])
}

/** What a seller says in the language of the page, else in the other one; null: nothing. */
export const said = ({ en, de }: Look['greeting']): string | null =>
  language.startsWith('de') ? (de ?? en) : (en ?? de)
