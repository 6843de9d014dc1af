import { MINUTE, SECOND, fromUtcTime, type UtcTime } from './time.ts'

/** Zones change their clocks at whole quarters of an hour. */
const QUARTER_MS = 15 * MINUTE
/** Quarters whose offset is remembered. */
const MOST = 10_000

/** Whether a text names a time zone, `Europe/Berlin`, or an offset, `+02:00`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export interface ZonedTimes {
  /** `2026-01-31 11:00:00`, as the clocks of the zone show it. */
  shown(time: UtcTime): string
  /** `2026-01-31T11:00:00+01:00`. */
  iso(time: UtcTime): string
}

/** Times of a zone that `isTimeZone` knows. */
export function timesIn(zone: string): ZonedTimes {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const known = new Map<number, number>()
  const offsetAt = (ms: number): number => {
    const quarter = Math.floor(ms / QUARTER_MS)
    const before = known.get(quarter)
    if (before !== undefined) return before
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
    const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
    const offset = local - Math.floor(ms / SECOND) * SECOND
    if (known.size >= MOST) known.clear()
    known.set(quarter, offset)
    return offset
  }
  const localOf = (ms: number, offset: number) => new Date(ms + offset).toISOString().slice(0, 19)
  return {
    shown(time) {
      const ms = fromUtcTime(time)
      return localOf(ms, offsetAt(ms)).replace('T', ' ')
    },
    iso(time) {
      const ms = fromUtcTime(time)
      const offset = offsetAt(ms)
      return `${localOf(ms, offset)}${signed(offset)}`
    },
  }
}

function signed(offset: number): string {
  const minutes = Math.abs(offset) / MINUTE
  const two = (number: number) => String(Math.trunc(number)).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}
