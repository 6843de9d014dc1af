/** What PHP has serialized: numbers, texts, flags, null and arrays, which become objects by their keys. */
export type Php = string | number | boolean | null | { readonly [key: string]: Php }

/** Reads a text of PHP's `serialize`; undefined where it is none, or has objects, which are not read. */
export function readPhp(text: string): Php | undefined {
  const reader = new Reader(Buffer.from(text, 'utf8'))
  const value = reader.value(0)
  return reader.isAtEnd ? value : undefined
}

/** No array of a shop lies deeper. */
const DEEPEST = 20

/** Lengths of texts are in bytes. */
class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  value(depth: number): Php | undefined {
    const type = this.#take(2)
    if (type === 'N;') return null
    if (type === 's:') return this.#text()
    if (type === 'a:') return depth < DEEPEST ? this.#array(depth) : undefined
    const digits = this.#until(';')
    if (type === 'b:') return digits === '1'
    if ((type === 'i:' || type === 'd:') && digits !== '' && !Number.isNaN(Number(digits)))
      return Number(digits)
    return undefined
  }

  #text(): string | undefined {
    const length = Number(this.#until(':'))
    if (!Number.isSafeInteger(length) || length < 0 || this.#take(1) !== '"') return undefined
    const text = this.#take(length)
    return this.#take(2) === '";' ? text : undefined
  }

  #array(depth: number): Php | undefined {
    const count = Number(this.#until(':'))
    if (!Number.isSafeInteger(count) || this.#take(1) !== '{') return undefined
    const entries: [string, Php][] = []
    for (let n = 0; n < count; n++) {
      const [key, value] = [this.value(depth + 1), this.value(depth + 1)]
      if ((typeof key !== 'string' && typeof key !== 'number') || value === undefined) return undefined
      entries.push([String(key), value])
    }
    return this.#take(1) === '}' ? Object.fromEntries(entries) : undefined
  }

  #take(length: number): string {
    const text = this.#bytes.toString('utf8', this.#at, this.#at + length)
    this.#at = Math.min(this.#bytes.length, this.#at + length)
    return text
  }

  #until(end: string): string {
    const to = this.#bytes.indexOf(end, this.#at)
    if (to === -1) {
      this.#at = this.#bytes.length
      return ''
    }
    const text = this.#bytes.toString('utf8', this.#at, to)
    this.#at = to + end.length
    return text
  }
}
