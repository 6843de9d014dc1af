import type { Reader, Writer } from '../db/database.ts'
import { inList } from '../db/in-list.ts'
import { insertMany } from '../db/many-rows.ts'
import { scoped, unscoped } from '../db/scoped.ts'
import type { ImportsTable } from '../db/tables/imports.ts'
import type { UtcTime } from '../lib/time.ts'
import { NOTHING_YET, OVER } from './begun-rows.ts'

const OF_IMPORT = 'the rows of an import of the account'

const ofAccount = (developerId: number) => ({ developerId, productId: 0, userId: null, installId: null })

/** An import as the process has it that writes its rows. */
export interface Held {
  readonly id: number
  readonly fence: number
}

/** Begins an import. One from the same source that is running makes it fail as a double. */
export const insertImport = (
  db: Writer,
  given: Pick<ImportsTable, 'developer_id' | 'source' | 'created'>,
): Promise<Held> =>
  db
    .insertInto('imports')
    .values({ ...given, ...NOTHING_YET })
    .returning(['id', 'fence'])
    .executeTakeFirstOrThrow()

/** Takes up an import, so that whoever had it writes nothing more; undefined where it is in none of the states. */
export const takeImport = (
  db: Writer,
  id: number,
  states: readonly ImportsTable['state'][],
): Promise<Held | undefined> =>
  unscoped(db, OF_IMPORT)
    .updateTable('imports')
    .set((is) => ({ fence: is('fence', '+', 1) }))
    .where('id', '=', id)
    .where('state', 'in', states)
    .returning(['id', 'fence'])
    .executeTakeFirst()

/** Holds an import until the end of the transaction; false where another process has it, or it has ended. */
export async function holdImport(db: Writer, { id, fence }: Held): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, OF_IMPORT)
    .updateTable('imports')
    .set({ fence })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Begins to write the rows of an import; false where another process has it. */
export async function beginHeld(db: Writer, { id, fence }: Held, source: string): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, OF_IMPORT)
    .updateTable('imports')
    .set({ state: 'running', source })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends what an account has from a source that no server works on and that is not finished; it writes nothing more. */
export const endBrokenOff = (
  db: Writer,
  { developerId, source, not, now }: { developerId: number; source: string; not: number; now: UtcTime },
) =>
  unscoped(db, OF_IMPORT)
    .updateTable('imports')
    .set((is) => ({ state: 'finished', finished_at: now, fence: is('fence', '+', 1) }))
    .where('developer_id', '=', developerId)
    .where('source', '=', source)
    .where('state', '=', 'running')
    .where('due_at', 'is', null)
    .where('id', '!=', not)
    .execute()

/** Imports of an account, the newest first. */
export const listImports = (db: Reader, developerId: number) =>
  scoped(db, 'imports', ofAccount(developerId)).select().selectAll('imports').orderBy('id', 'desc').execute()

/** Notes how far an import is. */
export const noteProgress = (
  db: Writer,
  id: number,
  { kind, added, changed }: Pick<ImportsTable, 'kind' | 'added' | 'changed'>,
) =>
  unscoped(db, OF_IMPORT)
    .updateTable('imports')
    .set((is) => ({ kind, added: is('added', '+', added), changed: is('changed', '+', changed) }))
    .where('id', '=', id)
    .execute()

/** Ends an import, or its undoing; answers how many rows it has added and changed in all. */
export const endImport = (
  db: Writer,
  id: number,
  ended: Pick<ImportsTable, 'state' | 'finished_at'> & Partial<Pick<ImportsTable, 'kept' | 'stayed'>>,
) =>
  unscoped(db, OF_IMPORT)
    .updateTable('imports')
    .set({ ...ended, ...OVER, error: null })
    .where('id', '=', id)
    .returning(['added', 'changed', 'removed'])
    .executeTakeFirstOrThrow()

/** Of some keys of a kind, those that an import has brought. */
export const findImported = (
  db: Reader,
  { developerId, kind, keys }: { developerId: number; kind: string; keys: readonly string[] },
) =>
  unscoped(db, OF_IMPORT)
    .selectFrom('imported_rows')
    .select(['row_key', 'hash', 'import_id', 'was_here'])
    .where('developer_id', '=', developerId)
    .where('kind', '=', kind)
    .where('row_key', 'in', inList(keys))
    .execute()

/** Some rows of a kind that an import has brought, in the order of their keys. */
export const importedAfter = (
  db: Reader,
  given: { developerId: number; kind: string; importId: number; after: string | null; count: number },
) =>
  unscoped(db, OF_IMPORT)
    .selectFrom('imported_rows')
    .select(['row_key', 'hash', 'was_here'])
    .where('developer_id', '=', given.developerId)
    .where('kind', '=', given.kind)
    .$if(given.after !== null, (rows) => rows.where('row_key', '>', given.after))
    .where('import_id', '=', given.importId)
    .orderBy('row_key')
    .limit(given.count)
    .execute()

interface NewRow {
  readonly key: string
  readonly hash: string
  readonly wasHere: boolean
}

/** Notes which rows an import has brought. */
export const insertImported = (
  db: Writer,
  { developerId, kind, importId }: { developerId: number; kind: string; importId: number },
  rows: readonly NewRow[],
) =>
  insertMany(
    db,
    'imported_rows',
    rows.map(({ key, hash, wasHere }) => ({
      developer_id: developerId,
      kind,
      row_key: key,
      import_id: importId,
      hash,
      was_here: Number(wasHere),
    })),
  )

/** Notes that a row has other values since. */
export const updateImported = (
  db: Writer,
  { developerId, kind, key, hash }: { developerId: number; kind: string; key: string; hash: string },
) =>
  unscoped(db, OF_IMPORT)
    .updateTable('imported_rows')
    .set({ hash })
    .where('developer_id', '=', developerId)
    .where('kind', '=', kind)
    .where('row_key', '=', key)
    .execute()

/** Forgets rows that an import has brought. */
export async function deleteImported(
  db: Writer,
  {
    developerId,
    kind,
    keys,
    importId,
  }: { developerId: number; kind: string; keys: readonly string[]; importId: number },
): Promise<void> {
  const { numDeletedRows } = await unscoped(db, OF_IMPORT)
    .deleteFrom('imported_rows')
    .where('developer_id', '=', developerId)
    .where('kind', '=', kind)
    .where('row_key', 'in', inList(keys))
    .executeTakeFirstOrThrow()
  await unscoped(db, OF_IMPORT)
    .updateTable('imports')
    .set((is) => ({ removed: is('removed', '+', Number(numDeletedRows)) }))
    .where('id', '=', importId)
    .execute()
}
