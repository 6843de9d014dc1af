import type { Insertable } from 'kysely'
import { anyToClaim, claim, held } from '../../db/claim.ts'
import type { Engine, Reader, Writer } from '../../db/database.ts'
import { scoped, type Owner } from '../../db/scoped.ts'
import type { ExportsTable } from '../../db/tables/exports.ts'
import { DAY, MINUTE } from '../../lib/time.ts'
import type { ExportRow } from './schema.ts'

/** How long who writes an export may be silent. */
export const LEASE_MS = MINUTE

export const insertExport = (db: Writer, row: Insertable<ExportsTable>) =>
  db.insertInto('exports').values(row).returningAll().executeTakeFirstOrThrow()

interface Page {
  readonly count: number
  readonly offset: number
}

/** What somebody may see of the exports of an account. */
export interface Seen {
  /** Lists that it may read. */
  readonly kinds: readonly string[]
  /** What may have been hidden from who asked (`hidingAsMuch`). */
  readonly hides: readonly string[]
}

const seenBy = (db: Reader, owner: Owner, { kinds, hides }: Seen) =>
  scoped(db, 'exports', owner).select().selectAll().where('kind', 'in', kinds).where('hides', 'in', hides)

/** A page of exports, newest first. */
export const listExports = (db: Reader, owner: Owner, seen: Seen, { count, offset }: Page) =>
  seenBy(db, owner, seen).orderBy('id', 'desc').limit(count).offset(offset).execute()

export const findExport = (db: Reader, owner: Owner, seen: Seen, id: number) =>
  seenBy(db, owner, seen).where('id', '=', id).executeTakeFirst()

/** Whether an export waits that nobody writes; `now` is real time in milliseconds. */
export const anyToWrite = (db: Reader, now: number): Promise<boolean> =>
  anyToClaim(db, 'exports', { now, withinMs: DAY })

/** Takes the export that has waited longest, for this holder alone. */
export async function claimExport(
  db: Writer,
  { engine, now }: { readonly engine: Engine; readonly now: number },
): Promise<ExportRow | undefined> {
  const [row] = await claim(db, 'exports', { engine, now, leaseMs: LEASE_MS, withinMs: DAY, limit: 1 })
  return row
}

type Change = Partial<Omit<ExportRow, 'id' | 'fence' | 'developer_id'>>

/** Changes a claimed export; false when another holder has it now. */
export const updateExport = (db: Writer, row: ExportRow, change: Change): Promise<boolean> =>
  held(db, 'exports', row, change)
