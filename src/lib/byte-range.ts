/** Inclusive, as in HTTP. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * The one range of a Range header over `size` bytes; null for all of them: no header, another unit, several ranges,
 * or what is malformed (RFC 9110, 14.2). `beyond`: it asks for bytes that are not there.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'beyond' | null {
  const [, from = '', to = ''] = RANGE.exec(header ?? '') ?? []
  if (from === '' && to === '') return null
  if (from === '') return lastBytes(Number(to), size)
  const first = Number(from)
  const last = Number(to === '' ? size - 1 : to)
  if (to !== '' && last < first) return null
  return first >= size ? 'beyond' : { first, last: Math.min(last, size - 1) }
}

function lastBytes(count: number, size: number): ByteRange | 'beyond' {
  const length = Math.min(count, size)
  return length === 0 ? 'beyond' : { first: size - length, last: size - 1 }
}
