/** What a license of a product counts, as its seller says it (`selling_unit_label`). */
export interface SellingUnit {
  readonly singular: string
  readonly plural: string
}

/** A unit as it stands in a sentence: one, several, and after "on", which German bends. */
export interface UnitWords {
  readonly one: string
  readonly many: string
  readonly onMany: string
}

type Forms = readonly [one: string, many: string, onMany?: string]

/** By the English word of a seller, in lower case: English and German. */
const KNOWN: Readonly<Record<string, readonly [en: Forms, de: Forms]>> = {
  site: [
    ['site', 'sites'],
    ['Website', 'Websites'],
  ],
  device: [
    ['device', 'devices'],
    ['Gerät', 'Geräte', 'Geräten'],
  ],
  computer: [
    ['computer', 'computers'],
    ['Computer', 'Computer', 'Computern'],
  ],
  seat: [
    ['seat', 'seats'],
    ['Platz', 'Plätze', 'Plätzen'],
  ],
  user: [
    ['user', 'users'],
    ['Nutzer', 'Nutzer', 'Nutzern'],
  ],
  project: [
    ['project', 'projects'],
    ['Projekt', 'Projekte', 'Projekten'],
  ],
  server: [
    ['server', 'servers'],
    ['Server', 'Server', 'Servern'],
  ],
  domain: [
    ['domain', 'domains'],
    ['Domain', 'Domains'],
  ],
  activation: [
    ['activation', 'activations'],
    ['Aktivierung', 'Aktivierungen'],
  ],
}

/** Where pages are of no product, or of several. */
const ANY: SellingUnit = { singular: 'activation', plural: 'activations' }

/** A product whose seller has named nothing counts in sites. */
const NAMELESS = 'unit'

/**
 * The words of what a license counts, in a language that pages have: known ones in each, others as the seller writes
 * them. Without a product they fit every one.
 */
export function unitWords(language: string, unit: SellingUnit = ANY): UnitWords {
  const isGerman = /^de\b/i.test(language)
  const name = unit.singular.trim().toLowerCase()
  const key = name === NAMELESS ? 'site' : name
  const known = Object.hasOwn(KNOWN, key) ? KNOWN[key] : undefined
  const [one, many, onMany = many] = known
    ? known[isGerman ? 1 : 0]
    : isGerman
      ? [unit.singular, unit.plural]
      : [name, unit.plural.toLowerCase()]
  return { one, many, onMany }
}

/** As it stands at the beginning of a label. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
