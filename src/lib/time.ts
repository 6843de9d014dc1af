/**
 * A UTC instant as the API and the database write it, `2026-01-31 10:00:00`; sorts as text (`docs/decisions.md` 1.4).
 */
export type UtcTime = string & { readonly utcTime: unique symbol }

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Milliseconds since the epoch → `YYYY-MM-DD HH:MM:SS` in UTC; a fraction of a second is dropped. */
export const toUtcTime = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ') as UtcTime

/** `toUtcTime`, of a moment that may be none. */
export const timeOrNull = (ms: number | null): UtcTime | null => (ms === null ? null : toUtcTime(ms))

/** `YYYY-MM-DD HH:MM:SS` in UTC → milliseconds since the epoch. */
export const fromUtcTime = (time: UtcTime) => Date.parse(`${time.replace(' ', 'T')}Z`)

/** Milliseconds since the epoch → RFC 2822 text with numeric zone, `Thu, 11 May 2023 11:45:30 +0000`. */
export const toRfc2822 = (ms: number) => new Date(ms).toUTCString().replace('GMT', '+0000')
