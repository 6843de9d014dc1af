import { quietly, type Context, type TxContext } from '../context.ts'
import { isDuplicate, isReferenced } from '../db/duplicate.ts'
import { insertMany, type Cells } from '../db/many-rows.ts'
import { foldedName } from '../people/users/names.ts'
import { updateTwins } from '../people/users/user-rows.ts'
import { entryOf } from '../sales/payments/record-payment.ts'
import type { PaymentRow } from '../sales/payments/schema.ts'
import { classify, type Into, type Item, type Sorted } from './classify.ts'
import { holdImport, insertImported, noteProgress, updateImported, type Held } from './import-queries.ts'
import type { Kind, Values } from './kinds/column.ts'
import { kindOf } from './kinds/kinds.ts'
import { deletePostings, updateRow } from './queries.ts'
import { cellsOf, madeOf, withoutMarks } from './stored.ts'

/** Something was written meanwhile that a row of the import collides with. */
export class TakenMeanwhile extends Error {}

export interface Writing extends Into {
  readonly held: Held
}

/** How many rows were brought, changed, left as they were changed here, and needed nothing. */
export type Written = Readonly<Record<'added' | 'changed' | 'kept' | 'same', number>>

/**
 * Writes some rows of a kind, notes that this import has brought them and how far it is, in one transaction: broken off
 * anywhere, either all of it is there or nothing. What was brought before and is the same is left alone.
 */
export async function writeRows(
  ctx: Context,
  writing: Writing,
  kind: Kind,
  items: readonly Item[],
): Promise<Written> {
  const written = quietly(ctx, async (tx) => {
    if (!(await holdImport(tx.db, writing.held)))
      throw new TakenMeanwhile('Another process goes on with this import, or has undone it.')
    const sorted = await classify(tx, kind, writing, items)
    const [taken] = sorted.taken
    if (taken) throw new TakenMeanwhile(`Line ${taken.item.line} of ${kind.name} ${taken.wrong.message}.`)
    await add(tx, writing, kind, sorted)
    await change(tx, writing, kind, sorted)
    const written = {
      added: sorted.add.length + sorted.replace.length,
      changed: sorted.change.length,
      kept: sorted.kept.length,
      same: sorted.same.length,
    }
    if (written.added + written.changed + sorted.unnoted.length > 0)
      await noteProgress(tx.db, writing.held.id, { kind: kind.name, ...written })
    return written
  })
  return written.catch((error: unknown) => {
    if (!isDuplicate(error) && !isReferenced(error)) throw error
    const [from, to] = [items.at(0)?.line, items.at(-1)?.line]
    throw new TakenMeanwhile(
      `Lines ${from} to ${to} of ${kind.name} collide with what was written meanwhile.`,
    )
  })
}

async function add(tx: TxContext, writing: Writing, kind: Kind, sorted: Sorted): Promise<void> {
  const { account, held } = writing
  const { developerId } = account
  const cells = await cellsIn(tx, writing, kind, sorted.add)
  await insertMany(tx.db, kind.table, cells)
  await addBeside(tx, kind, sorted.add)
  const noted = (items: readonly Item[], wasHere: boolean) =>
    items.map(({ key, hash }) => ({ key, hash, wasHere }))
  await insertImported(tx.db, { developerId, kind: kind.name, importId: held.id }, [
    ...noted(sorted.add, false),
    ...noted([...sorted.replace, ...sorted.unnoted], true),
  ])
}

async function change(tx: TxContext, writing: Writing, kind: Kind, sorted: Sorted): Promise<void> {
  const { account } = writing
  const items = [...sorted.replace, ...sorted.change]
  if (items.length === 0) return
  const cells = await cellsIn(tx, writing, kind, items)
  for (const [n, { row }] of items.entries()) {
    await updateRow(tx.db, kind, account, { row, cells: withoutMarks(kind, cells[n] ?? {}) })
  }
  if (kind.name === 'users') await changeTwins(tx, items)
  if (kind.name === 'payments') {
    await deletePostings(
      tx.db,
      items.map(({ row }) => Number(row['id'])),
    )
    await addBeside(tx, kind, items)
  }
  for (const { key, hash } of sorted.change) {
    await updateImported(tx.db, { developerId: account.developerId, kind: kind.name, key, hash })
  }
}

/** A person has one name and address in all products. */
async function changeTwins(tx: TxContext, items: readonly Item[]): Promise<void> {
  for (const { row } of items) {
    const [first, last] = [String(row['first']), String(row['last'])]
    const { email_folded: email } = madeOf(kindOf('users'), row, tx.keys)
    const twins = { email_folded: String(email), name_folded: foldedName({ first, last }) }
    await updateTwins(tx.db, Number(row['id']), twins)
  }
}

const cellsIn = (tx: TxContext, { account }: Writing, kind: Kind, items: readonly Item[]): Promise<Cells[]> =>
  cellsOf(
    tx.db,
    kind,
    items.map(({ row }) => row),
    { keys: tx.keys, developerId: account.developerId },
  )

/** What belongs to a row and is made from it: of a payment its postings, as the ledger has them. */
async function addBeside(tx: TxContext, kind: Kind, items: readonly Item[]): Promise<void> {
  if (kind.name !== 'payments') return
  await insertMany(
    tx.db,
    'postings',
    items.flatMap(({ row }) => postingsOf(row)),
  )
}

const postingsOf = (row: Values): Cells[] =>
  entryOf(row as unknown as PaymentRow).map(({ account, amount }) => ({
    payment_id: row['id'] ?? null,
    account,
    currency: row['currency'] ?? null,
    amount,
    environment: row['environment'] ?? null,
    product_id: row['product_id'] ?? null,
    created: row['created'] ?? null,
  }))
