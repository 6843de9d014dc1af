import type { ReadContext } from '../context.ts'
import type { KeptCode } from './codes.ts'
import type { GivingWay } from './giving-way.ts'
import { findImported } from './import-queries.ts'
import type { Kind, Values, Wrong } from './kinds/column.ts'
import { rowsByKey, type Account } from './queries.ts'
import { hashOf, keyOf } from './read-row.ts'
import { fileRow } from './stored.ts'

/** A row of a file that is right by itself. */
export interface Item {
  readonly line: number
  readonly row: Values
  readonly key: string
  readonly hash: string
}

/** What is done with rows of a file, by what is here. */
export interface Sorted {
  /** Not here. */
  readonly add: Item[]
  /** Here, and gives way to that of the file. */
  readonly replace: Item[]
  /** Brought before, the same since here, and changed there. */
  readonly change: Item[]
  /** Brought before, or here with all that it says. */
  readonly same: Item[]
  /** Of these, those that nobody has noted as brought. */
  readonly unnoted: Item[]
  /** Brought before, and changed or removed here since: left as it is. */
  readonly kept: { readonly item: Item; readonly reason: KeptCode }[]
  /** The id is another row's. */
  readonly taken: { readonly item: Item; readonly wrong: Wrong }[]
}

/** The account that rows are brought into. */
export interface Into {
  readonly account: Account
  readonly givingWay: GivingWay
  /** What is here is held until the end of the transaction. */
  readonly isHeld: boolean
}

/** Sorts rows by what is here: nothing is renumbered, and nothing that was changed here is overwritten. */
export async function classify(
  { db, keys }: Pick<ReadContext, 'db' | 'keys'>,
  kind: Kind,
  { account, givingWay, isHeld }: Into,
  items: readonly Item[],
): Promise<Sorted> {
  const sorted: Sorted = { add: [], replace: [], change: [], same: [], unnoted: [], kept: [], taken: [] }
  if (items.length === 0) return sorted
  const { developerId } = account
  const brought = await findImported(db, { developerId, kind: kind.name, keys: items.map(({ key }) => key) })
  const hashes = new Map(brought.map(({ row_key: key, hash }) => [key, hash]))
  const open = items.filter(({ key, hash }) => hashes.get(key) !== hash)
  sorted.same.push(...items.filter(({ key, hash }) => hashes.get(key) === hash))
  const here = await rowsByKey(db, kind, account, {
    keys: open.map(({ row }) => kind.key.map((column) => row[column] ?? null)),
    isHeld,
  })
  const found = new Map(here.map((stored) => [keyOf(kind, stored as Values), stored]))
  for (const item of open) {
    const stored = found.get(item.key)
    const before = hashes.get(item.key)
    if (before !== undefined) {
      if (stored === undefined) sorted.kept.push({ item, reason: 'removed_here' })
      else if (hashOf(kind, fileRow(kind, stored, keys)) === before) sorted.change.push(item)
      else sorted.kept.push({ item, reason: 'changed_here' })
    } else if (stored === undefined) sorted.add.push(item)
    else if (stored.is_owned === 0) sorted.taken.push({ item, wrong: foreign(kind) })
    else if (hashOf(kind, fileRow(kind, stored, keys)) === item.hash) {
      sorted.same.push(item)
      sorted.unnoted.push(item)
    } else if (await givingWay.isFree(db, kind, item.row)) sorted.replace.push(item)
    else sorted.taken.push({ item, wrong: taken(kind) })
  }
  return sorted
}

const foreign = ({ key }: Kind): Wrong => ({
  column: key[0] ?? null,
  reason: 'id_of_another',
  message: 'is here already, of another account',
})

const taken = ({ key }: Kind): Wrong => ({
  column: key[0] ?? null,
  reason: 'id_taken',
  message: 'is here already, of another row of the account',
})
