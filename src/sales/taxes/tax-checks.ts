import { DAY, HOUR } from '../../lib/time.ts'

/** After so many checks without an answer a provisional tax stays: a little more than a month. */
export const MAX_CHECKS = 36

/** Milliseconds from a check of a VAT id that got no answer to the next: an hour, doubled up to a day. */
export const checkAfter = (attempts: number): number => Math.min(DAY, HOUR * 2 ** attempts)
