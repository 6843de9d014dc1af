import { addMonths } from './periods.ts'
import { DAY, fromUtcTime, SECOND, type UtcTime } from './time.ts'

/** A length of time as people say it: months by the calendar, and seconds. */
export interface Duration {
  readonly months: number
  readonly seconds: number
}

const NUMBER = String.raw`(\d{1,7})`
const FORM = new RegExp(
  `^P(?!$)(?:${NUMBER}Y)?(?:${NUMBER}M)?(?:${NUMBER}W)?(?:${NUMBER}D)?` +
    `(?:T(?=\\d)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
)

/** A duration of ISO 8601 in whole numbers, `P1Y2M10DT2H30M`; null when it is none. */
export function parseDuration(text: string): Duration | null {
  const found = FORM.exec(text)
  if (!found) return null
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((digits) => Number(digits ?? 0))
  return {
    months: years * 12 + months,
    seconds: (weeks * 7 + days) * (DAY / SECOND) + hours * 3_600 + minutes * 60 + seconds,
  }
}

/** The moment that much later, in milliseconds since the epoch; months first (`docs/decisions.md` 5.4). */
export const addDuration = (from: UtcTime, { months, seconds }: Duration): number =>
  fromUtcTime(addMonths(from, Math.min(months, 12_000))) + seconds * SECOND
