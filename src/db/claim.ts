import { sql, type Selectable } from 'kysely'
import type { Engine, Reader, Writer } from './database.ts'
import { skipLocked } from './dialect.ts'
import { columnHasCome, dueWithin } from './has-come.ts'
import type { Tables } from './tables/tables.ts'

export type ClaimedTable =
  | 'bulks'
  | 'erasures'
  | 'exports'
  | 'imports'
  | 'jobs'
  | 'mails'
  | 'provisional_taxes'
  | 'sandbox_clocks'
  | 'webhooks'

/** Another process has taken over what was claimed; what this one still had to write is not its to write. */
export class LeaseLost extends Error {}

export interface ClaimOptions {
  readonly engine: Engine
  /** Real time, milliseconds since the epoch. */
  readonly now: number
  readonly leaseMs: number
  /**
   * The farthest ahead that a row is ever due, held or left alone; farther ahead a clock has set it that was
   * (`hasCome`).
   */
  readonly withinMs: number
  readonly limit: number
  /** Only this row, when it is due. */
  readonly id?: number
}

/**
 * Takes up to `limit` due rows for this holder alone, those that are due longest: one statement, with
 * `skip locked` on PostgreSQL so that claimers pass each other (`docs/decisions.md` 4.1). Each claim raises the
 * row's `fence`; write with `held` so that a holder whose lease has passed on writes nothing.
 */
export async function claim<T extends ClaimedTable>(
  db: Writer,
  table: T,
  { engine, now, leaseMs, withinMs, limit, id }: ClaimOptions,
): Promise<Selectable<Tables[T]>[]> {
  const due = dueWithin(now, withinMs)
  const onlyThis = id === undefined ? sql`` : sql`and id = ${id}`
  // Not a subquery of the update: PostgreSQL may run that once for each row, past the limit.
  const { rows } = await sql<Selectable<Tables[T]>>`
    with due as materialized (
      select id from ${sql.table(table)}
      where ${columnHasCome('due_at', due)} and ${columnHasCome('lease_until', due)} ${onlyThis}
      order by due_at, id limit ${limit} ${skipLocked(engine)})
    update ${sql.table(table)} set lease_until = ${now + leaseMs}, fence = fence + 1
    where id in (select id from due)
    returning *`.execute(db)
  return rows
}

/** Whether there is a row that `claim` would take. */
export async function anyToClaim(
  db: Reader,
  table: ClaimedTable,
  { now, withinMs }: Pick<ClaimOptions, 'now' | 'withinMs'>,
): Promise<boolean> {
  const due = dueWithin(now, withinMs)
  const { rows } = await sql`
    select id from ${sql.table(table)}
    where ${columnHasCome('due_at', due)} and ${columnHasCome('lease_until', due)} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Updates a claimed row while the claim still holds; false when another holder has it now. A `change`
 * with `lease_until` 0 gives the lease back, with a later time extends it.
 */
export async function held<T extends ClaimedTable>(
  db: Writer,
  table: T,
  row: { readonly id: number; readonly fence: number },
  change: Readonly<Record<string, string | number | null>>,
): Promise<boolean> {
  const set = Object.entries(change).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.join(set)}
    where id = ${row.id} and fence = ${row.fence}`.execute(db)
  return numAffectedRows === 1n
}
