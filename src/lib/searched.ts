import { fold } from './fold.ts'

/** What a text may be that payments and subscriptions are searched for: each of it whole. */
export interface Searched {
  readonly text: string
  readonly id: number | undefined
  readonly emailFolded: string
}

/** Undefined for a text of blanks, which finds everything. */
export function searchedFor(given: string | undefined): Searched | undefined {
  const text = given?.trim() ?? ''
  if (text === '') return undefined
  const id = /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined
  return { text, id, emailFolded: fold(text) }
}
