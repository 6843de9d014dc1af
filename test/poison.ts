import { sql } from 'kysely'
import type { Tables } from '../src/db/tables/tables.ts'
import type { TestApp } from './app.ts'

let names = 0

/** Makes every such write of one row fail until what is returned is called, as a fault of its own would. */
export async function poison(
  { ctx: { database } }: Pick<TestApp, 'ctx'>,
  table: keyof Tables,
  id: number,
  event: 'update' | 'delete' = 'update',
): Promise<() => Promise<void>> {
  const name = `poison_${++names}`
  const run = (...statements: string[]) =>
    database.transaction(async (db) => {
      for (const one of statements) await sql.raw(one).execute(db)
    })
  if (database.engine === 'sqlite') {
    await run(
      `create trigger ${name} before ${event} on ${table} when old.id = ${id} begin select raise(abort, 'poisoned'); end`,
    )
    return () => run(`drop trigger ${name}`)
  }
  await run(
    `create function ${name}() returns trigger language plpgsql as $$ begin raise exception 'poisoned'; end $$`,
    `create trigger ${name} before ${event} on ${table} for each row when (old.id = ${id}) execute function ${name}()`,
  )
  return () => run(`drop trigger ${name} on ${table}`, `drop function ${name}()`)
}
