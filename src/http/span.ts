import type { Problems } from './decode.ts'

interface Span<T extends string> {
  /** Null when a text is none; what it gives sorts as text. */
  readonly parse: (text: string) => T | null
  /** What both ends must be, as `a day, YYYY-MM-DD`. */
  readonly form: string
  readonly isTooLong: (first: T, last: T) => boolean
  /** How much there is at most, as `60 months`. */
  readonly most: string
}

/** Both ends of a span of days or months, where they are given, must have their form, be in order, and not too far apart. */
export function checkSpan<T extends string>(
  { from, to }: { readonly from?: string; readonly to?: string },
  problems: Problems,
  { parse, form, isTooLong, most }: Span<T>,
): void {
  const add = (field: string, message: string) => problems.malformed.push({ field, message })
  for (const [field, text] of Object.entries({ from, to })) {
    if (text !== undefined && parse(text) === null) add(field, `must be ${form}`)
  }
  const [first, last] = [parse(from ?? ''), parse(to ?? '')]
  if (first === null || last === null) return
  if (first > last) add('to', 'must not be before from')
  else if (isTooLong(first, last)) add('to', `must be less than ${most} after from`)
}
