/** The moment of a time as the interface writes it: `2026-01-31 10:00:00`, UTC. */
export const momentOf = (time: string): Date => new Date(`${time.replace(' ', 'T')}Z`)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A time as people say it: near ones by how far they are, others as a day. */
export function timeText(time: string, language: string, now = Date.now()): string {
  const moment = momentOf(time)
  const ahead = moment.getTime() - now
  const far = Math.abs(ahead)
  const near = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  if (far < HOUR) return near.format(Math.round(ahead / MINUTE), 'minute')
  if (far < DAY) return near.format(Math.round(ahead / HOUR), 'hour')
  if (far < 7 * DAY) return near.format(Math.round(ahead / DAY), 'day')
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(moment)
}

/** The same exactly, with UTC beside it. */
export function exactTime(time: string, language: string): string {
  const local = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' })
  return `${local.format(momentOf(time))} · ${time} UTC`
}
