/** Rows of files by their kind. */
export type Files = Record<string, Record<string, unknown>[]>

export const CREATED = '2025-01-31 10:00:00'
export const made = { created: CREATED, updated: null }

/** Ids of another server, far from what a test makes by itself. */
export const BASE = 1_000

export const PRODUCT = 1_000
export const OTHER_PRODUCT = 1_001
export const BUNDLE = 1_002
export const PLAN = 1_000
export const OTHER_PLAN = 1_001
export const SECOND_PLAN = 1_002
