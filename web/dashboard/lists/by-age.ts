import { texts } from '../texts/texts.ts'

/** The orders of a list that is kept in the order in which its rows were made. */
export const BY_AGE = [texts.newestFirst, ['id', texts.oldestFirst]] as const
