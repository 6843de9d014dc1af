import type { UtcTime } from '../../lib/time.ts'

/** Who is erased. */
export interface Person {
  readonly userId: number
  readonly developerId: number
  /** Folded: that of the person, and former ones. */
  readonly addresses: readonly string[]
  /** When it was asked for, real time: what was written later is of who has the address then. */
  readonly created: UtcTime
}

/** Where the addresses of an erasure are sealed. */
export const ADDRESSES_PLACE = 'erasures.addresses'

/** What stands in the place of an address in a text. */
export const ERASED = 'erased'

/** How an address may be written in a text: as it is, as JSON has it, and as a part of an address of the web; lower case. */
export function formsOf(addresses: readonly string[]): readonly string[] {
  const forms = addresses.flatMap((address) => [
    address,
    JSON.stringify(address).slice(1, -1),
    encodeURIComponent(address),
    encodeURI(address),
    new URLSearchParams({ a: address }).toString().slice(2),
  ])
  const all = [...new Set(forms.map((form) => form.toLowerCase()))]
  return all.toSorted((a, b) => b.length - a.length)
}

/** A text without the addresses, whatever their case, where it has one; null where it has none. */
export function withoutAddresses(text: string, forms: readonly string[]): string | null {
  let result = text
  for (const form of forms) {
    const pattern = new RegExp(RegExp.escape(form), 'giu')
    result = result.replace(pattern, () => ERASED)
  }
  return result === text ? null : result
}

/** What of an event is kept: numbers, and ids as they are named; the rest may tell of the person. */
export function withoutPerson(data: string): string {
  const kept = (name: string, value: unknown): unknown => {
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
    if (Array.isArray(value)) return value.map((one) => kept(name, one))
    if (typeof value === 'object') return keptIn(value as Readonly<Record<string, unknown>>)
    return /_ids?$/.test(name) && typeof value === 'string' && /^[0-9]+$/.test(value) ? value : null
  }
  const keptIn = (all: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(all).map(([name, value]) => [name, kept(name, value)]))
  const parsed: unknown = JSON.parse(data)
  return JSON.stringify(kept('', parsed))
}
