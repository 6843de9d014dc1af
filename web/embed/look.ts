const COLOURS = ['accent', 'text', 'page', 'panel', 'border'] as const

/** Longer values are no colour, radius or list of fonts. */
const LONGEST = 200

/**
 * The look of a place by its CSS variables (`--keywright-accent`, …), as parameters of the pricing page: colours as `#`
 * and six digits, whatever form they have in the style sheet.
 */
export function lookAt(place: Element): Readonly<Record<string, string>> {
  const style = getComputedStyle(place)
  const valueOf = (name: string) => {
    const value = style.getPropertyValue(`--keywright-${name}`).trim()
    return value.length <= LONGEST ? value : ''
  }
  const entries = [
    ...COLOURS.map((name) => [name, digitsOf(valueOf(name), place)] as const),
    ['radius', valueOf('radius')] as const,
    ['font', valueOf('font').replaceAll(/["']/g, '')] as const,
  ]
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

/** A colour of any form as the browser reads it in that place; empty: it is none, or one can see through it. */
function digitsOf(value: string, place: Element): string {
  const probe = document.createElement('i')
  probe.style.color = value
  if (probe.style.color === '') return ''
  place.append(probe)
  const read = getComputedStyle(probe).color
  probe.remove()
  const [, ...parts] = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(read) ?? []
  return parts.length === 0
    ? ''
    : `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
}
