import { isSeller, type Scope } from '../../access/scope.ts'
import type { ReadContext } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import { invalidFields, notFound } from '../../lib/errors.ts'
import { toUtcTime } from '../../lib/time.ts'
import {
  EXPORTED,
  exportedRows,
  namesOf,
  type Exported,
  type ExportedKind,
  type ExportedRow,
} from './exported-rows.ts'
import { findPerson } from './queries.ts'
import type { PersonPage } from './schema.ts'

/** Records of a page. */
const PAGE = 500

/**
 * A page of everything that is stored of a person over all products of the seller, in a fixed order; `next` leads to the
 * page after it. License keys stand in it where the person asks. 404 when the caller has no such person, also for one
 * who was erased; 400 for an `after` that is no `next`.
 */
export async function exportPage(
  ctx: ReadContext & { readonly database: Pick<Database, 'background'> },
  scope: Scope,
  { userId, after }: { readonly userId: number; readonly after: string | undefined },
): Promise<PersonPage> {
  const person = await findPerson(ctx.db, scope, userId)
  if (!person || person.email === '') throw notFound('user')
  const of = { userId, developerId: person.developer_id, address: person.email_folded }
  const start = placeOf(after)
  const records: PersonPage['records'] = []
  let { after: last } = start
  for (const [index, kind] of EXPORTED.entries()) {
    if (index < start.index) continue
    const rows = await rowsOf(ctx, kind, { of, after: last, limit: PAGE - records.length })
    records.push(...rows.map((row) => recordOf(ctx, scope, kind, row)))
    if (records.length === PAGE) return page(userId, records, `${kind.kind}.${rows.at(-1)?.place ?? last}`)
    last = 0
  }
  return page(userId, records, null)
}

const page = (userId: number, records: PersonPage['records'], next: string | null): PersonPage => ({
  format: 'keywright.person/1',
  user_id: String(userId),
  records,
  next,
})

const rowsOf = (
  { database }: { readonly database: Pick<Database, 'background'> },
  kind: ExportedKind,
  of: { readonly of: Exported; readonly after: number; readonly limit: number },
) => exportedRows(database.background, kind, of)

function placeOf(after: string | undefined): { readonly index: number; readonly after: number } {
  if (after === undefined) return { index: 0, after: 0 }
  const [, name, place] = /^([a-z_]+)\.([0-9]{1,15})$/.exec(after) ?? []
  const index = EXPORTED.findIndex(({ kind }) => kind === name)
  if (index < 0) throw invalidFields([{ field: 'after', message: 'must be the next of a page' }])
  return { index, after: Number(place) }
}

/** Columns that hold JSON. */
const JSON_COLUMNS: readonly string[] = ['content', 'data', 'details']
/** Columns that hold milliseconds. */
const MILLISECONDS: readonly string[] = ['at', 'created_at', 'sent_at']

/** Ids as text, times in one form, JSON as what it is; amounts in minor units, beside their currency. */
function recordOf(ctx: ReadContext, scope: Scope, { kind, columns }: ExportedKind, row: ExportedRow) {
  const data: Record<string, unknown> = {}
  for (const name of namesOf(columns)) data[name] = valueOf(name, row[name] ?? null)
  if (kind === 'license' && !isSeller(scope))
    data['secret_key'] = ctx.keys.open(String(row['secret_key']), 'licenses.secret_key')
  return { kind, data }
}

function valueOf(name: string, value: string | number | boolean | null): unknown {
  if (value === null) return null
  if (name === 'id' || name.endsWith('_id')) return String(value)
  if (MILLISECONDS.includes(name)) return toUtcTime(Number(value))
  return JSON_COLUMNS.includes(name) ? JSON.parse(String(value)) : value
}
