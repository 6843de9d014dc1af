import { isCardNumber, hasCardNumber } from '../lib/card-number.ts'
import { ApiError, type FieldError } from '../lib/errors.ts'

/** A hash has digits of its own. */
const HASH = /^[0-9a-f]{32,}$/i
/** Numbers of taxpayers have up to 14 digits; no card that is in use has fewer. */
const TAXPAYER = /^\p{L}{0,3} ?(?:\d[ .\-/]?){0,14}$/u
const MOST_FIELDS = 20

/**
 * Refuses a body with a card number in it, 400 `card_number_refused` with the fields: in whatever argument, named here
 * or not, however deep and however it is written (`docs/decisions.md` 5.11). Called before anything is stored of a
 * request.
 */
export function refuseCards(body: object): void {
  const found = new Set<string>()
  const waiting = Object.entries(body).map(([name, value]): Leaf => ({ field: name, name, value }))
  for (let leaf = waiting.pop(); leaf && found.size < MOST_FIELDS; leaf = waiting.pop()) {
    const { field, name, value } = leaf
    if (isCard(name, '') || isCard(value, name)) found.add(field)
    else if (typeof value === 'object' && value !== null)
      waiting.push(
        ...Object.entries(value).map(([key, inner]) => ({ field, name: key, value: inner as unknown })),
      )
  }
  if (found.size === 0) return
  const details = [...found].map((field): FieldError => ({
    field: shown(field),
    message: 'has a card number',
  }))
  throw new ApiError(400, 'card_number_refused', 'Send a token of the gateway, never a card number.', {
    details,
  })
}

interface Leaf {
  /** The argument in which it is. */
  readonly field: string
  readonly name: string
  readonly value: unknown
}

function isCard(value: unknown, name: string): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  const text = String(value)
  if (name === 'payment_token') return isCardNumber(text)
  if (name === 'vat_id' && TAXPAYER.test(text)) return false
  return !HASH.test(text) && hasCardNumber(text)
}

const shown = (field: string) => (hasCardNumber(field) ? '…' : field.slice(0, 100))
