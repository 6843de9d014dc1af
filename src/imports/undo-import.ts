import { transaction, type Context, type TxContext } from '../context.ts'
import { referencesTo } from '../db/moved-ids.ts'
import { deleteImported, endImport, importedAfter, listImports, takeImport } from './import-queries.ts'
import { auditEnd, type Asker } from './import-rows.ts'
import type { Kind, Value, Values } from './kinds/column.ts'
import { kindOf, KINDS } from './kinds/kinds.ts'
import {
  deletePostings,
  deleteRows,
  findAccount,
  referredIds,
  rowsAfter,
  rowsByKey,
  type Account,
  type Naming,
} from './queries.ts'
import { hashOf, keyOf } from './read-row.ts'
import { fileRow } from './stored.ts'

const PART = 500
/** How many rows that stay are named where nobody says otherwise. */
const NAMED = 100

/** An import that is only looked at, or being undone already, has nothing to take out. */
const UNDONE_FROM = ['running', 'finished', 'undone', 'canceled', 'failed'] as const

export interface Undo {
  /** Nobody else has it. */
  readonly isHeld?: boolean
  readonly asker?: Asker
  readonly named?: number
  /** Awaited after each part: what it throws ends it. */
  readonly onPart?: () => Promise<void>
}

/** The account has no such import. */
export class NoImport extends Error {}

export interface Stayed {
  readonly kind: string
  readonly key: string
  readonly reason: 'changed here' | 'in use' | 'was here before'
}

export interface UndoReport {
  readonly import_id: string
  /** With what was taken out before it was broken off. */
  readonly removed: number
  readonly stayed_count: number
  /** The first ones. */
  readonly stayed: readonly Stayed[]
}

/**
 * Takes out again what an import has brought, but for what was changed here since, what something of here refers to, and
 * what was here before it. Broken off, it goes on when it is asked for again.
 */
export async function undoImport(
  ctx: Context,
  developerId: number,
  importId: number,
  { isHeld = false, asker, named = NAMED, onPart }: Undo = {},
): Promise<UndoReport> {
  const account = await findAccount(ctx.db, developerId)
  const found = (await listImports(ctx.db, developerId)).find(({ id }) => id === importId)
  if (!account || !found) throw new NoImport(`Account ${developerId} has no import ${importId}.`)
  const isTaken = isHeld || (await transaction(ctx, (tx) => takeImport(tx.db, importId, UNDONE_FROM)))
  if (!isTaken) throw new NoImport(`Account ${developerId} has no import ${importId}.`)
  const stayed: Stayed[] = []
  let stayedCount = 0
  for (const kind of KINDS.toReversed()) {
    const left = await undoKind(ctx, { kind, account, importId, onPart })
    stayedCount += left.length
    stayed.push(...left.slice(0, named - stayed.length))
  }
  const removed = await transaction(ctx, async (tx) => {
    const ended = { state: 'undone', finished_at: tx.clock.now(), stayed: stayedCount } as const
    const all = await endImport(tx.db, importId, ended)
    const details = { import_id: String(importId), removed: all.removed, stayed: stayedCount }
    await auditEnd(tx, { command: 'import-undo', developerId, asker }, details)
    return all.removed
  })
  return { import_id: String(importId), removed, stayed_count: stayedCount, stayed }
}

interface Undoing {
  readonly kind: Kind
  readonly account: Account
  readonly importId: number
  readonly onPart: Undo['onPart']
}

/** Again while something went, as rows of a kind may hold others of it; answers what stays. */
async function undoKind(ctx: Context, undoing: Undoing): Promise<readonly Stayed[]> {
  for (;;) {
    const pass = { removed: 0, stayed: [] as Stayed[] }
    for (let [after, isOver]: [string | null, boolean] = [null, false]; !isOver;) {
      const from: string | null = after
      const part: Part = await transaction(ctx, (tx) => undoPart(tx, undoing, from, ctx.database.engine))
      pass.removed += part.removed
      await undoing.onPart?.()
      pass.stayed.push(...part.stayed)
      after = part.last
      isOver = after === null
    }
    const isHeld = pass.stayed.some(({ reason }) => reason === 'in use')
    if (pass.removed === 0 || !isHeld) return pass.stayed
  }
}

interface Part {
  readonly removed: number
  readonly stayed: readonly Stayed[]
  /** Null when nothing is left. */
  readonly last: string | null
}

type Engine = Context['database']['engine']

