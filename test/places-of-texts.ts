import { sql } from 'kysely'
import { placeOf, SEALED_COLUMNS } from '../src/db/sealed-columns.ts'
import type { TestContext } from './app.ts'

/**
 * Where a database has one of some texts, raw, as a part of an address of the web, or in base64, as `table.column`; what
 * is sealed is opened.
 */
export async function placesOf(ctx: TestContext, texts: readonly string[]): Promise<string[]> {
  const { engine, reader } = ctx.database
  const { rows: tables } = await (
    engine === 'sqlite'
      ? sql<{
          name: string
        }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
  ).execute(reader as never)
  const forms = texts.flatMap(formsOf)
  const places = new Set<string>()
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      reader as never,
    )
    const cells = rows.flatMap((row) => Object.entries(row))
    for (const [column, value] of cells) {
      const text = textOf(ctx, name, column, value)
      if (forms.some((form) => text.includes(form))) places.add(`${name}.${column}`)
    }
  }
  return [...places].toSorted()
}

const formsOf = (text: string): string[] => [
  text.toLowerCase(),
  encodeURIComponent(text).toLowerCase(),
  ...[0, 1, 2].flatMap((offset) =>
    [text, text.toLowerCase()].map((one) => {
      const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(one)])
      // The first and the last characters depend on what is around.
      return bytes
        .toString('base64')
        .slice(offset === 0 ? 0 : 4, -4)
        .toLowerCase()
    }),
  ),
]

function textOf(ctx: TestContext, table: string, column: string, value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1').toLowerCase()
  if (typeof value === 'object' && value !== null) return JSON.stringify(value).toLowerCase()
  const sealed = SEALED_COLUMNS.find((one) => one.table === table && one.column === column)
  const text = String(value)
  if (!sealed || value === null || !text.startsWith('v1.')) return text.toLowerCase()
  return `${text} ${ctx.keys.open(text, placeOf(sealed))}`.toLowerCase()
}
