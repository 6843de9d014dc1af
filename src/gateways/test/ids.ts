import { hash } from 'node:crypto'
import { CURRENCIES, type Currency } from '../../lib/money.ts'

/** What the identifiers of the test gateway say, so that it needs to remember nothing. */
export interface Named {
  readonly kind: 'charge' | 'setup' | 'method' | 'refund'
  readonly token: string
  readonly answer: string
  /** Minor units; 0 where there is no amount. */
  readonly minor: number
  readonly currency: Currency
  readonly isKept: boolean
}

const PARTS =
  /^test-(charge|setup|method|refund)\.([a-z0-9_]+)\.([a-z_]+)\.(\d{1,16})([a-z]{3})([kn])\.[0-9a-f]{32}$/

/** The identifier of what was asked for with this key: the same for the same key and content. */
export function idOf(named: Named, key: string): string {
  const { kind, token, answer, minor, currency, isKept } = named
  const content = `${token}.${answer}.${minor}${currency}${isKept ? 'k' : 'n'}`
  return `test-${kind}.${content}.${hash('sha256', JSON.stringify([kind, content, key])).slice(0, 32)}`
}

/** What an identifier of this kind says; null when it is none. */
export function readId(kind: Named['kind'], id: string): Named | null {
  const [, found, token = '', answer = '', minor, code, kept] = PARTS.exec(id) ?? []
  const currency = CURRENCIES.find((one) => one === code)
  if (found !== kind || currency === undefined) return null
  return { kind, token, answer, minor: Number(minor), currency, isKept: kept === 'k' }
}
