import type { ReadContext, TxContext } from '../../context.ts'
import { hiddenFrom, hidingAsMuch, storedClasses } from '../../access/data-classes.ts'
import { isOwner, type Actor, type Scope } from '../../access/scope.ts'
import { recordEvent } from '../../events/log/record.ts'
import { Problems } from '../../http/decode.ts'
import { isAllowed, requireRight } from '../../http/roles.ts'
import { notFound } from '../../lib/errors.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { issueToken } from '../../lib/signed-token.ts'
import { fromUtcTime, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { keptOf, makerOf } from '../asker.ts'
import { checkNames, queryOf, tellOfFilter, type Filter } from '../filter.ts'
import { requireRoom } from '../waiting.ts'
import { columnsOf, EXPORT_KINDS, listOf, WHOLE, type ExportKind, type List } from './kinds.ts'
import { findExport, insertExport, listExports, type Seen } from './queries.ts'
import type { Export, ExportColumns, ExportList, ExportRow, NewExport, ShownKind } from './schema.ts'

/** Path under which the files of exports stand; their addresses are proof enough. */
export const EXPORTS_PATH = '/exports/'
export const PLACE = 'exports.asked'

/** What an export was asked for by, as it is kept. */
export interface Asked {
  /** The arguments of the list, in their types. */
  readonly query: Filter
  readonly productIds: readonly number[] | null
  readonly actor: Actor
}

/** Adds what the list would say of its filter and columns to the problems of the request. */
export async function checkExport(
  ctx: ReadContext,
  scope: Scope,
  body: NewExport,
  problems: Problems,
): Promise<void> {
  if (problems.has('kind') || problems.has('filter')) return
  const list = listOfExport(ctx, body)
  requireRight(scope, list.op)
  const names = new Set(columnsOf(list, scope).map(({ name }) => name))
  const unknown = (namesIn(body.columns) ?? []).filter((name) => !names.has(name))
  if (unknown.length > 0) {
    const message = `has what is none for you: ${unknown.join(', ')}; there are ${[...names].join(', ')}`
    problems.malformed.push({ field: 'columns', message })
  }
  const { product_ids: of, ...named } = body.filter ?? {}
  checkNames(list, body.kind, Object.keys(named), problems)
  if (of !== undefined && (typeof of !== 'string' || parseIdList(of) === null)) {
    problems.malformed.push({
      field: 'filter.product_ids',
      message: 'must be ids separated by commas, each once',
    })
  }
  await checkQuery(ctx, scope, list, { filter: body.filter ?? {}, problems })
}

interface Checked {
  readonly filter: Filter
  readonly problems: Problems
}

/** By the schema of the list, and by what it checks beyond that. */
async function checkQuery(ctx: ReadContext, scope: Scope, list: List, { filter, problems }: Checked) {
  const own = new Problems()
  const query = queryOf(list, filter, own)
  await list.op.check?.(ctx as never, { scope, query, params: {}, body: {} } as never, own)
  tellOfFilter(problems, own)
}

const listOfExport = (ctx: ReadContext, { kind, filter = {} }: Pick<NewExport, 'kind' | 'filter'>) =>
  listOf(ctx, kind, filter['product_ids'] !== undefined)

const namesIn = (text: string | undefined): string[] | undefined =>
  text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/**
 * Asks for a list to be written to a file, which the job `write-exports` does. 400 `too_many_waiting` while 10 of the
 * account wait.
 */
export async function askForExport(ctx: TxContext, scope: Scope, body: NewExport): Promise<Export> {
  const list = listOfExport(ctx, body)
  await requireRoom(ctx, scope, 'exports', 'exports')
  const { product_ids: of, ...filter } = body.filter ?? {}
  const asked: Asked = {
    query: queryOf(list, filter, new Problems()),
    productIds: typeof of === 'string' ? (parseIdList(of) ?? []) : null,
    actor: keptOf(scope.actor),
  }
  const names = namesIn(body.columns)
  const all = columnsOf(list, scope).map(({ name }) => name)
  return addExport(ctx, scope, {
    asked,
    kind: body.kind,
    columns: (names && names.length > 0 ? [...new Set(names)] : all).join(','),
    time_zone: body.time_zone,
    format: body.format,
  })
}

interface NewRow extends Pick<ExportRow, 'kind' | 'columns' | 'time_zone' | 'format'> {
  readonly asked: Asked
}

/** Adds an export that nobody writes yet, and tells of it. */
export async function addExport(ctx: TxContext, scope: Scope, { asked, ...what }: NewRow): Promise<Export> {
  const row = await insertExport(ctx.db, {
    ...what,
    developer_id: scope.developerId,
    maker: makerOf(scope),
    hides: storedClasses(hiddenFrom(scope)),
    asked: ctx.keys.seal(JSON.stringify(asked), PLACE),
    state: 'waiting',
    failures: 0,
    row_count: 0,
    progress: 0,
    file: null,
    size: null,
    error: null,
    created: ctx.clock.now(),
    finished_at: null,
    expires_at: null,
    due_at: ctx.clock.real(),
    lease_until: 0,
    fence: 0,
  })
  const data = { export_id: String(row.id), kind: row.kind }
  await recordEvent(ctx, { ...scope, productId: 0 }, { type: 'export.created', data })
  return presentExport(ctx, row)
}

/**
 * A page of the exports of the account that the caller could have asked for, newest first: of lists that it may read,
 * from whose files no more was left out than is hidden from it.
 */
export async function getExports(ctx: ReadContext, scope: Scope, page: ExportList): Promise<Export[]> {
  const seen = seenBy(ctx, scope)
  if (seen.kinds.length === 0) return []
  const rows = await listExports(ctx.db, scope, seen, page)
  return rows.map((row) => presentExport(ctx, row))
}

/** 404 when the account has no such export that the caller could have asked for. */
export const getExport = async (ctx: ReadContext, scope: Scope, id: number): Promise<Export> =>
  presentExport(ctx, await ownExport(ctx, scope, id))

/** The row of an export that the caller could have asked for; 404 where there is none. */
export async function ownExport(ctx: ReadContext, scope: Scope, id: number): Promise<ExportRow> {
  const seen = seenBy(ctx, scope)
  const row = seen.kinds.length === 0 ? undefined : await findExport(ctx.db, scope, seen, id)
  if (!row) throw notFound('export')
  return row
}

function seenBy(ctx: ReadContext, scope: Scope): Seen {
  const lists = EXPORT_KINDS.filter((kind) => isAllowed(scope.actor, listOf(ctx, kind, true).op))
  return { kinds: isOwner(scope) ? [...lists, WHOLE] : lists, hides: hidingAsMuch(scope) }
}

/** What the caller may export: each list that it may read, with its columns and what narrows it. */
export const exportColumns = (ctx: ReadContext, scope: Scope): ExportColumns => ({
  kinds: EXPORT_KINDS.map((kind) => ({ kind, list: listOf(ctx, kind, true) }))
    .filter(({ list }) => isAllowed(scope.actor, list.op))
    .map(({ kind, list }) => ({
      kind,
      columns: columnsOf(list, scope).map(({ name }) => name),
      filter: [...list.filter, ...(list.isOfProducts ? ['product_ids'] : [])],
    })),
})

/** What was asked for, of a row. */
export const askedIn = ({ keys }: Pick<ReadContext, 'keys'>, { asked }: Pick<ExportRow, 'asked'>): Asked =>
  JSON.parse(keys.open(asked, PLACE)) as Asked

/** Row → wire, with an address for whoever is shown it. */
function presentExport(ctx: ReadContext, row: ExportRow): Export {
  const now = ctx.clock.real()
  const isExpired = row.expires_at !== null && row.expires_at <= toUtcTime(now)
  const running = row.state === 'waiting' && row.lease_until > now ? 'running' : row.state
  const isWhole = row.kind === WHOLE
  return {
    id: String(row.id),
    kind: row.kind as ShownKind,
    filter: isWhole ? {} : filterOf(ctx, row),
    columns: isWhole ? [] : row.columns.split(','),
    time_zone: row.time_zone,
    format: row.format,
    state: isExpired ? 'expired' : running,
    progress: row.progress / 1000,
    rows: row.row_count,
    size: row.size,
    error: row.error,
    created: row.created,
    finished_at: row.finished_at,
    expires_at: row.expires_at,
    url: isWhole || isExpired || row.state !== 'done' ? null : addressOf(ctx, row, now, row.expires_at),
  }
}

/** What an export of a list was asked for by, without what is kept from whoever reads along. */
function filterOf(ctx: ReadContext, row: ExportRow): Export['filter'] {
  const { query, productIds } = askedIn(ctx, row)
  const list = listOf(ctx, row.kind as ExportKind, productIds !== null)
  const shown = Object.entries(query).filter(
    ([name]) => list.filter.includes(name) && !list.secrets.includes(name),
  )
  return { ...Object.fromEntries(shown), ...(productIds && { product_ids: productIds.join(',') }) }
}

/** How the name of the file of an export ends. */
export const endingOf = ({ kind, format }: Pick<ExportRow, 'kind' | 'format'>): 'zip' | 'csv' | 'jsonl' =>
  kind === WHOLE ? 'zip' : format

/** An address of the file that works from `now` (real time in milliseconds) until a time. */
export function addressOf(ctx: ReadContext, row: ExportRow, now: number, end: UtcTime | null): string {
  const lastsMs = end === null ? 0 : fromUtcTime(end) - now
  const claims = { export: String(row.id) }
  const token = issueToken(ctx.keys, { purpose: 'export', claims, now, lastsMs })
  return `${ctx.baseUrl}${EXPORTS_PATH}${row.id}.${endingOf(row)}?token=${token}`
}
