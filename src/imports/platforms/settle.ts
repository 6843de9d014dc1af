import type { Reader } from '../../db/database.ts'
import type { Kind, Value } from '../kinds/column.ts'
import { kindOf, KINDS } from '../kinds/kinds.ts'
import { findReferred, type Account } from '../platform-rows.ts'
import { readRow } from '../read-row.ts'
import { leave, type Draft, type Drafts } from './build.ts'

/** Columns that are made of other rows once it is known which ones come. */
const MADE_LATER: Readonly<Record<string, object>> = {
  products: { public_key: 'pk_12345678', secret_key: 'sk_12345678' },
  installs: { public_key: 'pk_12345678', secret_key: 'sk_12345678' },
}

const PART = 500

/**
 * Leaves out the rows that say something that no row of their kind may, and those that name a row that neither comes nor
 * is here. What is optional is left empty instead.
 */
export async function settle(db: Reader, account: Account, drafts: Drafts): Promise<void> {
  const products = new Map<string, ReadonlyMap<number, Value | undefined>>()
  for (const kind of KINDS) {
    const all = drafts.rows.get(kind.name)
    if (!all) continue
    const right = all.filter((draft) => isRight(drafts, kind, draft))
    drafts.rows.set(kind.name, right)
    const missing = await missingOf(db, account, { drafts, kind, all: right })
    const whole = right.filter((draft) => hasAll(drafts, kind, draft, { missing, products }))
    drafts.rows.set(kind.name, whole)
    products.set(kind.name, new Map(whole.map(({ id, row }) => [id, row['product_id']])))
  }
}

function isRight(drafts: Drafts, kind: Kind, { given, row }: Draft): boolean {
  // Sites are rows of their own, which are made of installs.
  const { wrong } = readRow(kind, { ...row, ...MADE_LATER[kind.name] })
  for (const { column, reason, message } of wrong) leave(drafts, kind.name, given, [column, reason, message])
  return wrong.length === 0
}

type Missing = ReadonlyMap<string, ReadonlySet<number>>

interface Referred {
  readonly missing: Missing
  /** The products of rows that come, by kind and id. */
  readonly products: ReadonlyMap<string, ReadonlyMap<number, Value | undefined>>
}

/** References to rows that are made once it is known which rows of the kind come. */
const MADE_WITH: Readonly<Record<string, string>> = {
  installs: 'site_id',
  subscriptions: 'payment_method_id',
}

const referencesOf = ({ name, columns }: Kind) =>
  Object.entries(columns).flatMap(([column, about]) =>
    about.type === 'reference' && MADE_WITH[name] !== column
      ? [{ column, to: about.to, isInProduct: about.isInProduct === true }]
      : [],
  )

/** By column the ids that it names of rows that neither come nor are here. */
async function missingOf(
  db: Reader,
  account: Account,
  { drafts, kind, all }: { readonly drafts: Drafts; readonly kind: Kind; readonly all: readonly Draft[] },
): Promise<Missing> {
  const missing = new Map<string, Set<number>>()
  for (const { column, to } of referencesOf(kind)) {
    const coming = new Set((drafts.rows.get(to) ?? []).map(({ id }) => id))
    const named = all.flatMap(({ row }) => (typeof row[column] === 'number' ? [Number(row[column])] : []))
    const open = new Set(named.filter((id) => !coming.has(id)))
    const ids = [...open]
    for (let at = 0; at < ids.length; at += PART) {
      const here = await findReferred(db, kindOf(to), account, ids.slice(at, at + PART))
      const own = here.filter((one) => one.is_owned === 1)
      for (const { id } of own) open.delete(id)
    }
    missing.set(column, open)
  }
  return missing
}

function hasAll(
  drafts: Drafts,
  kind: Kind,
  { given, row, optional }: Draft,
  { missing, products }: Referred,
): boolean {
  let isWhole = true
  for (const { column, to, isInProduct } of referencesOf(kind)) {
    const id = row[column]
    if (typeof id !== 'number') continue
    const isMissing = missing.get(column)?.has(id) === true
    const product = isInProduct ? products.get(to)?.get(id) : undefined
    if (!isMissing && (product === undefined || product === row['product_id'])) continue
    if (optional.has(column)) row[column] = null
    else {
      const [reason, words] = isMissing
        ? (['unknown_reference', `names no row of ${to} that comes`] as const)
        : (['other_product', `names a row of ${to} of another product`] as const)
      leave(drafts, kind.name, given, [column, reason, words])
      isWhole = false
    }
  }
  return isWhole
}
