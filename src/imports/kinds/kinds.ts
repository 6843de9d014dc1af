import { CATALOGUE } from './catalogue.ts'
import type { Kind } from './column.ts'
import { LICENSING } from './licensing.ts'
import { KEYS, PEOPLE } from './people.ts'
import { SALES } from './sales.ts'
import { SELLER } from './seller.ts'
import { SITES } from './sites.ts'

/** What is moved of an account, each kind after those that it refers to. */
export const KINDS: readonly Kind[] = [
  ...SELLER,
  ...CATALOGUE,
  ...PEOPLE,
  ...LICENSING,
  ...SALES,
  ...SITES,
  ...KEYS,
]

const BY_NAME: ReadonlyMap<string, Kind> = new Map(KINDS.map((one) => [one.name, one]))

/** The kind of a name that another one refers to. */
export function kindOf(name: string): Kind {
  const found = BY_NAME.get(name)
  if (!found) throw new Error(`No kind is called ${name}.`)
  return found
}

/** The names of all kinds. */
export const KIND_NAMES: readonly string[] = KINDS.map(({ name }) => name)
