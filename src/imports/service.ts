import type { ReadContext } from '../context.ts'
import type { ImportState } from '../db/tables/imports.ts'
import type { UtcTime } from '../lib/time.ts'
import { listImports } from './import-queries.ts'

/** An import as it is shown. */
export interface ShownImport {
  readonly id: string
  readonly source: string
  readonly state: ImportState
  readonly added: number
  readonly changed: number
  readonly created: UtcTime
  readonly finished_at: UtcTime | null
}

/** The imports of an account, the newest first. */
export async function importsOf(
  { db }: Pick<ReadContext, 'db'>,
  developerId: number,
): Promise<ShownImport[]> {
  const rows = await listImports(db, developerId)
  return rows.map(({ id, source, state, added, changed, created, finished_at }) => ({
    id: String(id),
    source,
    state,
    added,
    changed,
    created,
    finished_at,
  }))
}
