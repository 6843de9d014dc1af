import { DAY, fromUtcTime, toUtcTime, type UtcTime } from '../../lib/time.ts'

/** Days from one attempt at a renewal to the next: at +0, +1, +4 and +9 days (`docs/decisions.md` 5.5). */
const GAPS = [1, 3, 5] as const

/** After so many failures nothing is tried any more. */
export const ATTEMPTS = GAPS.length + 1

/**
 * When to try again after so many attempts that failed, the last of which was due at `dueAt` and made at `now`;
 * null: never. After a standstill of a day or more the days count from the attempt itself, so that no two attempts
 * follow at once.
 */
export function nextAttempt(made: number, dueAt: UtcTime, now: UtcTime): UtcTime | null {
  const gap = GAPS[made - 1]
  if (gap === undefined) return null
  const from = fromUtcTime(now) - fromUtcTime(dueAt) < DAY ? dueAt : now
  return toUtcTime(fromUtcTime(from) + gap * DAY)
}