async function undoPart(
  tx: TxContext,
  { kind, account, importId }: Undoing,
  after: string | null,
  engine: Engine,
): Promise<Part> {
  const { developerId } = account
  const named = { developerId, kind: kind.name, importId }
  const noted = await importedAfter(tx.db, { ...named, after, count: PART })
  const rows = await rowsByKey(tx.db, kind, account, {
    keys: noted.map(({ row_key: key }) => valuesOf(kind, key)),
    isHeld: true,
  })
  const here = new Map(rows.map((row) => [keyOf(kind, row as Values), fileRow(kind, row, tx.keys)]))
  const inUse = await usedKeys(tx, kind, { account, rows: [...here.values()], engine })
  const stayed: Stayed[] = []
  const gone: { readonly key: string; readonly row: Values | undefined }[] = []
  for (const { row_key: key, hash, was_here: wasHere } of noted) {
    const row = here.get(key)
    const reason =
      row === undefined
        ? null
        : reasonToStay({ wasHere, isChanged: hashOf(kind, row) !== hash, isUsed: inUse.has(key) })
    if (reason === null) gone.push({ key, row })
    else stayed.push({ kind: kind.name, key, reason })
  }
  if (gone.length > 0) {
    const removed = gone.flatMap(({ row }) => (row ? [row] : []))
    if (kind.name === 'payments' && removed.length > 0)
      await deletePostings(
        tx.db,
        removed.map((row) => Number(row['id'])),
      )
    await deleteRows(tx.db, kind, account, removed)
    await deleteImported(tx.db, { ...named, keys: gone.map(({ key }) => key) })
  }
  const last = noted.length < PART ? null : (noted.at(-1)?.row_key ?? null)
  return { removed: gone.length, stayed, last }
}

function reasonToStay(row: {
  wasHere: number
  isChanged: boolean
  isUsed: boolean
}): Stayed['reason'] | null {
  if (row.wasHere === 1) return 'was here before'
  if (row.isChanged) return 'changed here'
  return row.isUsed ? 'in use' : null
}

/** The values that a key is made of; a text is the last of them. */
function valuesOf(kind: Kind, key: string): Value[] {
  const parts = key.split(':')
  const last = parts.slice(kind.key.length - 1).join(':')
  return kind.key.map((column, n) => {
    const text = n === kind.key.length - 1 ? last : (parts[n] ?? '')
    const { type } = kind.columns[column] ?? { type: 'text' }
    const isNumber = ['id', 'reference', 'integer'].includes(type) || column === 'environment'
    return isNumber ? Number(text) : text
  })
}

/** Of some rows, those that something else refers to. */
async function usedKeys(
  { db }: TxContext,
  kind: Kind,
  { account, rows, engine }: { account: Account; rows: readonly Values[]; engine: Engine },
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  // A series goes on while there are invoices with its numbers.
  if (kind.name === 'invoice_numbers') {
    const left = await rowsAfter(db, kindOf('invoices'), account, { after: null, count: 1 })
    return new Set(left.length > 0 ? rows.map((row) => keyOf(kind, row)) : [])
  }
  const holding = HOLDS[kind.name] ?? { by: 'id', table: kind.table, aside: [] }
  if (!(holding.by in kind.columns) || (kind.key[0] !== 'id' && !(kind.name in HOLDS))) return new Set()
  const ids = rows.map((row) => Number(row[holding.by]))
  const used = new Set<number>()
  const named = [...(await referencesTo(db, engine, holding.table)), ...(NAMED_BY[kind.name] ?? [])]
  for (const reference of named) {
    if (isAside(reference, holding.aside)) continue
    for (const id of await referredIds(db, reference, ids)) used.add(id)
  }
  return new Set(rows.filter((row) => used.has(Number(row[holding.by]))).map((row) => keyOf(kind, row)))
}

interface Holding {
  readonly by: string
  readonly table: Kind['table']
  /** Tables whose rows hold nothing. */
  readonly aside: readonly string[]
}

/** Kinds that are held by what refers to something else, or not by all that refers to them. */
const HOLDS: Readonly<Record<string, Holding>> = {
  // Who has anything in an account keeps the places in its products.
  product_users: { by: 'user_id', table: 'users', aside: ['product_users', 'billing', 'account_customers'] },
  payments: { by: 'id', table: 'payments', aside: ['postings'] },
}

/** What names a row and has no foreign key. */
const NAMED_BY: Readonly<Record<string, readonly Naming[]>> = {
  users: [{ table: 'reviews', column: 'user_id' }, entity('notes', 'user')],
  licenses: [
    { table: 'reviews', column: 'license_id' },
    { table: 'discounts', column: 'license_id' },
    entity('notes', 'license'),
  ],
  subscriptions: [
    { table: 'trials', column: 'subscription_id' },
    entity('discounts', 'subscription'),
    entity('notes', 'subscription'),
  ],
  payments: [
    { table: 'trials', column: 'payment_id' },
    entity('discounts', 'payment'),
    entity('notes', 'payment'),
  ],
}

function entity(table: 'notes' | 'discounts', type: string): Naming {
  return { table, column: 'entity_id', type }
}

const isAside = ({ table }: Naming, aside: readonly string[]) => aside.includes(table)
