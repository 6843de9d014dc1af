import type { Problems } from '../../http/decode.ts'
import { fold } from '../../lib/fold.ts'
import { NAME_LIMITS } from './user.entity.ts'

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

/** Adds a name whose parts, where they are used, are longer than can be given as such and so written back. */
export function addNameProblems({ name, first, last }: Given, problems: Problems): void {
  const parts = namesOf({ name })
  if (first === undefined && characters(parts.first) > NAME_LIMITS.first) {
    const message = `must begin with a first name of at most ${NAME_LIMITS.first} characters`
    problems.malformed.push({ field: 'name', message })
  } else if (last === undefined && characters(parts.last) > NAME_LIMITS.last) {
    const message = `must end with a last name of at most ${NAME_LIMITS.last} characters`
    problems.malformed.push({ field: 'name', message })
  }
}

const characters = (text = '') => [...text].length

/** The folded text in which a person's name is searched. */
export const foldedName = ({ first, last }: Names): string => fold(`${first} ${last}`.trim())
