import type { ReadContext } from '../../context.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import { fold } from '../../lib/fold.ts'
import type { Value } from '../kinds/column.ts'
import { kindOf } from '../kinds/kinds.ts'
import { findPersonsByEmail, findSitesByAddress, rowsByKey, type Account } from '../platform-rows.ts'
import { keyOf } from '../read-row.ts'
import { fileRow } from '../stored.ts'

type Reading = Pick<ReadContext, 'db' | 'keys'>

const PART = 500

/** What is looked up of rows at once. */
async function inParts<T, R>(
  all: readonly T[],
  look: (part: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const found: R[] = []
  for (let at = 0; at < all.length; at += PART) found.push(...(await look(all.slice(at, at + PART))))
  return found
}

/** The ids of persons of an account by their folded addresses. */
export async function personsHere({ db }: Reading, { developerId }: Account, emails: readonly string[]) {
  const folded = [...new Set(emails.map(fold))]
  const rows = await inParts(folded, (part) => findPersonsByEmail(db, developerId, part))
  return new Map(rows.map((row) => [row.email_folded, row.id]))
}

/** The ids of sites of an account by their addresses. */
export async function sitesHere({ db }: Reading, { developerId }: Account, addresses: readonly string[]) {
  const rows = await inParts([...new Set(addresses)], (part) => findSitesByAddress(db, developerId, part))
  return new Map(rows.map((row) => [row.address, row.id]))
}

export interface Pair {
  readonly public_key: Value
  readonly secret_key: Value
}

/** The keys of rows of a kind: those that they have here, and new ones of rows that are not here. */
export async function keysFor(
  { db, keys }: Reading,
  account: Account,
  name: 'products' | 'installs' | 'product_users',
  wanted: readonly (readonly number[])[],
): Promise<(key: readonly number[]) => Pair> {
  const kind = kindOf(name)
  const rows = await inParts(wanted, (part) => rowsByKey(db, kind, account, { keys: part, isHeld: false }))
  const here = new Map(
    rows.map((stored) => {
      const row = fileRow(kind, stored, keys)
      return [
        keyOf(kind, row),
        { public_key: row['public_key'] ?? null, secret_key: row['secret_key'] ?? null },
      ]
    }),
  )
  return (key) => here.get(key.join(':')) ?? freshPair()
}

function freshPair(): Pair {
  const { publicKey, secretKey } = newKeyPair()
  return { public_key: publicKey, secret_key: secretKey }
}
