import { MINUTE } from '../../lib/time.ts'

const TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/
const ZONED = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)? ?(Z|[+-]\d\d:?\d\d)$/i

/** A time of the interface, which is UTC, as clocks show it here, with how far they are from it; null: it is none. */
export function localTime(text: string): string | null {
  const time = TIME.test(text) ? new Date(`${text.replace(' ', 'T')}Z`) : null
  if (!time || Number.isNaN(time.getTime())) return null
  const ahead = -time.getTimezoneOffset()
  const here = new Date(time.getTime() + ahead * MINUTE).toISOString()
  return `${here.slice(0, 19).replace('T', ' ')}${offsetText(ahead)}`
}

/** `+01:00`, or `Z`. */
function offsetText(minutes: number): string {
  if (minutes === 0) return 'Z'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** What a time with a zone is in UTC, as the interface has it; other text stays as it is. */
export function inUtc(text: string): string {
  if (!ZONED.test(text)) return text
  const time = new Date(text.replace(' ', 'T').replace(' ', ''))
  return Number.isNaN(time.getTime()) ? text : time.toISOString().slice(0, 19).replace('T', ' ')
}
