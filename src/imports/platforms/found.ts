import type { From, Via } from './map.ts'
import { valueAt, type Given, type RecordsOf } from './read-records.ts'

/** Finds what stands somewhere in the records of a platform, each source looked through once for each field. */
export class Found {
  readonly #records: RecordsOf
  readonly #indexes = new Map<string, Map<string, Given[]>>()

  constructor(records: RecordsOf) {
    this.#records = records
  }

  of(source: string): readonly Given[] {
    return this.#records.get(source) ?? []
  }

  /** The text at a place; empty where there is none. */
  text(given: Given, from: From): string {
    return this.all(given, from)[0] ?? ''
  }

  /** The texts at a place: several where all records of a source are asked for. */
  all(given: Given, from: From): readonly string[] {
    if (typeof from === 'string') return [textOf(valueAt(given.values, from))]
    if (isList(from)) {
      const parts = from.map((one) => this.text(given, one))
      return [parts.every((part) => part === '') ? '' : parts.join(':')]
    }
    if ('text' in from) return [from.text]
    if ('first' in from)
      return [from.first.map((one) => this.text(given, one)).find((one) => one !== '') ?? '']
    if ('words' in from) {
      const parts = from.words.map((one) => this.text(given, one))
      return [parts.includes('') ? '' : parts.join(' ')]
    }
    return this.#others(given, from).flatMap((other) => this.all(other, from.get))
  }

  #others(given: Given, via: Via): readonly Given[] {
    const by = this.text(given, via.by)
    if (by === '') return []
    const all = this.#index(via).get(by) ?? []
    const { pick = 'first' } = via
    if (pick === 'sum') return all
    if (pick === 'first') return all.slice(0, 1)
    const field = 'newest' in pick ? pick.newest : pick.oldest
    const textAt = (one: Given) => textOf(valueAt(one.values, field))
    const sorted = all.toSorted((a, b) => (textAt(a) < textAt(b) ? -1 : 1))
    return 'newest' in pick ? sorted.slice(-1) : sorted.slice(0, 1)
  }

  #index({ source, on, where }: Via): ReadonlyMap<string, Given[]> {
    const name = JSON.stringify([source, on, where])
    const known = this.#indexes.get(name)
    if (known) return known
    const index = new Map<string, Given[]>()
    for (const one of this.of(source)) {
      if (where && textOf(valueAt(one.values, where[0])) !== where[1]) continue
      const at = this.text(one, on)
      const same = index.get(at)
      if (same) same.push(one)
      else index.set(at, [one])
    }
    this.#indexes.set(name, index)
    return index
  }
}

const isList = (from: From): from is readonly From[] => Array.isArray(from)

/** A value as text; empty where there is none, or a list or an object. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
