import type { Insertable } from 'kysely'
import { systemScope } from '../../access/scope.ts'
import { anyToClaim, claim, held } from '../../db/claim.ts'
import type { Engine, Reader, Writer } from '../../db/database.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { ExportsTable } from '../../db/tables/exports.ts'
import { DAY, MINUTE, type UtcTime } from '../../lib/time.ts'
import type { ExportRow } from './schema.ts'

/** How long who writes an export may be silent. */
export const LEASE_MS = MINUTE

export const insertExport = (db: Writer, row: Insertable<ExportsTable>) =>
  db.insertInto('exports').values(row).returningAll().executeTakeFirstOrThrow()

interface Page {
  readonly count: number
  readonly offset: number
  /** Only of these. */
  readonly kind?: string | undefined
}

/** What somebody may see of the exports of an account. */
export interface Seen {
  /** Lists that it may read, and `account` for who may have all. */
  readonly kinds: readonly string[]
  /** What may have been hidden from who asked (`hidingAsMuch`). */
  readonly hides: readonly string[]
}

const seenBy = (db: Reader, owner: Owner, { kinds, hides }: Seen) =>
  scoped(db, 'exports', owner).select().selectAll().where('kind', 'in', kinds).where('hides', 'in', hides)

/** A page of exports, newest first. */
export function listExports(db: Reader, owner: Owner, seen: Seen, { count, offset, kind }: Page) {
  const all = seenBy(db, owner, seen)
  const rows = kind === undefined ? all : all.where('kind', '=', kind)
  return rows.orderBy('id', 'desc').limit(count).offset(offset).execute()
}

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

/** Ends the files of whole accounts that are older than one of the same account, by a time. */
export const endOlder = (
  db: Writer,
  { id, developer_id: developerId, kind }: ExportRow,
  expiresAt: UtcTime,
) =>
  scopedWrite(db, 'exports', systemScope({ developerId, productId: 0 }))
    .update()
    .set({ expires_at: expiresAt })
    .where('kind', '=', kind)
    .where('id', '<', id)
    .where('expires_at', '>', expiresAt)
    .execute()
