/** Why a product is uninstalled, or its license given up, by id (`docs/interface.md` 12.6). */
export const REASONS = {
  1: 'I no longer need it',
  2: 'I found a better alternative',
  3: 'I only needed it for a short time',
  4: 'It broke my site',
  5: 'It suddenly stopped working',
  6: "I can't pay for it any more",
  7: 'Other',
  8: 'It did not work after the installation',
  9: "I don't like to share my data",
  10: "I couldn't understand how to make it work",
  11: 'It lacks a feature that I need',
  12: 'It did not work',
  13: 'I was looking for something else',
  14: "It didn't work as I expected",
  15: "It's temporary: I am looking into a problem",
} as const
export type Reason = keyof typeof REASONS

export const REASON_IDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const satisfies Reason[]

/** The reason of who gives none. */
export const OTHER: Reason = 7

export const isReason = (id: number): id is Reason => id in REASONS
