/** The moment of a time as the interface writes it: `2026-01-31 10:00:00`, UTC. */
export const momentOf = (time: string): Date => new Date(`${time.replace(' ', 'T')}Z`)

/** A moment as the interface writes it, in UTC. */
export const writtenTime = (moment: Date): string => moment.toISOString().slice(0, 19).replace('T', ' ')

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

interface Told {
  readonly language: string
  /** The time zone; absent: that of the browser. */
  readonly zone?: string | undefined
  /** Milliseconds; absent: now. */
  readonly now?: number
}

/** A time as people say it: near ones by how far they are, others as a day. */
export function timeText(time: string, { language, zone, now = Date.now() }: Told): string {
  const ahead = momentOf(time).getTime() - now
  const far = Math.abs(ahead)
  const near = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  if (far < HOUR) return near.format(Math.round(ahead / MINUTE), 'minute')
  if (far < DAY) return near.format(Math.round(ahead / HOUR), 'hour')
  if (far < 7 * DAY) return near.format(Math.round(ahead / DAY), 'day')
  return dayText(time, { language, zone })
}

/** The day of a time. */
export const dayText = (time: string, { language, zone }: Told): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: zone }).format(momentOf(time))

/** A time exactly, with UTC beside it. */
export function exactTime(time: string, { language, zone }: Told): string {
  const local = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long', timeZone: zone })
  return `${local.format(momentOf(time))} · ${time} UTC`
}
