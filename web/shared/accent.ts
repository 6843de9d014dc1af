/** Contrast of two colours by WCAG, from 1 to 21; each is `#` and six digits. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const WHITE = '#ffffff'
const BLACK = '#000000'

/** The page below, light and dark: what stands out from neither is no colour of a button. */
const GROUNDS = ['#ffffff', '#1c1f26'] as const

/**
 * The seller's colour as that of the button, with the text on it that can be read; undefined: it does not stand out
 * from the page, and ours is taken.
 */
export function buttonColours(
  accent: string | null,
): { readonly ground: string; readonly text: string } | undefined {
  if (accent === null || !/^#[0-9a-f]{6}$/i.test(accent)) return undefined
  if (GROUNDS.some((ground) => contrast(accent, ground) < 1.5)) return undefined
  return { ground: accent, text: contrast(accent, WHITE) >= 4.5 ? WHITE : BLACK }
}
