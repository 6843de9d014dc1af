import { texts } from '../texts/texts.ts'

/** The orders of a list that is kept in the order in which its rows were made. */
export const BY_AGE = [texts.newestFirst, ['id', texts.oldestFirst]] as const

/** Those of a list of what has a title. */
export const BY_TITLE = [...BY_AGE, ['title', texts.byTitle], ['-title', texts.byTitleBack]] as const
