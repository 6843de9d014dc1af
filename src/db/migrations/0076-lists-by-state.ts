import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** The lists of a product's trials and reviews by their states, newest first. */
export async function up(db: Writer): Promise<void> {
  for (const [name, where] of INDEXES) {
    const [table] = name.split('_')
    await sql`create index ${sql.id(name)} on ${sql.table(table ?? '')} (product_id, id)
      where ${sql.raw(where)}`.execute(db)
  }
}

const INDEXES = [
  // The list of trials that run.
  ['trials_now', 'notice_at is not null'],
  // The list of those that were bought.
  ['trials_converted', 'converted_at is not null'],
  // The list of those that were cancelled.
  ['trials_cancelled', 'canceled_at is not null'],
  // The list of those that ended by themselves.
  ['trials_ended', 'notice_at is null and converted_at is null and canceled_at is null'],
  // The list of reviews that are not shown.
  ['reviews_hidden', 'is_active = 0'],
] as const
