/** Rows of files by their kind. */
export type Files = Record<string, Record<string, unknown>[]>

export const CREATED = '2025-01-31 10:00:00'
export const made = { created: CREATED, updated: null }

/** Ids of another server, far from what a test makes by itself. */
export const BASE = 1_000

export const PRODUCT = BASE
export const OTHER_PRODUCT = BASE + 1
export const BUNDLE = BASE + 2
export const PLAN = BASE
export const OTHER_PLAN = BASE + 1
export const SECOND_PLAN = BASE + 2
