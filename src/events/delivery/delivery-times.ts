import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts'

/** From each attempt that failed to the next; the one that finds none was the last (`docs/decisions.md` 6.5). */
const WAITS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
const JITTER = 0.1

interface Failed {
  /** Attempts so far, the failed one too. */
  readonly attempts: number
  readonly now: number
  /** What the receiver asked to wait, milliseconds; null: nothing. */
  readonly retryAfterMs: number | null
  /** From 0 up to 1; spreads what failed together. */
  readonly random: number
}

/** When the next attempt is, milliseconds since the epoch; null: the attempts are used up (`docs/decisions.md` 6.5). */
export function nextAttemptAt({ attempts, now, retryAfterMs, random }: Failed): number | null {
  const wait = WAITS_MS[attempts - 1]
  if (wait === undefined) return null
  const spread = Math.round(wait * (1 + JITTER * random))
  return now + Math.max(spread, Math.min(retryAfterMs ?? 0, DAY))
}

/** `Retry-After` in seconds or as a date → milliseconds from `now`; null when it says neither. */
export function parseRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND
  const date = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
