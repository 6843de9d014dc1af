import { contrast } from '../shared/accent.ts'

/** What a seller may say of how the table looks, as parameters of its address. */
export const LOOK = ['accent', 'text', 'page', 'panel', 'border', 'radius', 'font'] as const

/** Styles of the root of the page: name → value. */
export type Styles = Readonly<Record<string, string>>

/** Names of fonts that are words of CSS; any other one is quoted. */
const GENERIC = /^(system-ui|ui-(sans-serif|serif|monospace|rounded)|sans-serif|serif|monospace)$/
const LONGEST = 200
const WIDEST_RADIUS = 32
const [INK, CHALK] = ['#16181d', '#e7e9ee'] as const
const [WHITE, BLACK] = ['#ffffff', '#000000'] as const
/** Of `tokens.css`. */
const [DARK, DARK_PANEL, OUR_ACCENT] = ['#14161b', '#1c1f26', '#3d4edb'] as const

/**
 * What an address says of how the table looks, as styles of its root. Colours are `#` and three or six digits, the
 * radius is pixels, the fonts are names; anything else is not taken. Text that could not be read on its ground gives way
 * to text that can. A ground or a text makes the page the same in light and dark.
 */
export function stylesOf(query: URLSearchParams): Styles {
  const colour = (name: (typeof LOOK)[number]) => colourIn(query.get(name))
  const border = colour('border')
  const radius = radiusIn(query.get('radius'))
  const font = fontIn(query.get('font'))
  const own = coloursOf({ text: colour('text'), page: colour('page'), panel: colour('panel') })
  return {
    ...own?.styles,
    ...accentOf(colour('accent'), own),
    ...(border !== null && { '--border': border }),
    ...(radius !== null && { '--radius': radius }),
    ...(font !== null && { 'font-family': font }),
  }
}

type Asked = Readonly<Record<'text' | 'page' | 'panel', string | null>>

interface Own {
  readonly grounds: readonly string[]
  readonly text: string
  readonly styles: Styles
}

const isRead = (text: string, ground: string) => contrast(text, ground) >= 4.5

/** The colours of ground and text, with those that follow from them; null: those of ours, light and dark. */
function coloursOf(asked: Asked): Own | null {
  const page = asked.page ?? asked.panel ?? groundFor(asked.text)
  if (page === null) return null
  const isLight = contrast(page, INK) >= contrast(page, CHALK)
  const text = readable(asked.text, page) ?? readable(isLight ? INK : CHALK, page) ?? onButton(page)
  const panel = asked.panel !== null && isRead(text, asked.panel) ? asked.panel : page
  const grounds = [page, panel]
  const softer = mixed(text, page, 0.8)
  const muted = grounds.every((ground) => isRead(softer, ground)) ? softer : text
  const subtle = mixed(text, page, 0.05)
  const styles = {
    'color-scheme': isLight ? 'light' : 'dark',
    '--page': page,
    '--panel': panel,
    '--text': text,
    '--muted': muted,
    '--control': muted,
    '--border': mixed(text, page, 0.15),
    '--subtle': isRead(text, subtle) ? subtle : page,
    // A state that was chosen for white or black may be unreadable on another ground: its words say it.
    '--good': text,
    '--good-ground': panel,
    '--warning': text,
  }
  return { grounds, text, styles }
}

const readable = (text: string | null, ground: string) =>
  text !== null && isRead(text, ground) ? text : null

/** Our ground, light or dark, on which a text is read best. */
function groundFor(text: string | null): string | null {
  if (text === null) return null
  return contrast(text, WHITE) >= contrast(text, DARK) ? WHITE : DARK
}

/** White where it can be read, else black, of which one always can. */
const onButton = (ground: string) => (isRead(WHITE, ground) ? WHITE : BLACK)

/** The colour of buttons and links: what does not stand out from its ground gives way. */
function accentOf(accent: string | null, own: Own | null): Styles {
  const grounds = own?.grounds ?? [WHITE, DARK_PANEL]
  const standsOut = (colour: string, least: number) =>
    grounds.every((ground) => contrast(colour, ground) >= least)
  const taken = accent !== null && standsOut(accent, 1.5) ? accent : null
  const button = taken ?? (own && (standsOut(OUR_ACCENT, 3) ? OUR_ACCENT : own.text))
  if (button === null) return {}
  const link = standsOut(button, 4.5) ? button : own?.text
  return {
    '--button': button,
    '--on-button': onButton(button),
    ...(link !== undefined && { '--accent': link }),
  }
}

function colourIn(text: string | null): string | null {
  const [, digits = ''] = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(text ?? '') ?? []
  if (digits === '') return null
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`.toLowerCase()
}

function radiusIn(text: string | null): string | null {
  const [, pixels = ''] = /^(\d{1,2})(?:px)?$/.exec(text ?? '') ?? []
  return pixels === '' || Number(pixels) > WIDEST_RADIUS ? null : `${Number(pixels)}px`
}

/** Names as a list of CSS, which ends with one that is always there. */
function fontIn(text: string | null): string | null {
  if (text === null || text.length > LONGEST) return null
  const names = text.split(',').map((name) => name.trim())
  if (!names.every((name) => /^[\p{L}\d][\p{L}\d _-]*$/u.test(name))) return null
  return [...names.map((name) => (GENERIC.test(name) ? name : `"${name}"`)), 'sans-serif'].join(', ')
}

/** A colour between two, `share` of it of the first. */
function mixed(one: string, other: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = [one, other].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16))
    return Math.round((a ?? 0) * share + (b ?? 0) * (1 - share))
  })
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
