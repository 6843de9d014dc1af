import { entityFact, type Fact, type Facts } from './facts.ts'

const PLAIN = new Set(['string', 'number', 'boolean', 'any', 'null'])

/**
 * Reads what a reply is in the contract's notation: `{users: User[]}`, `Cart & {gross: number | null}`,
 * `{[key]: Discount[]}`, `"usd" | "eur"`, `binary(application/pdf)`.
 */
export function parseShape(text: string): Fact {
  const tokens = text.match(/binary\([^)]*\)|\[key\]|\[\]|"[^"]*"|\w+|[{}():,|&]/g) ?? []
  const reader = new Reader(tokens)
  const fact = reader.union()
  if (!reader.ended) throw new Error(`cannot read ${text}`)
  return fact
}

class Reader {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  get ended(): boolean {
    return this.#at === this.#tokens.length
  }

  union(): Fact {
    const options = this.separated('|', () => this.intersection())
    const some = options.filter(({ type }) => type !== 'null')
    const [first, ...others] = some
    if (!first) return { type: 'null' }
    if (others.length > 0 && some.some((option) => !option.enum))
      throw new Error('a union of other than literals')
    const choices = some.flatMap((option) => option.enum ?? [])
    return {
      ...first,
      ...(choices.length > 0 && { enum: choices }),
      ...(some.length < options.length && { nullable: true }),
    }
  }

  private intersection(): Fact {
    const parts = this.separated('&', () => this.list())
    const [first] = parts
    if (!first || parts.length === 1) return first ?? { type: 'any' }
    const others = parts.slice(1).filter(({ entity }) => entity !== undefined)
    return {
      ...first,
      ...(others.length > 0 && { others }),
      fields: Object.assign({}, ...parts.map(({ fields }) => fields)) as Facts,
      ...(parts.some(({ open }) => open) && { open: true }),
    }
  }

  private list(): Fact {
    let fact = this.one()
    while (this.take('[]')) fact = { type: 'array', items: fact }
    return fact
  }

  private one(): Fact {
    const token = this.next()
    if (token === '(') return this.closed(')', () => this.union())
    if (token === '{') return this.closed('}', () => this.object())
    if (token.startsWith('"')) return { type: 'string', enum: [token.slice(1, -1)] }
    if (/^\d+$/.test(token)) return { type: 'number', enum: [Number(token)] }
    if (token === 'object') return { type: 'object', open: true }
    if (PLAIN.has(token) || token.startsWith('binary')) return { type: token }
    return entityFact(token)
  }

  private object(): Fact {
    const fields = this.separated(',', () => {
      const name = this.next()
      this.expect(':')
      return [name, this.union()] as const
    })
    const { '[key]': additional, ...named } = Object.fromEntries(fields)
    return { type: 'object', fields: named, ...(additional && { additional }) }
  }

  private separated<T>(separator: string, read: () => T): T[] {
    const all = [read()]
    while (this.take(separator)) all.push(read())
    return all
  }

  private closed<T>(end: string, read: () => T): T {
    const result = read()
    this.expect(end)
    return result
  }

  private next(): string {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new Error('it ends too early')
    return token
  }

  private take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false
    this.#at++
    return true
  }

  private expect(token: string): void {
    if (!this.take(token)) throw new Error(`expected ${token}, got ${this.#tokens[this.#at]}`)
  }
}
