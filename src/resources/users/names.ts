import { fold } from '../../lib/fold.ts'

export interface Names {
  readonly first: string
  readonly last: string
}

interface Given {
  readonly name?: string | undefined
  readonly first?: string | undefined
  readonly last?: string | undefined
}

/**
 * First and last name from what was given: `first` and `last` as they are, otherwise from `name`, whose
 * first word is the first name. What was not given is undefined.
 */
export function namesOf({ name, first, last }: Given): Partial<Names> {
  const words = (name ?? '').trim().split(/\s+/u)
  const fromName = words[0] === '' ? {} : { first: words[0] ?? '', last: words.slice(1).join(' ') }
  return {
    ...fromName,
    ...(first !== undefined && { first: first.trim() }),
    ...(last !== undefined && { last: last.trim() }),
  }
}

/** The folded text in which a person's name is searched. */
export const foldedName = ({ first, last }: Names): string => fold(`${first} ${last}`.trim())
