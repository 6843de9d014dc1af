import { decode, type Problems } from '../http/decode.ts'
import type { List } from './exports/kinds.ts'

/** The arguments of a list by their names. */
export type Filter = Readonly<Record<string, unknown>>

/** A filter as the operation of the list takes it; what is wrong with it is added to `problems`. */
export const queryOf = ({ op }: List, filter: Filter, problems: Problems): Filter =>
  (op.query ? decode(op.query, filter, 'text', problems) : {}) as Filter

/** Adds names to the problems of a request that are no filter of the list; `kind`: what that lists. */
export function checkNames(list: List, kind: string, names: readonly string[], problems: Problems): void {
  for (const name of names.filter((one) => !list.filter.includes(one)))
    problems.malformed.push({ field: `filter.${name}`, message: `is no filter of the list of ${kind}` })
}

/** Adds what a list says of its arguments to the problems of a request that has them in `filter`. */
export function tellOfFilter(problems: Problems, own: Problems): void {
  for (const { field, message } of [...own.malformed, ...own.missing])
    problems.malformed.push({ field: `filter.${field}`, message })
}
