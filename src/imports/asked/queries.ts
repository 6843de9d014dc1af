import type { Insertable } from 'kysely'
import { anyToClaim, claim, held } from '../../db/claim.ts'
import type { Engine, Reader, Writer } from '../../db/database.ts'
import { insertMany } from '../../db/many-rows.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { ImportReportTable, ImportsTable } from '../../db/tables/imports.ts'
import { DAY, MINUTE, type UtcTime } from '../../lib/time.ts'
import { OVER } from '../begun-rows.ts'
import type { ImportRow } from './schema.ts'

/** How long who works on an import may be silent. */
export const LEASE_MS = MINUTE
/** How long one that was looked at waits to be started. */
export const WAITS_MS = DAY

const OF_IMPORT = 'of an import that a scoped query or a claim has found'

/** A second one of an account that is in hand makes it fail as a double. */
export const insertAsked = (db: Writer, row: Insertable<ImportsTable>) =>
  db.insertInto('imports').values(row).returningAll().executeTakeFirstOrThrow()

interface Page {
  readonly count: number
  readonly offset: number
}

/** A page of the imports of an account, newest first. */
export const pageOfImports = (db: Reader, owner: Owner, { count, offset }: Page) =>
  scoped(db, 'imports', owner)
    .select()
    .selectAll()
    .orderBy('id', 'desc')
    .limit(count)
    .offset(offset)
    .execute()

export const findImport = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'imports', owner).select().selectAll().where('id', '=', id).executeTakeFirst()

/** Some of what was wrong, in order. */
export function pageOfReport(
  db: Reader,
  importId: number,
  { kind, count, offset }: Page & { readonly kind?: string | undefined },
) {
  let rows = unscoped(db, OF_IMPORT).selectFrom('import_report').selectAll().where('import_id', '=', importId)
  if (kind !== undefined) rows = rows.where('kind', '=', kind)
  return rows.orderBy('n').limit(count).offset(offset).execute()
}

const UNSEEN = {
  kinds: '[]',
  row_count: 0,
  same: 0,
  bad: 0,
  left_out: 0,
  aside: '[]',
  does_not_fit: '[]',
} as const

/** Has an import begin to write that was looked at; undefined where it does not wait for that. */
export const startAsked = (db: Writer, id: number, now: number) =>
  unscoped(db, OF_IMPORT)
    .updateTable('imports')
    .set({ ...UNSEEN, state: 'checking', is_dry_run: false, due_at: now, lease_until: 0, failures: 0 })
    .where('id', '=', id)
    .where('state', '=', 'checked')
    .where('due_at', 'is not', null)
    .returningAll()
    .executeTakeFirst()

/** Ends an import where it is: who works on it writes nothing more; undefined where nothing of it is to come. */
export const cancelAsked = (db: Writer, id: number, now: UtcTime) =>
  unscoped(db, OF_IMPORT)
    .updateTable('imports')
    .set((is) => ({ ...OVER, state: 'canceled', finished_at: now, fence: is('fence', '+', 1) }))
    .where('id', '=', id)
    .where('state', 'in', ['checking', 'checked', 'running'])
    .where('due_at', 'is not', null)
    .returningAll()
    .executeTakeFirst()

/**
 * Has an import be undone; undefined where it has nothing to take out, or is in hand. Another one of the account that is
 * makes it fail as a double.
 */
export const undoAsked = (
  db: Writer,
  id: number,
  { now, asked }: { readonly now: number; readonly asked: string },
) =>
  unscoped(db, OF_IMPORT)
    .updateTable('imports')
    .set((is) => ({
      state: 'undoing',
      asked,
      due_at: now,
      lease_until: 0,
      failures: 0,
      error: null,
      finished_at: null,
      stayed: 0,
      fence: is('fence', '+', 1),
    }))
    .where('id', '=', id)
    .where('due_at', 'is', null)
    .where((or) =>
      or.or([
        or('state', 'in', ['running', 'finished']),
        or.and([or('state', 'in', ['canceled', 'failed']), or('added', '>', 0)]),
        or.and([or('state', '=', 'undone'), or('stayed', '>', 0)]),
      ]),
    )
    .returningAll()
    .executeTakeFirst()

/** Whether an import waits that nobody works on; `now` is real time in milliseconds. */
export const anyAsked = (db: Reader, now: number): Promise<boolean> =>
  anyToClaim(db, 'imports', { now, withinMs: WAITS_MS })

/** Takes the import that has waited longest, for this holder alone. */
export async function claimAsked(
  db: Writer,
  { engine, now }: { readonly engine: Engine; readonly now: number },
): Promise<ImportRow | undefined> {
  const [row] = await claim(db, 'imports', { engine, now, leaseMs: LEASE_MS, withinMs: WAITS_MS, limit: 1 })
  return row
}

type Change = Partial<Omit<ImportRow, 'id' | 'fence' | 'developer_id' | 'is_dry_run'>>

/** Changes a claimed import; false when another holder has it now, or it was canceled. */
export const updateAsked = (db: Writer, row: ImportRow, change: Change): Promise<boolean> =>
  held(db, 'imports', row, change)

type Line = Omit<ImportReportTable, 'import_id' | 'n'>

/** Writes what was found in the place of what was found before. */
export async function replaceReport(db: Writer, importId: number, lines: readonly Line[]): Promise<void> {
  await unscoped(db, OF_IMPORT).deleteFrom('import_report').where('import_id', '=', importId).execute()
  await insertMany(
    db,
    'import_report',
    lines.map((line, n) => ({ import_id: importId, n: n + 1, ...line })),
  )
}
